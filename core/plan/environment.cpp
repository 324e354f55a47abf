// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/environment.h"

#include <algorithm>

namespace lockstep {
namespace {

constexpr std::size_t kFew = 32;  // up to here a walk is faster than a table
constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);

}  // namespace

std::size_t Environment::placeOf(std::string_view name) const {
  if (variables_.size() > kFew) {
    const auto found = places_.find(std::string(name));
    return found == places_.end() ? kNowhere : found->second;
  }
  for (std::size_t i = 0; i < variables_.size(); ++i) {
    if (variables_[i].name == name) return i;
  }
  return kNowhere;
}

const std::string* Environment::find(std::string_view name) const {
  const std::size_t place = placeOf(name);
  return place == kNowhere ? nullptr : &variables_[place].value;
}

void Environment::set(const std::string& name, std::string value) {
  if (const std::size_t place = placeOf(name); place != kNowhere) {
    variables_[place].value = std::move(value);
    return;
  }
  variables_.push_back({name, std::move(value)});
  if (variables_.size() > kFew + 1) {
    places_.emplace(name, variables_.size() - 1);
  } else if (variables_.size() == kFew + 1) {
    indexAll();
  }
}

void Environment::set(const std::vector<EnvVar>& variables) {
  for (const EnvVar& variable : variables) set(variable.name, variable.value);
}

void Environment::erase(std::string_view name) {
  const std::size_t place = placeOf(name);
  if (place == kNowhere) return;
  variables_.erase(variables_.begin() + static_cast<std::ptrdiff_t>(place));
  if (variables_.size() > kFew) indexAll();
}

void Environment::indexAll() {
  places_.clear();
  for (std::size_t i = 0; i < variables_.size(); ++i) places_.emplace(variables_[i].name, i);
}

nlohmann::ordered_json Environment::toJson() const {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  auto& members = json.get_ref<nlohmann::ordered_json::object_t&>();
  members.reserve(variables_.size());
  for (const EnvVar& variable : variables_) members.emplace_back(variable.name, variable.value);
  return json;
}

}  // namespace lockstep
