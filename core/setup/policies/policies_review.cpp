// SPDX-License-Identifier: GPL-3.0-or-later
#include "setup/policies_review.h"

#include <algorithm>

namespace lockstep {
namespace {

using Who = RequiredStatement::Who;

constexpr const char* kJobRuns = "lockstep-job-runs";
constexpr const char* kLaunchers = "lockstep-launchers";
constexpr const char* kAdministrators = "Administrators";

PolicyFacts jobRunFacts(const PolicyPicture& picture) {
  return {isEqualTest("resource.type", "datasciencejobrun"),
          isEqualTest("resource.compartment.id", picture.compartmentId)};
}

const oci::DynamicGroup* dynamicGroupNamed(const PolicyPicture& picture, const std::string& name) {
  const auto found = std::ranges::find_if(picture.dynamicGroups, [&](const oci::DynamicGroup& one) {
    return isSameWord(one.name, name) || one.id == name;
  });
  return found == picture.dynamicGroups.end() ? nullptr : &*found;
}

JobRunsGroup jobRunsGroupOf(const PolicyPicture& picture, const SetupChoices& choices) {
  const GroupName chosen = groupNamed(choices.dynamicGroup);
  JobRunsGroup group;
  group.rule = jobRunsRule({picture.compartmentId, ""});
  group.name = chosen.name.empty() ? kJobRuns : chosen.name;
  group.domain = chosen.domain;
  // The API lists the Default domain's groups only.
  if (!picture.knowsDynamicGroups || !chosen.domain.empty()) return group;
  const oci::DynamicGroup* found = dynamicGroupNamed(picture, group.name);
  const PolicyFacts run = jobRunFacts(picture);
  if (chosen.name.empty() && (found == nullptr || !takesIn(found->matchingRule, run)))
    for (const oci::DynamicGroup& one : picture.dynamicGroups)
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

const oci::Group* groupNamedIn(const PolicyPicture& picture, const std::string& name) {
  const auto found = std::ranges::find_if(
      picture.groups, [&](const oci::Group& one) { return isSameWord(one.name, name) || one.id == name; });
  return found == picture.groups.end() ? nullptr : &*found;
}

LaunchersGroup chosenGroup(const PolicyPicture& picture, const GroupName& chosen) {
  using State = LaunchersGroup::State;
  LaunchersGroup group{State::Chosen, chosen.name, chosen.domain, {}};
  if (!picture.knowsGroups || !chosen.domain.empty()) return group;
  const oci::Group* found = groupNamedIn(picture, chosen.name);
  if (found == nullptr) {
    group.state = State::NotThere;
    return group;
  }
  group.name = found->name;
  if (picture.knowsMemberships && !picture.myGroupIds.contains(found->id)) group.state = State::NotAMember;
  return group;
}

bool launchesItself(const PolicyPicture& picture, const SetupChoices& choices) {
  if (!choices.launcher.empty()) return choices.launcher == "dynamic-group";
  return picture.profile.signIn == oci::SignInKind::InstancePrincipal ||
         picture.profile.signIn == oci::SignInKind::ResourcePrincipal;
}

LaunchersGroup launchersGroupOf(const PolicyPicture& picture, const SetupChoices& choices) {
  using State = LaunchersGroup::State;
  const GroupName chosen = groupNamed(choices.group);
  if (launchesItself(picture, choices)) {
    LaunchersGroup group{
        State::Chosen, chosen.name.empty() ? kLaunchers : chosen.name, chosen.domain, {}, true};
    if (picture.knowsDynamicGroups && group.domain.empty() && !dynamicGroupNamed(picture, group.name))
      group.state = State::NotThere;
    return group;
  }
  if (!chosen.name.empty()) return chosenGroup(picture, chosen);
  LaunchersGroup group;
  if (!picture.knowsMemberships || !picture.knowsGroups) return group;
  for (const oci::Group& one : picture.groups)
    if (picture.myGroupIds.contains(one.id) && one.name != kAdministrators) group.choice.push_back(one.name);
  std::ranges::sort(group.choice);
  group.state = group.choice.empty() ? State::None : group.choice.size() == 1 ? State::Mine : State::Several;
  if (group.state == State::Mine) group.name = group.choice.front();
  return group;
}

/// The user himself, with all groups that he is in.
PolicyPrincipal userPrincipal(const PolicyPicture& picture, const std::string& title) {
  PolicyPrincipal who;
  who.title = title;
  who.facts = {isEqualTest("request.principal.type", "user"),
               isEqualTest("request.user.id", picture.profile.user)};
  who.groups = picture.myGroupIds;
  for (const oci::Group& one : picture.groups)
    if (picture.myGroupIds.contains(one.id)) who.groups.insert(groupKey(one.name));
  return who;
}

PolicyPrincipal launcherPrincipal(const PolicyPicture& picture, const LaunchersGroup& group) {
  PolicyPrincipal who;
  who.title = group.name.empty() ? "you" : "group " + group.name;
  if (group.isDynamic) {
    who.kind = PolicyPrincipal::Kind::Resource;
    who.title = "dynamic group " + group.name;
    who.groups = {groupKey(group.name, group.domain)};
    if (const auto* found = dynamicGroupNamed(picture, group.name)) who.groups.insert(found->id);
    return who;
  }
  who.facts = {isEqualTest("request.principal.type", "user")};
  if (group.state == LaunchersGroup::State::Chosen || group.state == LaunchersGroup::State::NotAMember ||
      group.state == LaunchersGroup::State::NotThere) {
    who.groups = {groupKey(group.name, group.domain)};
    if (const oci::Group* found = groupNamedIn(picture, group.name)) who.groups.insert(found->id);
    return who;
  }
  return userPrincipal(picture, who.title);
}

PolicyPrincipal jobRunsPrincipal(const PolicyPicture& picture) {
  PolicyPrincipal who;
  who.kind = PolicyPrincipal::Kind::Resource;
  who.title = "job runs";
  who.facts = {isEqualTest("request.principal.type", "datasciencejobrun"),
               isEqualTest("request.principal.compartment.id", picture.compartmentId)};
  for (const oci::DynamicGroup& one : picture.dynamicGroups)
    if (takesIn(one.matchingRule, jobRunFacts(picture))) who.groups.insert({one.id, groupKey(one.name)});
  return who;
}

// What is granted to the group counts, though the group itself may still have to be made or its rule mended:
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
  Reviewer(const PolicyPicture& picture, PoliciesReview& review, bool isRunsGroupChosen)
      : picture_(picture),
        review_(review),
        isRunsGroupChosen_(isRunsGroupChosen),
        launcher_(launcherPrincipal(picture, review.launchers)),
        user_(userPrincipal(picture, "you")),
        bareRuns_(jobRunsPrincipal(picture)),
        runs_(withGroup(bareRuns_, review.jobRuns)) {
    PolicyWish narrow = review.wish;
    narrow.mode = PolicyMode::Scoped;
    narrow_ = requiredStatements(narrow);
  }

  void reviewAll() {
    for (RequiredStatement& required : requiredStatements(review_.wish)) review(std::move(required));
  }

 private:
  void review(RequiredStatement required);
  [[nodiscard]] PolicyNeed narrowNeed(const RequiredStatement& required, const PolicyPrincipal& who) const;
  [[nodiscard]] bool canTell(Who who) const;
  [[nodiscard]] bool isCovered(const PolicyNeed& need) const {
    return coverageOf(need, picture_.statements, picture_.tree).isCovered;
  }

  const PolicyPicture& picture_;
  PoliciesReview& review_;
  const bool isRunsGroupChosen_;
  const PolicyPrincipal launcher_, user_, bareRuns_, runs_, service_ = servicePrincipal();
  std::vector<RequiredStatement> narrow_;
};

// What is proposed may say "all buckets"; what is needed are those of the work dir.
PolicyNeed Reviewer::narrowNeed(const RequiredStatement& required, const PolicyPrincipal& who) const {
  PolicyNeed need = needOf(required, who, placeOf(required, picture_));
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
  if (!picture_.knowsPolicies) return false;
  if (who == Who::JobRuns) return picture_.knowsDynamicGroups || isRunsGroupChosen_;
  if (who == Who::Launcher)
    return !review_.launchers.name.empty() || (picture_.knowsGroups && picture_.knowsMemberships);
  return true;
}

void Reviewer::review(RequiredStatement required) {
  using State = ReviewedStatement::State;
  const PolicyPrincipal& who = required.who == Who::Launcher  ? launcher_
                               : required.who == Who::JobRuns ? runs_
                                                              : service_;
  PolicyNeed need = narrowNeed(required, who);
  PolicyCoverage coverage = coverageOf(need, picture_.statements, picture_.tree);
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
void findBroad(PoliciesReview& review, const PolicyPicture& picture) {
  std::vector<PolicyNeed> needs;
  for (const ReviewedStatement& one : review.statements)
    needs.push_back(needOf(one.required, one.need.who, placeOf(one.required, picture)));
  for (const ReviewedStatement& one : review.statements)
    for (const AttachedStatement* statement : one.coverage.by) {
      const bool isKnown =
          std::ranges::any_of(review.broad, [&](const auto& b) { return b.statement == statement; });
      const Excess excess = excessOf(*statement, needs, picture.tree);
      if (isKnown || !excess.any()) continue;
      const PolicyStatement& s = *statement->parsed;
      const bool isForPeople = s.subject.kind == PolicySubject::Kind::Group;
      const bool isUnsafe = !isForPeople && s.resourceType == "all-resources" && s.verb >= PolicyVerb::Use;
      review.broad.push_back({statement, excess, isUnsafe});
    }
}

void fillIn(PolicyWish& wish, const PolicyPicture& picture, const PoliciesReview& review) {
  wish.jobRuns = review.jobRuns.name;
  wish.jobRunsDomain = review.jobRuns.domain;
  wish.launchers = review.launchers.name;
  wish.launchersDomain = review.launchers.domain;
  if (review.launchers.isDynamic) wish.launcherKind = PolicySubject::Kind::DynamicGroup;
  wish.compartment = {picture.compartmentId, picture.tree.nameOf(picture.compartmentId)};
  wish.network = {picture.networkId, picture.tree.nameOf(picture.networkId)};
  wish.storage = {picture.storageId, picture.tree.nameOf(picture.storageId)};
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

std::string placeOf(const RequiredStatement& required, const PolicyPicture& picture) {
  const PolicyLocation& location = required.statement.location;
  return location.kind == PolicyLocation::Kind::CompartmentId ? location.id : picture.tree.tenancyId();
}

PoliciesReview reviewPolicies(const PolicyPicture& picture, const SetupChoices& choices, PolicyWish wish) {
  PoliciesReview review;
  review.jobRuns = jobRunsGroupOf(picture, choices);
  review.launchers = launchersGroupOf(picture, choices);
  review.jobRuns.isNeeded = false;
  fillIn(wish, picture, review);
  review.wish = std::move(wish);
  Reviewer(picture, review, !choices.dynamicGroup.empty()).reviewAll();
  findBroad(review, picture);
  return review;
}

}  // namespace lockstep
