// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/iam/policy_words.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <utility>

#include "rehearsal/iam/policy_scanner.h"

namespace lockstep::rehearsal {
namespace {

using enum PolicyVerb;

constexpr PermissionWord kPermissions[] = {
#define LOCKSTEP_PERMISSION(name, resourceType, verb) {name, resourceType, verb},
#include "iam/permissions.def"
};

constexpr std::pair<const char*, const char*> kFamilies[] = {
#define LOCKSTEP_FAMILY(name, members) {name, members},
#include "iam/permissions.def"
};

constexpr const char* kOtherTypes[] = {
#define LOCKSTEP_RESOURCE_TYPE(name) name,
#include "iam/permissions.def"
};

const std::map<std::string, std::set<std::string>, std::less<>>& families() {
  static const auto all = [] {
    std::map<std::string, std::set<std::string>, std::less<>> map;
    for (const auto& [family, members] : kFamilies) {
      std::istringstream words(members);
      map[family] = {std::istream_iterator<std::string>(words), {}};
    }
    return map;
  }();
  return all;
}

const std::set<std::string, std::less<>>& resourceTypes() {
  static const auto all = [] {
    std::set<std::string, std::less<>> types(std::begin(kOtherTypes), std::end(kOtherTypes));
    for (const auto& [family, members] : families()) {
      types.insert(family);
      types.insert(members.begin(), members.end());
    }
    for (const PermissionWord& permission : kPermissions) types.insert(permission.resourceType);
    return types;
  }();
  return all;
}

// Levenshtein's distance.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t changed = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({changed, row[j + 1] + 1, row[j] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::span<const PermissionWord> permissionWords() {
  return kPermissions;
}

const PermissionWord* findPermission(std::string_view name) {
  const auto found =
      std::ranges::find_if(kPermissions, [name](const PermissionWord& p) { return sameWord(p.name, name); });
  return found == std::end(kPermissions) ? nullptr : found;
}

const PermissionWord* permissionOf(PolicyVerb verb, std::string_view resourceType) {
  const auto found = std::ranges::find_if(kPermissions, [&](const PermissionWord& p) {
    return p.verb == verb && p.resourceType == resourceType;
  });
  return found == std::end(kPermissions) ? nullptr : found;
}

bool isResourceType(std::string_view word) {
  return resourceTypes().contains(word);
}

bool coversResourceType(std::string_view granted, std::string_view wanted) {
  if (granted == "all-resources" || granted == wanted) return true;
  const auto family = families().find(granted);
  return family != families().end() && family->second.contains(std::string(wanted));
}

std::optional<std::string> nearestResourceType(std::string_view word) {
  std::optional<std::string> best;
  std::size_t min = std::max<std::size_t>(2, word.size() / 3) + 1;
  for (const std::string& type : resourceTypes()) {
    const std::size_t d = distance(word, type);
    if (d >= min) continue;
    min = d;
    best = type;
  }
  return best;
}

}  // namespace lockstep::rehearsal
