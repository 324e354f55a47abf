// SPDX-License-Identifier: GPL-3.0-or-later
#include "setup/policies/policies_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "setup/policies/policies_fixes.h"
#include "setup/policies/policies_tables.h"
#include "setup/step/findings.h"

namespace lockstep {
namespace {

using Who = RequiredStatement::Who;
using State = ReviewedStatement::State;

constexpr const char* kReadRights =
    "Allow group {} to inspect policies in tenancy\n"
    "Allow group {} to inspect groups in tenancy\n"
    "Allow group {} to inspect dynamic-groups in tenancy\n"
    "Allow group {} to inspect compartments in tenancy";

class ReportWriter {
 public:
  ReportWriter(const PolicySnapshot& snapshot, const PoliciesReview& review)
      : snapshot_(snapshot), review_(review) {}

  std::vector<Finding> write() {
    unread();
    jobRunsGroup();
    launchersGroup();
    placeholders();
    have();
    for (const ReviewedStatement& one : review_.statements) {
      if (one.state == State::Missing) missing(one);
      for (const AttachedStatement* denial : one.coverage.denials) denied(*denial);
    }
    mistakes();
    broad();
    return std::move(findings_);
  }

 private:
  void add(StepState state, const char* code, std::string text, std::string evidence,
           std::string remedy = {}) {
    findings_.push_back({state, std::move(text), std::move(evidence), std::move(remedy), code});
  }
  void unread();
  void jobRunsGroup();
  void launchersGroup();
  void have();
  void placeholders();
  void missing(const ReviewedStatement& one);
  void denied(const AttachedStatement& denial);
  void mistakes();
  void mistake(const AttachedStatement& one, const PolicyMistake& what);
  void broad();
  [[nodiscard]] bool launcherLacks() const;
  [[nodiscard]] std::string place() const { return placeName(snapshot_, snapshot_.compartmentId); }

  const PolicySnapshot& snapshot_;
  const PoliciesReview& review_;
  std::vector<Finding> findings_;
};

// 401 and 404 are what a service says to those who may not look.
void ReportWriter::unread() {
  const std::string group = review_.launchers.name.empty() ? "<group>" : review_.launchers.name;
  for (const PolicySnapshot::Unread& one : snapshot_.unread) {
    const int http = one.why.service ? one.why.service->httpStatus : 0;
    if (http != 401 && http != 403 && http != 404) {
      findings_.push_back(blockedFinding(one.why));
      continue;
    }
    add(StepState::Warning, "not-readable",
        fmt::format("your user may not list {}, so that whether training is allowed cannot be told for sure",
                    one.what),
        describe(*one.why.service),
        "give the statements below to an administrator of the tenancy, who can create them or let you look "
        "with:\n" +
            fmt::format(fmt::runtime(kReadRights), group, group, group, group));
    findings_.back().cause =
        fmt::format("the service answers {}, which it says as well of what is not there", http);
  }
}

void ReportWriter::jobRunsGroup() {
  const JobRunsGroup& group = review_.jobRuns;
  const StepState bad = group.isNeeded ? StepState::Blocked : StepState::Ready;
  switch (group.state) {
    case JobRunsGroup::State::Found:
      add(StepState::Ready, "",
          fmt::format("dynamic group '{}' takes in the job runs of {}", group.name, place()),
          group.found.matchingRule);
      break;
    case JobRunsGroup::State::OtherRule:
      add(bad, "dynamic-group-rule",
          fmt::format("dynamic group '{}' does not take in the job runs of {}", group.name, place()),
          "ListDynamicGroups", "its rule must hold for them: " + group.rule);
      findings_.back().cause = "its matching rule is " + group.found.matchingRule;
      break;
    case JobRunsGroup::State::Missing:
      if (!group.isNeeded) break;
      add(bad, "dynamic-group-missing",
          fmt::format("no dynamic group takes in the job runs of {}, so no policy can allow them anything",
                      place()),
          "ListDynamicGroups",
          fmt::format("create the dynamic group '{}' with the rule {}", group.name, group.rule));
      break;
    case JobRunsGroup::State::Unknown:
      add(StepState::Warning, "dynamic-group-unknown",
          fmt::format("whether dynamic group '{}' takes in the job runs of {} cannot be told", group.name,
                      place()),
          group.domain.empty() ? "ListDynamicGroups was refused"
                               : "the service lists the groups of the Default identity domain only",
          "its rule must hold for them: " + group.rule);
  }
}

bool ReportWriter::launcherLacks() const {
  return std::ranges::any_of(review_.statements, [](const ReviewedStatement& one) {
    return one.required.who == Who::Launcher && one.state != State::Have;
  });
}

void ReportWriter::launchersGroup() {
  const LaunchersGroup& group = review_.launchers;
  using Launchers = LaunchersGroup::State;
  if (group.state == Launchers::NotThere)
    add(StepState::Blocked, "group-missing",
        fmt::format("there is no {} '{}' in the tenancy", group.isDynamic ? "dynamic group" : "group",
                    group.name),
        group.isDynamic ? "ListDynamicGroups" : "ListGroups",
        "choose another one, or let an administrator create it");
  if (group.state == Launchers::NotAMember && !group.isUserCovered)
    add(StepState::Warning, "user-not-in-group",
        fmt::format("your user is not in the group '{}': what that group may do does not help you",
                    group.name),
        "ListUserGroupMemberships", "let an administrator add you to it, or choose a group of yours");
  if (!launcherLacks() || !group.name.empty()) return;
  std::string names;
  for (const std::string& name : group.choice) names += (names.empty() ? "'" : ", '") + name + "'";
  const std::string text = group.state == Launchers::Several ? "your user is in several groups: " + names
                           : group.state == Launchers::None
                               ? "your user is in no group that could be granted "
                                 "what a launch needs"
                               : "which groups your user is in cannot be told";
  add(group.state == Launchers::Unknown ? StepState::Warning : StepState::Blocked, "group-unknown", text,
      "ListUserGroupMemberships, ListGroups",
      "choose the group whose users launch, so that the statements can name it");
}

// Statements that name a bucket or a repository which nobody has named yet cannot be written.
void ReportWriter::placeholders() {
  for (const std::string& mark : placeholdersIn(review_.notGranted())) {
    if (mark != "<bucket>" && mark != "<repository>") continue;
    const bool isBucket = mark == "<bucket>";
    add(StepState::Blocked, isBucket ? "bucket-unknown" : "repository-unknown",
        fmt::format("policies are to name the {}, and nobody says which one it is",
                    isBucket ? "bucket of the work dir" : "repository of the image"),
        "mode 'scoped'",
        isBucket ? "name a work dir (oci://bucket@namespace/prefix)"
                 : "name an image of the container registry");
  }
}

void ReportWriter::have() {
  const std::size_t have = review_.count(State::Have), all = review_.statements.size();
  const std::size_t unknown = review_.count(State::Unknown);
  if (unknown > 0)
    add(StepState::Warning, "not-known",
        fmt::format("of {} statements that training needs, {} could not be looked for", all, unknown),
        snapshot_.evidence, "the table says which");
  if (have > 0)
    add(StepState::Ready, "", fmt::format("{} of {} statements that training needs are there", have, all),
        snapshot_.evidence);
}

void ReportWriter::missing(const ReviewedStatement& one) {
  const NearMiss* near = nearestMiss(one);
  const char* code = near == nullptr ? "missing-statement" : codeOf(near->why);
  std::string text = fmt::format("missing: {} to {} in {}: {}", one.need.who.title,
                                 grantAndCondition(one.required.statement),
                                 placeName(snapshot_, one.need.compartmentId), one.required.reason);
  add(StepState::Blocked, code, std::move(text), near == nullptr ? snapshot_.evidence : near->statement->text,
      toText(one.required.statement));
  if (near != nullptr) findings_.back().cause = explain(*near, one, snapshot_);
}

void ReportWriter::denied(const AttachedStatement& denial) {
  const std::string text =
      fmt::format("{} denies some of what training needs: \"{}\"", lineName(denial), denial.text);
  const bool isKnown = std::ranges::any_of(findings_, [&](const Finding& f) { return f.text == text; });
  if (!isKnown)
    add(StepState::Warning, "denied", text, "ListPolicies",
        "what is denied is denied whatever is allowed: ask whoever wrote it");
}

void ReportWriter::mistake(const AttachedStatement& one, const PolicyMistake& what) {
  add(StepState::Warning, ("statement-" + what.code).c_str(),
      fmt::format("{} cannot mean what it says, {}: \"{}\"", lineName(one),
                  describe(one.text, {what.code, what.place, what.what, ""}), one.text),
      "ListPolicies", what.remedy);
}

void ReportWriter::mistakes() {
  for (const AttachedStatement& one : snapshot_.statements) {
    if (!one.parsed) {
      mistake(one, one.parsed.error());
      continue;
    }
    // A resource type of a service that Lockstep never meets is no mistake; the table shows it all the same.
    for (const PolicyMistake& doubt : one.parsed->doubts)
      if (doubt.code != "resource-type" || likelyResourceType(one.parsed->resourceType)) mistake(one, doubt);
  }
}

void ReportWriter::broad() {
  for (const PoliciesReview::Broad& one : review_.broad)
    if (one.isUnsafe)
      add(StepState::Warning, "too-broad",
          fmt::format("{} lets everything that runs in a job do anything: \"{}\"", lineName(*one.statement),
                      one.statement->text),
          "ListPolicies", "remove it once the statements below are there: training works with those");
}

}  // namespace

StepReport policiesReport(const PolicySnapshot& snapshot, const PoliciesReview& review) {
  StepReport report = reportOf(ReportWriter(snapshot, review).write());
  report.tables = policyTables(snapshot, review);
  return report;
}

}  // namespace lockstep
