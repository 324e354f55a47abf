// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "cluster/spec/cluster_spec.h"

namespace lockstep {

/// Environment variables in the order in which they were first set: setting one again replaces its value and
/// keeps its place, as a Python dict does.
class Environment {
 public:
  Environment() = default;
  explicit Environment(const std::vector<EnvVar>& variables) { set(variables); }

  void set(const std::string& name, std::string value);
  void set(const std::vector<EnvVar>& variables);
  void erase(std::string_view name);
  /// nullptr: there is none of that name.
  [[nodiscard]] const std::string* find(std::string_view name) const;
  [[nodiscard]] const std::vector<EnvVar>& variables() const { return variables_; }
  [[nodiscard]] nlohmann::ordered_json toJson() const;

 private:
  [[nodiscard]] std::size_t placeOf(std::string_view name) const;
  void indexAll();

  std::vector<EnvVar> variables_;
  std::unordered_map<std::string, std::size_t> places_;  // only once there are many
};

}  // namespace lockstep
