// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/iam/policy_engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "base/time_text.h"
#include "rehearsal/iam/policy_scanner.h"
#include "rehearsal/state/resources.h"
#include "rehearsal/state/well_known.h"
#include "rehearsal/support/wildcard.h"

namespace lockstep::rehearsal {
namespace {

bool matchesAny(const PolicyCondition& test, const std::vector<std::string>& actual,
                const PolicyVariables& variables) {
  for (const PolicyCondition::Value& value : test.values) {
    const std::vector<std::string> wanted =
        value.isVariable ? variables.valuesOf(value.text) : std::vector<std::string>{value.text};
    for (const std::string& pattern : wanted)
      for (const std::string& text : actual)
        if (matchesWildcardInAnyCase(pattern, text)) return true;
  }
  return false;
}

// Seconds may be left out, hours may have one digit, and a date may stand alone (Restricting Access to
// Resources Based on Time Frame). What comes out orders as the times do.
std::string comparableTime(const std::string& text) {
  const std::size_t mark = text.find('T');
  const bool hasDate = text.find('-') != std::string::npos;
  std::string date = hasDate ? text.substr(0, mark) : std::string();
  if (date.ends_with('Z')) date.pop_back();
  const std::string time = mark != std::string::npos ? text.substr(mark + 1) : hasDate ? std::string() : text;
  int hour = 0, minute = 0, second = 0;
  std::sscanf(time.c_str(), "%d:%d:%d", &hour, &minute, &second);
  return fmt::format("{}T{:02}:{:02}:{:02}", date, hour, minute, second);
}

bool holdsTest(const PolicyCondition& test, const PolicyVariables& variables) {
  using Operator = PolicyCondition::Operator;
  const std::vector<std::string> actual = variables.valuesOf(test.variable);
  if (actual.empty()) return false;
  switch (test.op) {
    case Operator::Exists:
      return true;
    case Operator::Equal:
    case Operator::In:
      return matchesAny(test, actual, variables);
    case Operator::NotEqual:
    case Operator::NotIn:
      return !matchesAny(test, actual, variables);
    case Operator::Before:
      return comparableTime(actual.front()) < comparableTime(test.values.front().text);
    case Operator::After:
      return comparableTime(actual.front()) > comparableTime(test.values.front().text);
    case Operator::Between:
      return comparableTime(actual.front()) >= comparableTime(test.values.front().text) &&
             comparableTime(actual.front()) <= comparableTime(test.values.back().text);
  }
  return false;
}

/// What the where-clause of a statement may ask of a request.
class RequestVariables final : public PolicyVariables {
 public:
  RequestVariables(const PolicyQuestion& question, const PolicyBook::Place& place,
                   const PolicyBook::Member& member, const char* permission)
      : question_(question), place_(place), member_(member), permission_(permission) {}

  [[nodiscard]] std::vector<std::string> valuesOf(const std::string& variable) const override {
    if (const auto fact = question_.facts.find(variable); fact != question_.facts.end())
      return {fact->second};
    if (variable == "target.compartment.id") return {place_.id};
    if (variable == "target.compartment.name") return {place_.name};
    if (variable == "request.operation") return {question_.operation};
    if (variable == "request.permission") return {permission_};
    if (variable == "request.region") return {kRegionKey};
    if (variable.starts_with("request.principal.")) return principalValue(variable.substr(18));
    if (variable.starts_with("request.utc-timestamp")) return timeValue(variable.substr(21));
    if (variable == "request.groups.id") return {member_.groups.begin(), member_.groups.end()};
    if (question_.principal.kind == Principal::Kind::User) {
      if (variable == "request.user.id") return {question_.principal.id};
      if (variable == "request.user.name") return {member_.name};
    }
    return {};
  }

 private:
  [[nodiscard]] std::vector<std::string> principalValue(const std::string& name) const {
    const Principal& p = question_.principal;
    if (name == "id") return {p.id};
    if (name == "type")
      return {p.kind == Principal::Kind::User      ? "user"
              : p.kind == Principal::Kind::JobRun  ? kind::kJobRun
              : p.kind == Principal::Kind::Service ? "service"
                                                   : "instance"};
    if (name == "compartment.id" && !p.compartmentId.empty()) return {p.compartmentId};
    return {};
  }
  [[nodiscard]] std::vector<std::string> timeValue(const std::string& part) const {
    const std::string text = toRfc3339(question_.now);  // 2026-01-31T23:59:59.000Z
    if (part.empty()) return {text};
    if (part == ".month-of-year") return {std::to_string(std::atoi(text.substr(5, 2).c_str()))};
    if (part == ".day-of-month") return {std::to_string(std::atoi(text.substr(8, 2).c_str()))};
    if (part == ".year") return {text.substr(0, 4)};
    if (part == ".time-of-day") return {text.substr(11, 8) + "Z"};
    if (part != ".day-of-week") return {};
    static constexpr const char* names[] = {"sunday",   "monday", "tuesday", "wednesday",
                                            "thursday", "friday", "saturday"};
    const std::chrono::weekday day{std::chrono::floor<std::chrono::days>(question_.now)};
    return {names[day.c_encoding()]};
  }

  const PolicyQuestion& question_;
  const PolicyBook::Place& place_;
  const PolicyBook::Member& member_;
  const char* permission_;
};

bool names(const PolicyStatement& statement, const PermissionWord& permission) {
  if (statement.resourceType.empty())
    return std::ranges::find(statement.permissions, permission.name) != statement.permissions.end();
  return statement.verb >= permission.verb &&
         coversResourceType(statement.resourceType, permission.resourceType);
}

/// One decision under way.
struct Decider {
  const PolicyQuestion& question;
  const PolicyBook& book;
  const PolicyBook::Place& place;
  const PolicyBook::Member& member;

  [[nodiscard]] const PolicyInForce* granting(const PermissionWord& permission) const {
    for (const PolicyInForce* entry : member.mine)
      if (names(entry->statement, permission) && isHere(*entry) && isMet(*entry, permission)) return entry;
    return nullptr;
  }
  [[nodiscard]] bool isHere(const PolicyInForce& entry) const {
    return !entry.locationId.empty() && book.isWithin(place, entry.locationId);
  }
  [[nodiscard]] bool isMet(const PolicyInForce& entry, const PermissionWord& permission) const {
    if (!entry.statement.where) return true;
    return holds(*entry.statement.where, RequestVariables(question, place, member, permission.name));
  }
};

std::string quoted(const PolicyInForce& entry) {
  return fmt::format("\"{}\" of the policy {}", entry.text, entry.policyName);
}

// Statements that speak of this permission's resource type and yet do not grant it, each with its reason.
std::vector<std::string> nearMissesOf(const Decider& decider, const PermissionWord& permission) {
  std::vector<std::string> misses;
  for (const PolicyInForce& entry : decider.book.statementsOf(decider.question.principal.tenancyId)) {
    const PolicyStatement& s = entry.statement;
    const bool isNamed = names(s, permission);
    if (!isNamed && (s.resourceType.empty() || !coversResourceType(s.resourceType, permission.resourceType)))
      continue;
    const bool isMine = std::ranges::find(decider.member.mine, &entry) != decider.member.mine.end();
    if (!isMine)
      misses.push_back(quoted(entry) + " is for another subject");
    else if (!isNamed)
      misses.push_back(fmt::format("{} has the verb {}, and {} is needed", quoted(entry), nameOf(s.verb),
                                   nameOf(permission.verb)));
    else if (entry.locationId.empty())
      misses.push_back(quoted(entry) + " names a compartment that does not exist");
    else if (!decider.isHere(entry))
      misses.push_back(quoted(entry) + " is about another compartment");
    else
      misses.push_back(quoted(entry) + " has a where-clause that this request does not meet");
  }
  return misses;
}

}  // namespace

bool holds(const PolicyCondition& condition, const PolicyVariables& variables) {
  const auto part = [&](const PolicyCondition& c) { return holds(c, variables); };
  switch (condition.kind) {
    case PolicyCondition::Kind::All:
      return std::ranges::all_of(condition.parts, part);
    case PolicyCondition::Kind::Any:
      return std::ranges::any_of(condition.parts, part);
    case PolicyCondition::Kind::Test:
      return holdsTest(condition, variables);
  }
  return false;
}

bool isGranted(Transaction& transaction, const PolicyQuestion& question) {
  PolicyBook& book = PolicyBook::of(transaction);
  const auto* place = book.placeOf(question.compartmentId);
  if (place == nullptr || place->tenancy != question.principal.tenancyId) return false;
  const Decider decider{question, book, *place, book.memberOf(transaction, question.principal)};
  return std::ranges::all_of(question.needs, [&](const auto& alternatives) {
    return std::ranges::any_of(alternatives, [&](const auto* p) { return decider.granting(*p) != nullptr; });
  });
}

PolicyExplanation explain(Transaction& transaction, const PolicyQuestion& question) {
  PolicyExplanation explanation;
  PolicyBook& book = PolicyBook::of(transaction);
  const auto* place = book.placeOf(question.compartmentId);
  if (place == nullptr || place->tenancy != question.principal.tenancyId) {
    explanation.reason =
        fmt::format("'{}' is no compartment of the principal's tenancy", question.compartmentId);
    return explanation;
  }
  const Decider decider{question, book, *place, book.memberOf(transaction, question.principal)};
  explanation.allowed = true;
  for (const auto& alternatives : question.needs) {
    PolicyExplanation::Need need;
    for (const PermissionWord* permission : alternatives) {
      need.alternatives.emplace_back(permission->name);
      if (need.granted == nullptr) need.granted = decider.granting(*permission);
    }
    if (need.granted == nullptr) {
      explanation.allowed = false;
      for (const PermissionWord* permission : alternatives)
        for (std::string& miss : nearMissesOf(decider, *permission))
          need.nearMisses.push_back(std::move(miss));
    }
    explanation.needs.push_back(std::move(need));
  }
  return explanation;
}

}  // namespace lockstep::rehearsal
