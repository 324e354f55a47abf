// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/json_fields.h"

#include <limits>

namespace lockstep {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

/// nullptr: missing. Of what is no object, find() answers end().
template <class Json>
const Json* member(const Json& object, std::string_view key) {
  const auto found = object.find(key);
  return found == object.end() ? nullptr : &*found;
}

template <class Json>
std::string textOf(const Json* value, std::string_view otherwise) {
  return value != nullptr && value->is_string() ? value->template get<std::string>() : std::string(otherwise);
}

template <class Json>
const Json& objectOrEmpty(const Json* value) {
  static const Json kNone = Json::object();
  return value != nullptr && value->is_object() ? *value : kNone;
}

}  // namespace

std::string stringField(const json& object, std::string_view key, std::string_view otherwise) {
  return textOf(member(object, key), otherwise);
}

std::string stringField(const ordered_json& object, std::string_view key, std::string_view otherwise) {
  return textOf(member(object, key), otherwise);
}

std::optional<std::int64_t> wholeNumber(const json& value) {
  if (!value.is_number_integer()) return std::nullopt;
  // An unsigned number beyond the signed ones would come out negative.
  constexpr auto kMax = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (value.is_number_unsigned() && value.get<std::uint64_t>() > kMax) return std::nullopt;
  return value.get<std::int64_t>();
}

std::optional<std::int64_t> integerField(const json& object, std::string_view key) {
  const json* value = member(object, key);
  return value == nullptr ? std::nullopt : wholeNumber(*value);
}

std::optional<double> numberField(const json& object, std::string_view key) {
  const json* value = member(object, key);
  return value != nullptr && value->is_number() ? std::optional(value->get<double>()) : std::nullopt;
}

bool boolField(const json& object, std::string_view key, bool otherwise) {
  const json* value = member(object, key);
  return value != nullptr && value->is_boolean() ? value->get<bool>() : otherwise;
}

const json& objectField(const json& object, std::string_view key) {
  return objectOrEmpty(member(object, key));
}

const ordered_json& objectField(const ordered_json& object, std::string_view key) {
  return objectOrEmpty(member(object, key));
}

const json& arrayField(const json& object, std::string_view key) {
  static const json kNone = json::array();
  const json* value = member(object, key);
  return value != nullptr && value->is_array() ? *value : kNone;
}

}  // namespace lockstep
