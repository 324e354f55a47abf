// SPDX-License-Identifier: GPL-3.0-or-later
#include "setup/policies/policies_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace lockstep {
namespace {

using State = ReviewedStatement::State;
using Cell = ReportTable::Cell;

StepState stateOf(State state) {
  switch (state) {
    case State::Have:
      return StepState::Ready;
    case State::Missing:
      return StepState::Blocked;
    case State::Unknown:
      break;
  }
  return StepState::Warning;
}

const PoliciesReview::Broad* broadAmong(const std::vector<const AttachedStatement*>& by,
                                        const PoliciesReview& review) {
  for (const PoliciesReview::Broad& one : review.broad)
    if (std::ranges::find(by, one.statement) != by.end()) return &one;
  return nullptr;
}

Cell stateCell(const ReviewedStatement& one, const PoliciesReview& review) {
  constexpr std::array kWords{"have", "missing", "not known"};
  Cell cell{kWords[static_cast<std::size_t>(one.state)], stateOf(one.state), {}};
  if (const auto* broad = broadAmong(one.coverage.by, review)) {
    cell.text += ", broader than needed";
    cell.detail = excessText(broad->excess);
    if (broad->isUnsafe) cell.state = StepState::Warning;
  }
  return cell;
}

Cell linesCell(const ReviewedStatement& one) {
  Cell cell;
  for (const AttachedStatement* statement : one.coverage.by) {
    cell.text += (cell.text.empty() ? "" : "; ") + lineName(*statement);
    cell.detail += (cell.detail.empty() ? "" : "\n") + statement->text;
  }
  return cell;
}

ReportTable needsTable(const PolicySnapshot& snapshot, const PoliciesReview& review) {
  ReportTable table{"What training needs", {"state", "who", "may", "in", "granted by", "why"}, {}};
  for (const ReviewedStatement& one : review.statements)
    table.rows.push_back(
        {stateCell(one, review),
         {one.need.who.title, StepState::Unknown, toText(one.required.statement.subject)},
         {grantAndCondition(one.required.statement), StepState::Unknown, toText(one.required.statement)},
         {placeName(snapshot, one.need.compartmentId), StepState::Unknown, one.need.compartmentId},
         linesCell(one),
         {one.required.reason, StepState::Unknown, one.required.moreAsked}});
  return table;
}

ReportTable copyTable(const PoliciesReview& review) {
  ReportTable table{"Statements to copy", {"statement"}, {}};
  const JobRunsGroup& group = review.jobRuns;
  if (group.isNeeded && group.state != JobRunsGroup::State::Found)
    table.rows.push_back({{fmt::format("dynamic group '{}' with the rule: {}", group.name, group.rule)}});
  for (const RequiredStatement& one : review.notGranted())
    table.rows.push_back({{toText(one.statement), StepState::Unknown, one.reason}});
  return table;
}

ReportTable broadTable(const PoliciesReview& review) {
  ReportTable table{"Broader than needed", {"policy, line", "statement", "grants more"}, {}};
  for (const PoliciesReview::Broad& one : review.broad)
    table.rows.push_back(
        {{lineName(*one.statement), one.isUnsafe ? StepState::Warning : StepState::Unknown, {}},
         {one.statement->text},
         {excessText(one.excess)}});
  return table;
}

std::string oddity(const AttachedStatement& one) {
  if (!one.parsed) return describe(one.text, one.parsed.error());
  std::string text;
  for (const PolicyMistake& doubt : one.parsed->doubts)
    text += (text.empty() ? "" : "; ") + describe(one.text, doubt);
  using Effect = PolicyStatement::Effect;
  if (one.parsed->effect != Effect::Allow && one.parsed->effect != Effect::Deny)
    text = "is about other tenancies, and not compared";
  return text;
}

ReportTable oddTable(const PolicySnapshot& snapshot) {
  ReportTable table{"Statements that cannot be compared", {"policy, line", "statement", "why"}, {}};
  for (const AttachedStatement& one : snapshot.statements)
    if (std::string why = oddity(one); !why.empty())
      table.rows.push_back({{lineName(one), one.parsed ? StepState::Unknown : StepState::Warning, {}},
                            {one.text},
                            {std::move(why)}});
  return table;
}

bool speaksOfPeopleAlike(const PolicySubject& subject, const PolicyPrincipal& who) {
  const bool isGroup = subject.kind == PolicySubject::Kind::Group;
  if (isGroup || subject.kind == PolicySubject::Kind::DynamicGroup) {
    for (const PolicySubject::Name& name : subject.names)
      if (who.groups.contains(name.isId ? name.text : groupKey(name.text, name.domain))) return true;
  }
  return isGroup ? who.kind == PolicyPrincipal::Kind::User
                 : subject.kind == PolicySubject::Kind::DynamicGroup &&
                       who.kind == PolicyPrincipal::Kind::Resource;
}

}  // namespace

std::string placeName(const PolicySnapshot& snapshot, const std::string& id) {
  return id == snapshot.tree.tenancyId() ? "the tenancy" : "compartment '" + snapshot.tree.nameOf(id) + "'";
}

std::string lineName(const AttachedStatement& one) {
  return fmt::format("policy '{}', line {}", one.policyName, one.line);
}

std::string grantAndCondition(const PolicyStatement& s) {
  return grantText(s) + (s.where ? " where " + toText(*s.where) : "");
}

std::string excessText(const Excess& excess) {
  std::string text;
  const auto add = [&](bool is, const char* what) {
    if (is) text += (text.empty() ? "" : ", ") + std::string(what);
  };
  add(excess.inSubject, "to more than these people");
  add(excess.inType, "on more resource types");
  add(excess.inVerb, "with a stronger verb");
  add(excess.inPlace, "in more places");
  add(excess.inCondition, "on more than these buckets or repositories");
  return text;
}

// A statement for somebody else is only worth a word when it is for the same kind of people, and not one of
// those that give administrators everything.
const NearMiss* nearestMiss(const ReviewedStatement& one) {
  const auto& misses = one.coverage.nearMisses;
  for (const NearMiss::Why why :
       {NearMiss::Why::Verb, NearMiss::Why::Place, NearMiss::Why::Condition, NearMiss::Why::Subject})
    for (const NearMiss& miss : misses) {
      if (miss.why != why) continue;
      const PolicyStatement& s = *miss.statement->parsed;
      const bool isIdle = why == NearMiss::Why::Subject && (s.resourceType == "all-resources" ||
                                                            !speaksOfPeopleAlike(s.subject, one.need.who));
      if (!isIdle) return &miss;
    }
  return nullptr;
}

const char* codeOf(NearMiss::Why why) {
  constexpr std::array kCodes{"missing-verb", "wrong-compartment", "wrong-subject", "where-clause"};
  return kCodes[static_cast<std::size_t>(why)];
}

std::string explain(const NearMiss& near, const ReviewedStatement& one, const PolicySnapshot& snapshot) {
  const AttachedStatement& statement = *near.statement;
  const PolicyStatement& s = *statement.parsed;
  const std::string line = lineName(statement);
  switch (near.why) {
    case NearMiss::Why::Verb:
      return fmt::format("{} says '{}', which is less than '{}'", line, grantText(s),
                         grantText(one.required.statement));
    case NearMiss::Why::Place: {
      const std::string place = snapshot.tree.placeOf(s.location, statement.attachedTo);
      return fmt::format("{} grants it in {}{}", line, toText(s.location),
                         place.empty() ? ", which does not exist below where the policy is" : "");
    }
    case NearMiss::Why::Subject:
      return fmt::format("{} grants it to {}", line, toText(s.subject));
    case NearMiss::Why::Condition:
      return fmt::format("{} grants it only where {}", line, toText(*s.where));
  }
  return {};
}

std::vector<ReportTable> policyTables(const PolicySnapshot& snapshot, const PoliciesReview& review) {
  std::vector<ReportTable> tables{needsTable(snapshot, review)};
  for (ReportTable& table : std::array{copyTable(review), broadTable(review), oddTable(snapshot)})
    if (!table.rows.empty()) tables.push_back(std::move(table));
  return tables;
}

}  // namespace lockstep
