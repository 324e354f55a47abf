// SPDX-License-Identifier: GPL-3.0-or-later
#include "setup/policies/policies_review.h"

#include <algorithm>

namespace lockstep {
namespace {

using Who = RequiredStatement::Who;

constexpr const char* kJobRuns = "lockstep-job-runs";
constexpr const char* kLaunchers = "lockstep-launchers";
constexpr const char* kAdministrators = "Administrators";

PolicyFacts jobRunFacts(const PolicySnapshot& snapshot) {
  return {isEqualTest("resource.type", "datasciencejobrun"),
          isEqualTest("resource.compartment.id", snapshot.compartmentId)};
}

const oci::DynamicGroup* dynamicGroupNamed(const PolicySnapshot& snapshot, const std::string& name) {
  const auto found = std::ranges::find_if(snapshot.dynamicGroups, [&](const oci::DynamicGroup& one) {
    return isSameWord(one.name, name) || one.id == name;
  });
  return found == snapshot.dynamicGroups.end() ? nullptr : &*found;
}

JobRunsGroup jobRunsGroupOf(const PolicySnapshot& snapshot, const SetupChoices& choices) {
  const GroupName chosen = groupNamed(choices.dynamicGroup);
  JobRunsGroup group;
  group.rule = jobRunsRule({snapshot.compartmentId, ""});
  group.name = chosen.name.empty() ? kJobRuns : chosen.name;
  group.domain = chosen.domain;
  // The API lists the Default domain's groups only.
  if (!snapshot.knowsDynamicGroups || !chosen.domain.empty()) return group;
  const oci::DynamicGroup* found = dynamicGroupNamed(snapshot, group.name);
  const PolicyFacts run = jobRunFacts(snapshot);
  if (chosen.name.empty() && (found == nullptr || !takesIn(found->matchingRule, run)))
    for (const oci::DynamicGroup& one : snapshot.dynamicGroups)
      if (takesIn(one.matchingRule, run)) found = &one;
  if (found == nullptr) {
    group.state = JobRunsGroup::State::Missing;
    return group;
  }
  group.found = *found;
  group.name = found->name;
  group.state =
      takesIn(found->matchingRule, run) ? JobRunsGroup::State::Found : JobRunsGroup::State::OtherRule;
  return group;
}

const oci::Group* groupNamedIn(const PolicySnapshot& snapshot, const std::string& name) {
  const auto found = std::ranges::find_if(
      snapshot.groups, [&](const oci::Group& one) { return isSameWord(one.name, name) || one.id == name; });
  return found == snapshot.groups.end() ? nullptr : &*found;
}

LaunchersGroup chosenGroup(const PolicySnapshot& snapshot, const GroupName& chosen) {
  using State = LaunchersGroup::State;
  LaunchersGroup group{State::Chosen, chosen.name, chosen.domain, {}};
  if (!snapshot.knowsGroups || !chosen.domain.empty()) return group;
  const oci::Group* found = groupNamedIn(snapshot, chosen.name);
  if (found == nullptr) {
    group.state = State::NotThere;
    return group;
  }
  group.name = found->name;
  if (snapshot.knowsMemberships && !snapshot.myGroupIds.contains(found->id)) group.state = State::NotAMember;
  return group;
}

bool launchesItself(const PolicySnapshot& snapshot, const SetupChoices& choices) {
  if (!choices.launcher.empty()) return choices.launcher == "dynamic-group";
  return snapshot.profile.signIn == oci::SignInKind::InstancePrincipal ||
         snapshot.profile.signIn == oci::SignInKind::ResourcePrincipal;
}

LaunchersGroup launchersGroupOf(const PolicySnapshot& snapshot, const SetupChoices& choices) {
  using State = LaunchersGroup::State;
  const GroupName chosen = groupNamed(choices.group);
  if (launchesItself(snapshot, choices)) {
    LaunchersGroup group{
        State::Chosen, chosen.name.empty() ? kLaunchers : chosen.name, chosen.domain, {}, true};
    if (snapshot.knowsDynamicGroups && group.domain.empty() && !dynamicGroupNamed(snapshot, group.name))
      group.state = State::NotThere;
    return group;
  }
  if (!chosen.name.empty()) return chosenGroup(snapshot, chosen);
  LaunchersGroup group;
  if (!snapshot.knowsMemberships || !snapshot.knowsGroups) return group;
  for (const oci::Group& one : snapshot.groups)
    if (snapshot.myGroupIds.contains(one.id) && one.name != kAdministrators) group.choice.push_back(one.name);
  std::ranges::sort(group.choice);
  group.state = group.choice.empty() ? State::None : group.choice.size() == 1 ? State::Mine : State::Several;
  if (group.state == State::Mine) group.name = group.choice.front();
  return group;
}

/// The user himself, with all groups that he is in.
PolicyPrincipal userPrincipal(const PolicySnapshot& snapshot, const std::string& title) {
  PolicyPrincipal who;
  who.title = title;
  who.facts = {isEqualTest("request.principal.type", "user"),
               isEqualTest("request.user.id", snapshot.profile.user)};
  who.groups = snapshot.myGroupIds;
  for (const oci::Group& one : snapshot.groups)
    if (snapshot.myGroupIds.contains(one.id)) who.groups.insert(groupKey(one.name));
  return who;
}

PolicyPrincipal launcherPrincipal(const PolicySnapshot& snapshot, const LaunchersGroup& group) {
  PolicyPrincipal who;
  who.title = group.name.empty() ? "you" : "group " + group.name;
  if (group.isDynamic) {
    who.kind = PolicyPrincipal::Kind::Resource;
    who.title = "dynamic group " + group.name;
    who.groups = {groupKey(group.name, group.domain)};
    if (const auto* found = dynamicGroupNamed(snapshot, group.name)) who.groups.insert(found->id);
    return who;
  }
  who.facts = {isEqualTest("request.principal.type", "user")};
  if (group.state == LaunchersGroup::State::Chosen || group.state == LaunchersGroup::State::NotAMember ||
      group.state == LaunchersGroup::State::NotThere) {
    who.groups = {groupKey(group.name, group.domain)};
    if (const oci::Group* found = groupNamedIn(snapshot, group.name)) who.groups.insert(found->id);
    return who;
  }
  return userPrincipal(snapshot, who.title);
}

PolicyPrincipal jobRunsPrincipal(const PolicySnapshot& snapshot) {
  PolicyPrincipal who;
  who.kind = PolicyPrincipal::Kind::Resource;
  who.title = "job runs";
  who.facts = {isEqualTest("request.principal.type", "datasciencejobrun"),
               isEqualTest("request.principal.compartment.id", snapshot.compartmentId)};
  for (const oci::DynamicGroup& one : snapshot.dynamicGroups)
    if (takesIn(one.matchingRule, jobRunFacts(snapshot))) who.groups.insert({one.id, groupKey(one.name)});
  return who;
}

// What is granted to the group counts, though the group itself may still have to be made or its rule fixed:
// that is said apart.
PolicyPrincipal withGroup(PolicyPrincipal who, const JobRunsGroup& group) {
  who.groups.insert(groupKey(group.name, group.domain));
  if (!group.found.id.empty()) who.groups.insert(group.found.id);
  return who;
}

PolicyPrincipal servicePrincipal() {
  PolicyPrincipal who;
  who.kind = PolicyPrincipal::Kind::Service;
  who.title = "service datascience";
  who.service = "datascience";
  return who;
}

/// Holds every required statement against what is there.
class Reviewer {
 public:
  Reviewer(const PolicySnapshot& snapshot, PoliciesReview& review, bool isRunsGroupChosen)
      : snapshot_(snapshot),
        review_(review),
        isRunsGroupChosen_(isRunsGroupChosen),
        launcher_(launcherPrincipal(snapshot, review.launchers)),
        user_(userPrincipal(snapshot, "you")),
        bareRuns_(jobRunsPrincipal(snapshot)),
        runs_(withGroup(bareRuns_, review.jobRuns)) {
    PolicyRequirements narrow = review.requirements;
    narrow.mode = PolicyMode::Scoped;
    narrow_ = requiredStatements(narrow);
  }

  void reviewAll() {
    for (RequiredStatement& required : requiredStatements(review_.requirements)) review(std::move(required));
  }

 private:
  void review(RequiredStatement required);
  [[nodiscard]] PolicyNeed narrowNeed(const RequiredStatement& required, const PolicyPrincipal& who) const;
  [[nodiscard]] bool canTell(Who who) const;
  [[nodiscard]] bool isCovered(const PolicyNeed& need) const {
    return coverageOf(need, snapshot_.statements, snapshot_.tree).isCovered;
  }

  const PolicySnapshot& snapshot_;
  PoliciesReview& review_;
  const bool isRunsGroupChosen_;
  const PolicyPrincipal launcher_, user_, bareRuns_, runs_, service_ = servicePrincipal();
  std::vector<RequiredStatement> narrow_;
};

// What is proposed may say "all buckets"; what is needed are those of the work dir.
PolicyNeed Reviewer::narrowNeed(const RequiredStatement& required, const PolicyPrincipal& who) const {
  PolicyNeed need = needOf(required, who, placeOf(required, snapshot_));
  for (const RequiredStatement& one : narrow_) {
    const bool isSame = one.who == required.who && one.statement.verb == required.statement.verb &&
                        one.statement.resourceType == required.statement.resourceType;
    if (isSame && !need.where && one.statement.where && placeholdersIn({one}).empty())
      need.where = one.statement.where;
  }
  return need;
}

// Whether a statement that was not found is missing for sure.
bool Reviewer::canTell(Who who) const {
  if (!snapshot_.knowsPolicies) return false;
  if (who == Who::JobRuns) return snapshot_.knowsDynamicGroups || isRunsGroupChosen_;
  if (who == Who::Launcher)
    return !review_.launchers.name.empty() || (snapshot_.knowsGroups && snapshot_.knowsMemberships);
  return true;
}

void Reviewer::review(RequiredStatement required) {
  using State = ReviewedStatement::State;
  const PolicyPrincipal& who = required.who == Who::Launcher  ? launcher_
                               : required.who == Who::JobRuns ? runs_
                                                              : service_;
  PolicyNeed need = narrowNeed(required, who);
  PolicyCoverage coverage = coverageOf(need, snapshot_.statements, snapshot_.tree);
  if (required.who == Who::JobRuns && !isCovered(narrowNeed(required, bareRuns_)))
    review_.jobRuns.isNeeded = true;
  if (required.who == Who::Launcher && !isCovered(narrowNeed(required, user_)))
    review_.launchers.isUserCovered = false;
  const State state = coverage.isCovered      ? State::Have
                      : canTell(required.who) ? State::Missing
                                              : State::Unknown;
  review_.statements.push_back({std::move(required), std::move(need), std::move(coverage), state});
}

// Held against what we would propose ourselves.
void findBroad(PoliciesReview& review, const PolicySnapshot& snapshot) {
  std::vector<PolicyNeed> needs;
  for (const ReviewedStatement& one : review.statements)
    needs.push_back(needOf(one.required, one.need.who, placeOf(one.required, snapshot)));
  for (const ReviewedStatement& one : review.statements)
    for (const AttachedStatement* statement : one.coverage.by) {
      const bool isKnown =
          std::ranges::any_of(review.broad, [&](const auto& b) { return b.statement == statement; });
      const Excess excess = excessOf(*statement, needs, snapshot.tree);
      if (isKnown || !excess.any()) continue;
      const PolicyStatement& s = *statement->parsed;
      const bool isForPeople = s.subject.kind == PolicySubject::Kind::Group;
      const bool isUnsafe = !isForPeople && s.resourceType == "all-resources" && s.verb >= PolicyVerb::Use;
      review.broad.push_back({statement, excess, isUnsafe});
    }
}

void fillIn(PolicyRequirements& requirements, const PolicySnapshot& snapshot, const PoliciesReview& review) {
  requirements.jobRuns = review.jobRuns.name;
  requirements.jobRunsDomain = review.jobRuns.domain;
  requirements.launchers = review.launchers.name;
  requirements.launchersDomain = review.launchers.domain;
  if (review.launchers.isDynamic) requirements.launcherKind = PolicySubject::Kind::DynamicGroup;
  requirements.compartment = {snapshot.compartmentId, snapshot.tree.nameOf(snapshot.compartmentId)};
  requirements.network = {snapshot.networkId, snapshot.tree.nameOf(snapshot.networkId)};
  requirements.storage = {snapshot.storageId, snapshot.tree.nameOf(snapshot.storageId)};
}

}  // namespace

std::size_t PoliciesReview::count(ReviewedStatement::State state) const {
  return static_cast<std::size_t>(
      std::ranges::count_if(statements, [&](const auto& one) { return one.state == state; }));
}

std::vector<RequiredStatement> PoliciesReview::notGranted() const {
  std::vector<RequiredStatement> some;
  for (const ReviewedStatement& one : statements)
    if (one.state != ReviewedStatement::State::Have) some.push_back(one.required);
  return some;
}

std::string placeOf(const RequiredStatement& required, const PolicySnapshot& snapshot) {
  const PolicyLocation& location = required.statement.location;
  return location.kind == PolicyLocation::Kind::CompartmentId ? location.id : snapshot.tree.tenancyId();
}

PoliciesReview reviewPolicies(const PolicySnapshot& snapshot, const SetupChoices& choices,
                              PolicyRequirements requirements) {
  PoliciesReview review;
  review.jobRuns = jobRunsGroupOf(snapshot, choices);
  review.launchers = launchersGroupOf(snapshot, choices);
  review.jobRuns.isNeeded = false;
  fillIn(requirements, snapshot, review);
  review.requirements = std::move(requirements);
  Reviewer(snapshot, review, !choices.dynamicGroup.empty()).reviewAll();
  findBroad(review, snapshot);
  return review;
}

}  // namespace lockstep
