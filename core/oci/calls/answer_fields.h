// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"

namespace lockstep::oci {

/// One object of a service's answer, read field by field. An absent field and a null are the same; a field
/// that must be there and is not, or that is of another type, is remembered with its place ("[3].id is
/// missing") and reads as empty; the first such flaw is kept. Fields that nobody asks for do not matter. One
/// thread.
class AnswerFields {
 public:
  /// `place` is where the object stands in the answer ("[3]"), empty for the answer itself. `flaw` outlives
  /// this.
  AnswerFields(const nlohmann::json& object, std::string place, std::string& flaw);

  [[nodiscard]] std::string text(const char* key);  // must be there
  [[nodiscard]] std::string textOr(const char* key, std::string other = {});
  [[nodiscard]] bool flag(const char* key, bool other = false);
  [[nodiscard]] std::int64_t number(const char* key, std::int64_t other = 0);
  [[nodiscard]] std::optional<std::int64_t> maybeNumber(const char* key);
  [[nodiscard]] std::optional<double> maybeReal(const char* key);
  [[nodiscard]] double real(const char* key);  // must be there
  /// RFC 3339.
  [[nodiscard]] std::optional<TimePoint> maybeTime(const char* key);
  [[nodiscard]] std::vector<std::string> texts(const char* key);
  [[nodiscard]] std::map<std::string, std::string> textMap(const char* key);
  /// The objects of a list, each through `read`.
  template <class Read>
  [[nodiscard]] auto list(const char* key, Read read) {
    std::vector<decltype(read(*this))> all;
    const nlohmann::json* items = find(key, nlohmann::json::value_t::array, "list");
    for (std::size_t i = 0; items != nullptr && i < items->size(); ++i) {
      AnswerFields item((*items)[i], placeOf(key) + "[" + std::to_string(i) + "]", flaw_);
      all.push_back(read(item));
    }
    return all;
  }
  template <class Read>
  [[nodiscard]] auto maybeObject(const char* key, Read read) -> std::optional<decltype(read(*this))> {
    const nlohmann::json* object = find(key, nlohmann::json::value_t::object, "object");
    if (object == nullptr) return std::nullopt;
    AnswerFields fields(*object, placeOf(key), flaw_);
    return read(fields);
  }
  /// The object itself, for what is not read field by field.
  [[nodiscard]] const nlohmann::json& raw() const { return object_; }

 private:
  [[nodiscard]] const nlohmann::json* find(const char* key);
  [[nodiscard]] const nlohmann::json* find(const char* key, nlohmann::json::value_t type, const char* kind);
  [[nodiscard]] std::string placeOf(const char* key) const;
  void note(const char* key, const std::string& what);

  const nlohmann::json& object_;
  const std::string place_;
  std::string& flaw_;
};

}  // namespace lockstep::oci
