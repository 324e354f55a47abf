// SPDX-License-Identifier: GPL-3.0-or-later
#include "cluster/reading/issue_causes.h"

#include <algorithm>
#include <map>
#include <optional>

#include "cluster/reading/train_yaml_keys.h"

namespace lockstep {
namespace {

using Element = FieldPath::Element;
/// Mappings with keys that nothing reads, and where the issues about those stand.
using UnknownKeys = std::multimap<FieldPath, std::size_t>;

constexpr const char* kUnknownKey = "unknown-key";

UnknownKeys unknownKeysOf(const std::vector<Issue>& issues) {
  UnknownKeys keys;
  for (std::size_t i = 0; i < issues.size(); ++i)
    if (issues[i].code == kUnknownKey && !issues[i].field.empty()) keys.emplace(issues[i].field.parent(), i);
  return keys;
}

/// The uppermost part of a path that the document does not have; the empty path when it has all of it.
FieldPath missingPart(const FieldPath& field, const YamlTree& tree) {
  FieldPath missing;
  for (FieldPath at = field; !at.empty() && !tree.find(at); at = at.parent()) missing = at;
  return missing;
}

std::optional<std::size_t> causeOf(const Issue& issue, const std::vector<Issue>& issues,
                                   const UnknownKeys& unknown, const YamlTree& tree) {
  if (issue.code == kUnknownKey) return std::nullopt;
  const FieldPath missing = missingPart(issue.field, tree);
  if (missing.empty()) return std::nullopt;
  const auto* wanted = std::get_if<std::string>(&missing.elements().back());
  const auto [first, last] = unknown.equal_range(missing.parent());
  for (auto at = first; at != last && wanted; ++at) {
    const auto* given = std::get_if<std::string>(&issues[at->second].field.elements().back());
    if (given && isSlip(*given, *wanted)) return at->second;
  }
  return std::nullopt;
}

}  // namespace

void putCausesFirst(std::vector<Issue>& issues, const YamlTree& tree) {
  const UnknownKeys unknown = unknownKeysOf(issues);
  if (unknown.empty()) return;
  std::vector<std::vector<std::size_t>> results(issues.size());
  std::vector<bool> follows(issues.size(), false);
  for (std::size_t i = 0; i < issues.size(); ++i) {
    const auto cause = causeOf(issues[i], issues, unknown, tree);
    if (!cause) continue;
    results[*cause].push_back(i);
    follows[i] = true;
    issues[i].fix.reset();
    issues[i].remedy = "see " + issues[*cause].field.toString() + " first: it may be what is meant";
  }
  std::vector<Issue> sorted;
  sorted.reserve(issues.size());
  for (std::size_t i = 0; i < issues.size(); ++i) {
    if (follows[i]) continue;
    sorted.push_back(std::move(issues[i]));
    for (const std::size_t result : results[i]) sorted.push_back(std::move(issues[result]));
  }
  issues = std::move(sorted);
}

}  // namespace lockstep
