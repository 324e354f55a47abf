// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "cluster/checks/check_parts.h"

namespace lockstep {
namespace {

constexpr int kMaxDepth = 10;  // ads-contract 2.4

/// The text between "${" and "}"; what follows `at` is left to the caller.
struct Reference {
  std::string_view name;
  std::size_t end = 0;  // behind the '}'
  bool isProper = true;
};

/// The next reference at or behind `at`; nullopt when there is none any more.
std::optional<Reference> nextReference(std::string_view value, std::size_t at) {
  for (at = value.find('$', at); at != std::string_view::npos && at + 1 < value.size();
       at = value.find('$', at)) {
    if (value[at + 1] != '{') {
      at += value[at + 1] == '$' ? 2 : 1;
      continue;
    }
    const std::size_t close = value.find('}', at);
    if (close == std::string_view::npos) return Reference{{}, value.size(), false};
    const std::string_view name = value.substr(at + 2, close - at - 2);
    const bool proper = !name.empty() && std::count(name.begin(), name.end(), ':') <= 1;
    return Reference{name, close + 1, proper};
  }
  return std::nullopt;
}

/// One variable of the job, and those of its references that have to be expanded themselves.
struct Expansion {
  const EnvList* list = nullptr;
  const ListedVariable* variable = nullptr;
  std::vector<std::size_t> targets;
  bool isDeep = true;  // whether it needs more levels than were counted so far
};

/// The variables of the job, which are expanded when it is created. Run overrides are sent as they are.
class Interpolation {
 public:
  explicit Interpolation(const CheckContext& c) : c_(c) {
    for (const EnvList& list : c.env.lists()) {
      if (list.scope == EnvScope::Role) continue;
      for (const ListedVariable& v : list.variables) byName_[v.name] = {&list, &v};
    }
  }

  void check() {
    for (const EnvList& list : c_.env.lists()) {
      if (list.scope == EnvScope::Role) continue;
      for (const ListedVariable& v : list.variables) {
        if (v.value.find('$') == std::string::npos || !checkForm(list, v)) continue;
        if (byName_[v.name].second != &v) continue;  // a later one of that name counts
        places_[v.name] = expansions_.size();
        expansions_.push_back({&list, &v, {}});
      }
    }
    for (Expansion& e : expansions_) findTargets(e);
    countLevels();
    for (std::size_t i = 0; i < expansions_.size(); ++i)
      if (expansions_[i].isDeep) report(i);
  }

 private:
  /// What a `${` that begins no proper reference does: `ads`, and so the plan, refuses it.
  bool checkForm(const EnvList& list, const ListedVariable& v) {
    for (auto next = nextReference(v.value, 0); next; next = nextReference(v.value, next->end)) {
      if (next->isProper) continue;
      c_.issues.error("env-reference", list.valueOf(v),
                      fmt::format("{} is {}, and '${{' begins no reference to another variable there", v.name,
                                  shown(v.value)),
                      "write ${NAME}, or $$ where you mean a dollar sign");
      return false;
    }
    return true;
  }

  void findTargets(Expansion& e) {
    const std::string& value = e.variable->value;
    for (auto next = nextReference(value, 0); next; next = nextReference(value, next->end)) {
      std::string_view name = next->name;
      if (const std::size_t colon = name.find(':'); colon != std::string_view::npos) {
        if (name.substr(0, colon) != "envs") return;
        name.remove_prefix(colon + 1);
      }
      if (!byName_.contains(name)) return;  // the rest of the value stays as it is
      if (const auto place = places_.find(name); place != places_.end()) e.targets.push_back(place->second);
    }
  }

  /// Each round asks which variables need one level more than the round before; what is left after the last
  /// one is refused. A circle needs every number of levels.
  void countLevels() {
    for (int level = 1; level <= kMaxDepth; ++level) {
      std::vector<bool> deep(expansions_.size());
      for (std::size_t i = 0; i < expansions_.size(); ++i) {
        const auto& targets = expansions_[i].targets;
        deep[i] = std::any_of(targets.begin(), targets.end(),
                              [&](std::size_t target) { return expansions_[target].isDeep; });
      }
      for (std::size_t i = 0; i < expansions_.size(); ++i) expansions_[i].isDeep = deep[i];
    }
  }

  void report(std::size_t index) {
    const auto& [list, variable, targets, isDeep] = expansions_[index];
    const std::string what = fmt::format("{} is {}", variable->name, shown(variable->value));
    if (comesBack(index))
      c_.issues.error("env-loop", list->valueOf(*variable), what + ", which refers to itself in the end",
                      "write $$ where you mean a dollar sign, or break the circle");
    else
      c_.issues.error("env-nesting", list->valueOf(*variable),
                      fmt::format("{}, whose references are nested deeper than {} levels", what, kMaxDepth),
                      "refer to the innermost variable");
  }

  /// Whether following the references leads back to where it began.
  [[nodiscard]] bool comesBack(std::size_t start) const {
    if (c_.issues.isFull()) return false;
    std::vector<std::size_t> open{start};
    std::vector<bool> seen(expansions_.size());
    while (!open.empty()) {
      const std::size_t at = open.back();
      open.pop_back();
      for (const std::size_t target : expansions_[at].targets) {
        if (target == start) return true;
        if (!seen[target]) open.push_back(target);
        seen[target] = true;
      }
    }
    return false;
  }

  const CheckContext& c_;
  std::unordered_map<std::string_view, std::pair<const EnvList*, const ListedVariable*>> byName_;
  std::unordered_map<std::string_view, std::size_t> places_;  // of those with references, in expansions_
  std::vector<Expansion> expansions_;
};

}  // namespace

void checkEnvReferences(const CheckContext& context) {
  Interpolation(context).check();
}

}  // namespace lockstep
