// SPDX-License-Identifier: GPL-3.0-or-later
#include "oci/calls/answer_fields.h"

#include <limits>

#include "base/bounds.h"
#include "base/json_fields.h"
#include "base/time_text.h"

namespace lockstep::oci {

using nlohmann::json;

namespace {

constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();

}  // namespace

AnswerFields::AnswerFields(const json& object, std::string place, std::string& flaw)
    : object_(object), place_(std::move(place)), flaw_(flaw) {
  if (object_.is_object() || !flaw_.empty()) return;
  flaw_ = (place_.empty() ? "its body" : place_) + " is no object";
}

std::string AnswerFields::placeOf(const char* key) const {
  return place_.empty() ? key : place_ + "." + key;
}

void AnswerFields::note(const char* key, const std::string& what) {
  if (flaw_.empty()) flaw_ = placeOf(key) + " " + what;
}

const json* AnswerFields::find(const char* key) {
  if (!object_.is_object()) return nullptr;
  const auto it = object_.find(key);
  return it == object_.end() || it->is_null() ? nullptr : &*it;
}

const json* AnswerFields::find(const char* key, json::value_t type, const char* kind) {
  const json* found = find(key);
  if (found == nullptr || found->type() == type) return found;
  note(key, std::string("is no ") + kind);
  return nullptr;
}

std::string AnswerFields::text(const char* key) {
  const json* found = find(key, json::value_t::string, "text");
  if (found == nullptr) note(key, "is missing");
  return found == nullptr ? std::string() : found->get<std::string>();
}

std::string AnswerFields::textOr(const char* key, std::string other) {
  const json* found = find(key, json::value_t::string, "text");
  return found == nullptr ? std::move(other) : found->get<std::string>();
}

bool AnswerFields::flag(const char* key, bool other) {
  const json* found = find(key, json::value_t::boolean, "boolean");
  return found == nullptr ? other : found->get<bool>();
}

std::optional<std::int64_t> AnswerFields::maybeNumber(const char* key) {
  const json* found = find(key);
  if (found == nullptr) return std::nullopt;
  const auto whole =
      found->is_number_float() ? integerIn(found->get<double>(), kMin, kMax) : wholeNumber(*found);
  if (!whole) note(key, found->is_number() ? "is a number beyond 64 bits" : "is no number");
  return whole;
}

std::int64_t AnswerFields::number(const char* key, std::int64_t other) {
  return maybeNumber(key).value_or(other);
}

std::optional<double> AnswerFields::maybeReal(const char* key) {
  const json* found = find(key);
  if (found == nullptr) return std::nullopt;
  if (found->is_number()) return found->get<double>();
  note(key, "is no number");
  return std::nullopt;
}

double AnswerFields::real(const char* key) {
  const auto value = maybeReal(key);
  if (!value) note(key, "is missing");
  return value.value_or(0);
}

std::optional<TimePoint> AnswerFields::maybeTime(const char* key) {
  const json* found = find(key, json::value_t::string, "text");
  if (found == nullptr) return std::nullopt;
  const auto time = parseRfc3339(found->get_ref<const std::string&>());
  if (!time) note(key, "is no time");
  return time;
}

std::vector<std::string> AnswerFields::texts(const char* key) {
  std::vector<std::string> all;
  const json* items = find(key, json::value_t::array, "list");
  for (std::size_t i = 0; items != nullptr && i < items->size(); ++i) {
    const json& item = (*items)[i];
    if (!item.is_string()) note(key, "has an item that is no text");
    all.push_back(item.is_string() ? item.get<std::string>() : std::string());
  }
  return all;
}

std::map<std::string, std::string> AnswerFields::textMap(const char* key) {
  std::map<std::string, std::string> all;
  const json* object = find(key, json::value_t::object, "object");
  if (object == nullptr) return all;
  for (const auto& [name, value] : object->items()) {
    if (value.is_string())
      all[name] = value.get<std::string>();
    else if (!value.is_null())
      all[name] = value.dump();
  }
  return all;
}

}  // namespace lockstep::oci
