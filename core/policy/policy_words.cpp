// SPDX-License-Identifier: GPL-3.0-or-later
#include "policy/policy_words.h"

#include <algorithm>
#include <array>
#include <map>
#include <sstream>

namespace lockstep {
namespace {

struct PermissionRow {
  const char *name, *type;
  PolicyVerb verb;
};
constexpr PermissionRow kPermissions[] = {
#define LOCKSTEP_PERMISSION(name, type, verb) {name, type, PolicyVerb::verb},
#include "iam/permissions.def"
};

struct FamilyRow {
  const char *name, *members;
};
constexpr FamilyRow kFamilyRows[] = {
#define LOCKSTEP_FAMILY(name, members) {name, members},
#include "iam/permissions.def"
};

constexpr const char* kOtherTypes[] = {
#define LOCKSTEP_RESOURCE_TYPE(name) name,
#include "iam/permissions.def"
};

constexpr const char* kVerbNames[] = {
#define LOCKSTEP_VERB(enumerator, word) word,
#include "iam/permissions.def"
};
constexpr std::array kVerbs{
#define LOCKSTEP_VERB(enumerator, word) PolicyVerb::enumerator,
#include "iam/permissions.def"
};

using Families = std::map<std::string, std::vector<std::string>, std::less<>>;

std::vector<std::string> wordsOf(const char* text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

const Families& families() {
  static const Families kFamilies = [] {
    Families all;
    for (const FamilyRow& row : kFamilyRows) all.emplace(row.name, wordsOf(row.members));
    return all;
  }();
  return kFamilies;
}

void addPermissions(std::vector<PolicyPermission>& all, PolicyVerb verb, std::string_view type) {
  bool isKnown = false;
  for (const PermissionRow& row : kPermissions) {
    if (type != row.type) continue;
    isKnown = true;
    if (row.verb <= verb) all.push_back({row.name, row.type, row.verb});
  }
  if (isKnown) return;
  for (const PolicyVerb step : kVerbs)
    if (step <= verb) all.push_back({"", std::string(type), step});
}

std::vector<std::string> knownTypes() {
  std::vector<std::string> types(std::begin(kOtherTypes), std::end(kOtherTypes));
  for (const PermissionRow& row : kPermissions) types.emplace_back(row.type);
  for (const auto& [family, members] : families()) {
    types.push_back(family);
    types.insert(types.end(), members.begin(), members.end());
  }
  std::ranges::sort(types);
  types.erase(std::unique(types.begin(), types.end()), types.end());  // clang 14 has no std::ranges::unique
  return types;
}

const std::vector<std::string>& typesKnown() {
  static const std::vector<std::string> kKnown = knownTypes();
  return kKnown;
}

// How many letters must be added, left out or changed.
std::size_t editsBetween(std::string_view a, std::string_view b) {
  std::vector<std::size_t> last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t changed = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({changed, last[j] + 1, row[j - 1] + 1});
    }
    std::swap(last, row);
  }
  return last.back();
}

}  // namespace

const char* toString(PolicyVerb verb) {
  return kVerbNames[static_cast<std::size_t>(verb)];
}

std::string lowerCased(std::string_view word) {
  std::string text(word);
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

bool isSameWord(std::string_view a, std::string_view b) {
  return a.size() == b.size() && lowerCased(a) == lowerCased(b);
}

std::optional<PolicyVerb> policyVerbNamed(std::string_view word) {
  for (const PolicyVerb verb : kVerbs)
    if (isSameWord(word, toString(verb))) return verb;
  return std::nullopt;
}

std::vector<PolicyPermission> permissionsOf(PolicyVerb verb, std::string_view resourceType) {
  std::vector<PolicyPermission> all;
  if (resourceType == "all-resources") {
    for (const PermissionRow& row : kPermissions)
      if (row.verb <= verb) all.push_back({row.name, row.type, row.verb});
    addPermissions(all, verb, "all-resources");  // stands for the types that we do not know
    return all;
  }
  const auto family = families().find(resourceType);
  if (family == families().end()) {
    addPermissions(all, verb, resourceType);
    return all;
  }
  for (const std::string& member : family->second) addPermissions(all, verb, member);
  return all;
}

std::optional<PolicyPermission> permissionNamed(std::string_view name) {
  for (const PermissionRow& row : kPermissions)
    if (isSameWord(row.name, name)) return PolicyPermission{row.name, row.type, row.verb};
  return std::nullopt;
}

bool coversResourceType(std::string_view granted, std::string_view wanted) {
  if (granted == wanted || granted == "all-resources") return true;
  const auto family = families().find(granted);
  return family != families().end() && std::ranges::find(family->second, wanted) != family->second.end();
}

bool isKnownResourceType(std::string_view word) {
  return std::ranges::binary_search(typesKnown(), word);
}

std::optional<std::string> likelyResourceType(std::string_view word) {
  std::optional<std::string> best;
  std::size_t max = std::max<std::size_t>(2, word.size() / 4) + 1;
  for (const std::string& type : typesKnown()) {
    const std::size_t edits = editsBetween(word, type);
    if (edits >= max) continue;
    max = edits;
    best = type;
  }
  return best;
}

}  // namespace lockstep
