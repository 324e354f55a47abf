// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/service/body_reader.h"

#include <fmt/format.h>

#include <algorithm>

namespace lockstep::rehearsal {
namespace {
const nlohmann::json kNothing = nlohmann::json::object();
}

tl::expected<nlohmann::json, ServiceError> parseBody(const std::string& body) {
  nlohmann::json value = nlohmann::json::parse(body, nullptr, false);
  if (value.is_object()) return value;
  return refuse(400, "CannotParseRequest",
                body.empty() ? "The request has no body." : "The body is not a JSON object.");
}

bool BodyReader::has(const std::string& name) const {
  const auto found = object_.find(name);
  return found != object_.end() && !found->is_null();
}

void BodyReader::invalid(const std::string& name, const std::string& why) {
  if (!*error_)
    *error_ = ServiceError{400, "InvalidParameter",
                           fmt::format("The parameter '{}' is invalid: {}.", full(name), why)};
}

void BodyReader::missing(const std::string& name) {
  if (!*error_) *error_ = missingParameter(full(name)).value();
}

std::optional<std::string> BodyReader::optionalText(const std::string& name, std::size_t maximum) {
  if (!has(name)) return std::nullopt;
  if (!object_[name].is_string()) {
    invalid(name, "it must be a string");
    return std::nullopt;
  }
  std::string value = object_[name].get<std::string>();
  if (value.size() > maximum) invalid(name, fmt::format("it is longer than {} characters", maximum));
  return value;
}

std::string BodyReader::text(const std::string& name, std::size_t maximum) {
  if (!has(name)) missing(name);
  std::string value = optionalText(name, maximum).value_or("");
  if (value.empty() && has(name)) invalid(name, "it must not be empty");
  return value;
}

std::optional<std::string> BodyReader::optionalChoice(const std::string& name,
                                                      const std::vector<std::string>& allowed) {
  auto value = optionalText(name);
  if (value && std::find(allowed.begin(), allowed.end(), *value) == allowed.end())
    invalid(name, fmt::format("'{}' is not one of {}", *value, fmt::join(allowed, ", ")));
  return value;
}

std::string BodyReader::choice(const std::string& name, const std::vector<std::string>& allowed) {
  if (!has(name)) missing(name);
  return optionalChoice(name, allowed).value_or("");
}

std::optional<double> BodyReader::optionalNumber(const std::string& name, double minimum, double maximum) {
  if (!has(name)) return std::nullopt;
  if (!object_[name].is_number()) {
    invalid(name, "it must be a number");
    return std::nullopt;
  }
  const double value = object_[name].get<double>();
  if (value < minimum || value > maximum)
    invalid(name, fmt::format("{} is not within {} and {}", value, minimum, maximum));
  return value;
}

double BodyReader::number(const std::string& name, double minimum, double maximum) {
  if (!has(name)) missing(name);
  return optionalNumber(name, minimum, maximum).value_or(0);
}

std::optional<bool> BodyReader::optionalFlag(const std::string& name) {
  if (!has(name)) return std::nullopt;
  if (!object_[name].is_boolean()) {
    invalid(name, "it must be true or false");
    return std::nullopt;
  }
  return object_[name].get<bool>();
}

nlohmann::json BodyReader::textMap(const std::string& name) {
  if (!has(name)) return kNothing;
  const nlohmann::json& map = object_[name];
  if (!map.is_object()) {
    invalid(name, "it must be an object");
    return kNothing;
  }
  for (const auto& [key, value] : map.items())
    if (!value.is_string()) invalid(name + "." + key, "it must be a string");
  return map;
}

std::vector<std::string> BodyReader::textList(const std::string& name) {
  std::vector<std::string> values;
  if (!has(name)) return values;
  if (!object_[name].is_array()) {
    invalid(name, "it must be an array");
    return values;
  }
  for (const auto& value : object_[name]) {
    if (!value.is_string()) {
      invalid(name, "its elements must be strings");
      return values;
    }
    values.push_back(value.get<std::string>());
  }
  return values;
}

BodyReader BodyReader::object(const std::string& name) {
  const auto found = object_.find(name);
  if (found == object_.end() || !found->is_object()) {
    invalid(name, "it must be an object");
    return BodyReader(kNothing, full(name), error_);
  }
  return BodyReader(*found, full(name), error_);
}

BodyReader BodyReader::element(const std::string& name, std::size_t index) {
  const std::string place = fmt::format("{}[{}]", name, index);
  const nlohmann::json& one = object_[name][index];
  if (!one.is_object()) {
    invalid(place, "it must be an object");
    return BodyReader(kNothing, full(place), error_);
  }
  return BodyReader(one, full(place), error_);
}

}  // namespace lockstep::rehearsal
