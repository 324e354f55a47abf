// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "rehearsal/api/http_types.h"

namespace lockstep::rehearsal {

/// The body as a JSON object, or 400 CannotParseRequest.
tl::expected<nlohmann::json, ServiceError> parseBody(const std::string& body);

/// Reads the fields of one JSON object and remembers the first thing wrong, by its whole path, so that an
/// operation reads all it needs and asks once.
class BodyReader {
 public:
  explicit BodyReader(const nlohmann::json& object, std::string path = {},
                      std::optional<ServiceError>* shared = nullptr)
      : object_(object), path_(std::move(path)), error_(shared ? shared : &own_) {}
  BodyReader(const BodyReader&) = delete;  // the readers of nested objects point to this one's refusal
  BodyReader& operator=(const BodyReader&) = delete;

  [[nodiscard]] bool has(const std::string& name) const;
  /// Required and not empty.
  std::string text(const std::string& name, std::size_t maximum = 255);
  std::optional<std::string> optionalText(const std::string& name, std::size_t maximum = 4000);
  /// One of the given spellings.
  std::string choice(const std::string& name, const std::vector<std::string>& allowed);
  std::optional<std::string> optionalChoice(const std::string& name, const std::vector<std::string>& allowed);
  double number(const std::string& name, double minimum, double maximum);
  std::optional<double> optionalNumber(const std::string& name, double minimum, double maximum);
  std::optional<bool> optionalFlag(const std::string& name);
  /// A map of texts; empty when absent.
  nlohmann::json textMap(const std::string& name);
  std::vector<std::string> textList(const std::string& name);
  /// A nested object. Only when has(name).
  BodyReader object(const std::string& name);
  /// An object within an array, which has(name) and has that many: "mounts[2]" in messages.
  BodyReader element(const std::string& name, std::size_t index);

  void invalid(const std::string& name, const std::string& why);
  void missing(const std::string& name);
  [[nodiscard]] const std::optional<ServiceError>& error() const { return *error_; }
  [[nodiscard]] const nlohmann::json& json() const { return object_; }

 private:
  [[nodiscard]] std::string full(const std::string& name) const {
    return path_.empty() ? name : path_ + "." + name;
  }

  const nlohmann::json& object_;
  std::string path_;
  std::optional<ServiceError> own_;
  std::optional<ServiceError>* error_;
};

}  // namespace lockstep::rehearsal
