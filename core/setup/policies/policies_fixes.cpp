// SPDX-License-Identifier: GPL-3.0-or-later
#include "setup/policies/policies_fixes.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace lockstep {
namespace {

using Who = RequiredStatement::Who;

constexpr const char* kOwnPolicy = "lockstep-training";
constexpr const char* kProofPolicy = "lockstep-proof-of-concept";
constexpr const char* kDescription = "What distributed training needs; made by Lockstep";
constexpr std::size_t kMaxStatements = 50;  // of one policy
constexpr int kAttempts = 4;                // to name a group that was made a moment ago
constexpr std::chrono::seconds kPause{2};

/// What one fix is going to do, in this order.
struct PolicyPlan {
  std::optional<oci::IdentityClient::NewDynamicGroup> newGroup;
  std::optional<oci::DynamicGroup> groupToChange;
  std::string newRule;                    // of groupToChange
  oci::IdentityClient::NewPolicy policy;  // its statements are those to add
  std::optional<oci::Policy> existing;    // to be extended, instead of a new one
  std::string place;                      // of the policy, for people
  std::string token, groupToken;          // the same for every attempt
};

std::string groupText(const std::string& name, const std::string& rule) {
  return fmt::format("dynamic group '{}'\n  {}\n", name, rule);
}

std::string policyText(const PolicyPlan& plan, const std::vector<std::string>& statements) {
  if (statements.empty()) return {};
  std::string text = fmt::format("policy '{}' in {}\n", plan.policy.name, plan.place);
  for (const std::string& one : statements) text += "  " + one + "\n";
  return text;
}

std::vector<std::string> statementsAfter(const PolicyPlan& plan) {
  std::vector<std::string> all = plan.existing ? plan.existing->statements : std::vector<std::string>{};
  all.insert(all.end(), plan.policy.statements.begin(), plan.policy.statements.end());
  return all;
}

std::string textBefore(const PolicyPlan& plan) {
  std::string text;
  if (plan.groupToChange) text += groupText(plan.groupToChange->name, plan.groupToChange->matchingRule);
  if (plan.existing) text += policyText(plan, plan.existing->statements);
  return text;
}

std::string textAfter(const PolicyPlan& plan) {
  std::string text;
  if (plan.newGroup) text += groupText(plan.newGroup->name, plan.newGroup->matchingRule);
  if (plan.groupToChange) text += groupText(plan.groupToChange->name, plan.newRule);
  if (!plan.policy.statements.empty()) text += policyText(plan, statementsAfter(plan));
  return text;
}

std::vector<std::string> callsOf(const PolicyPlan& plan) {
  std::vector<std::string> calls;
  if (plan.newGroup) calls.emplace_back("CreateDynamicGroup POST /20160918/dynamicGroups");
  if (plan.groupToChange)
    calls.push_back(fmt::format("UpdateDynamicGroup PUT /20160918/dynamicGroups/{} (if-match {})",
                                plan.groupToChange->id, plan.groupToChange->etag));
  if (plan.policy.statements.empty()) return calls;
  if (plan.existing)
    calls.push_back(fmt::format("UpdatePolicy PUT /20160918/policies/{} (if-match {})", plan.existing->id,
                                plan.existing->etag));
  else
    calls.emplace_back("CreatePolicy POST /20160918/policies");
  return calls;
}

// ---- doing it

/// Carries a plan out; what was done before a failure is taken back again as far as that goes.
class Carrying {
 public:
  Carrying(const PolicyPlan& plan, oci::IdentityClient& identity, const std::stop_token& stop)
      : plan_(plan), identity_(identity), stop_(stop) {}

  Result<std::vector<AppliedChange>> carryOut() {
    for (const auto part : {&Carrying::makeGroup, &Carrying::changeGroup, &Carrying::writePolicy})
      if (auto done = (this->*part)(); !done) return failure(undone(done.error()));
    return std::move(changes_);
  }

 private:
  Result<void> makeGroup();
  Result<void> changeGroup();
  Result<void> writePolicy();
  Result<oci::Policy> createPolicy();
  [[nodiscard]] Error undone(Error error);
  void note(std::string title, std::string kind, nlohmann::json undo) {
    changes_.push_back({"", "policies", "", std::move(title), std::move(kind), std::move(undo), {}, false});
  }

  const PolicyPlan& plan_;
  oci::IdentityClient& identity_;
  const std::stop_token& stop_;
  std::vector<AppliedChange> changes_;
};

Result<void> Carrying::makeGroup() {
  if (!plan_.newGroup) return {};
  const auto made = identity_.createDynamicGroup(*plan_.newGroup, plan_.groupToken, stop_);
  if (!made) return failure(made.error());
  note(fmt::format("created dynamic group '{}'", made->name), "dynamic-group-created",
       {{"dynamicGroupId", made->id}, {"etag", made->etag}});
  return {};
}

Result<void> Carrying::changeGroup() {
  if (!plan_.groupToChange) return {};
  const oci::DynamicGroup& group = *plan_.groupToChange;
  const auto changed = identity_.updateDynamicGroup(group.id, plan_.newRule, group.etag, stop_);
  if (!changed) return failure(changed.error());
  note(fmt::format("changed the matching rule of dynamic group '{}'", group.name), "dynamic-group-changed",
       {{"dynamicGroupId", group.id}, {"etag", changed->etag}, {"rule", group.matchingRule}});
  return {};
}

// A dynamic group that was made a moment ago may not be known yet where policies are checked.
Result<oci::Policy> Carrying::createPolicy() {
  for (int attempt = 1;; ++attempt) {
    auto made = identity_.createPolicy(plan_.policy, plan_.token, stop_);
    const bool mayPass = !made && plan_.newGroup && made.error().service &&
                         made.error().service->httpStatus == 400 && attempt < kAttempts;
    if (!mayPass || !SystemClock().sleepFor(kPause, stop_)) return made;
  }
}

Result<void> Carrying::writePolicy() {
  if (plan_.policy.statements.empty()) return {};
  const std::size_t count = plan_.policy.statements.size();
  if (!plan_.existing) {
    const auto made = createPolicy();
    if (!made) return failure(made.error());
    note(fmt::format("created policy '{}' in {} with {} statements", made->name, plan_.place, count),
         "policy-created", {{"policyId", made->id}, {"etag", made->etag}});
    return {};
  }
  const oci::Policy& policy = *plan_.existing;
  const auto changed = identity_.updatePolicy(policy.id, statementsAfter(plan_), policy.etag, stop_);
  if (!changed) return failure(changed.error());
  note(fmt::format("added {} statements to policy '{}' in {}", count, policy.name, plan_.place),
       "policy-extended",
       {{"policyId", policy.id}, {"etag", changed->etag}, {"added", plan_.policy.statements}});
  return {};
}

Error Carrying::undone(Error error) {
  for (auto change = changes_.rbegin(); change != changes_.rend(); ++change)
    if (const auto back = takeBackPolicyChange(*change, identity_, {}); !back)
      error.cause += fmt::format("; {}, which is still there: {}", change->title, back.error().what);
  const int http = error.service ? error.service->httpStatus : 0;
  if (http == 401 || http == 403 || http == 404)
    error.remedy = "you may not change policies here: give the statements to an administrator of the tenancy";
  if (http == 412) error.remedy = "somebody has changed it since the check: check again";
  return error;
}

// ---- planning it

std::string placeText(const PolicySnapshot& snapshot, const std::string& id) {
  return id == snapshot.tree.tenancyId() ? "the tenancy" : "compartment '" + snapshot.tree.nameOf(id) + "'";
}

const oci::Policy* policyNamed(const PolicySnapshot& snapshot, const std::string& name,
                               const std::string& place) {
  const auto found = std::ranges::find_if(snapshot.policies, [&](const oci::Policy& one) {
    return one.compartmentId == place && isSameWord(one.name, name);
  });
  return found == snapshot.policies.end() ? nullptr : &*found;
}

// Our own policy where it has room, else one with the next free name.
void choosePolicy(PolicyPlan& plan, const PolicySnapshot& snapshot, const std::string& base) {
  for (int number = 1;; ++number) {
    plan.policy.name = number == 1 ? base : fmt::format("{}-{}", base, number);
    const oci::Policy* known = policyNamed(snapshot, plan.policy.name, plan.policy.compartmentId);
    plan.existing = known == nullptr ? std::nullopt : std::optional(*known);
    if (known == nullptr || known->statements.size() + plan.policy.statements.size() <= kMaxStatements)
      return;
  }
}

void planGroup(PolicyPlan& plan, const PolicySnapshot& snapshot, const JobRunsGroup& group) {
  if (!group.isNeeded) return;
  if (group.state == JobRunsGroup::State::Missing)
    plan.newGroup = oci::IdentityClient::NewDynamicGroup{
        snapshot.tree.tenancyId(), group.name,
        fmt::format("Job runs of distributed training in {}; made by Lockstep",
                    placeText(snapshot, snapshot.compartmentId)),
        group.rule};
  if (group.state == JobRunsGroup::State::OtherRule) {
    plan.groupToChange = group.found;
    plan.newRule = fmt::format("any {{{}, {}}}", group.found.matchingRule, group.rule);
  }
}

PolicyPlan planFor(const PolicySnapshot& snapshot, const PoliciesReview& review,
                   const std::vector<RequiredStatement>& wanted, const char* policyName) {
  PolicyPlan plan;
  std::vector<std::string> places;
  for (const RequiredStatement& one : wanted) {
    if (one.who == Who::Launcher && !isLauncherKnown(review)) continue;
    if (!placeholdersIn({one}).empty()) continue;  // the report says what is to be named first
    plan.policy.statements.push_back(toText(one.statement));
    places.push_back(placeOf(one, snapshot));
  }
  plan.policy.compartmentId = snapshot.tree.commonAncestor(places);
  plan.policy.description = kDescription;
  plan.place = placeText(snapshot, plan.policy.compartmentId);
  planGroup(plan, snapshot, review.jobRuns);
  choosePolicy(plan, snapshot, policyName);
  plan.token = oci::newRetryToken();
  plan.groupToken = oci::newRetryToken();
  return plan;
}

// The versions that are shown are the ones that may be changed.
bool readVersions(PolicyPlan& plan, oci::IdentityClient& identity, const std::stop_token& stop) {
  if (plan.existing && !plan.policy.statements.empty()) {
    auto now = identity.getPolicy(plan.existing->id, stop);
    if (!now) return false;
    plan.existing = *std::move(now);
  }
  if (plan.groupToChange) {
    auto now = identity.getDynamicGroup(plan.groupToChange->id, stop);
    if (!now) return false;
    plan.groupToChange = *std::move(now);
  }
  return true;
}

ProposedFix fixOf(std::string id, std::string title, PolicyPlan plan,
                  const std::shared_ptr<oci::ServiceClient>& services, const std::string& tenancyId) {
  ProposedFix fix;
  fix.id = std::move(id);
  fix.title = std::move(title);
  fix.before = textBefore(plan);
  fix.after = textAfter(plan);
  fix.calls = callsOf(plan);
  fix.apply = [plan = std::move(plan), services, tenancyId](const std::stop_token& stop) {
    oci::IdentityClient identity(services, tenancyId);
    return Carrying(plan, identity, stop).carryOut();
  };
  return fix;
}

std::string titleOf(const PolicyPlan& plan) {
  std::string title;
  if (plan.newGroup) title = fmt::format("create dynamic group '{}'", plan.newGroup->name);
  if (plan.groupToChange)
    title = fmt::format("extend the rule of dynamic group '{}'", plan.groupToChange->name);
  const std::size_t count = plan.policy.statements.size();
  if (count == 0) return title;
  if (!title.empty()) title += " and ";
  return title + (plan.existing
                      ? fmt::format("add {} statements to policy '{}'", count, plan.policy.name)
                      : fmt::format("create policy '{}' with {} statements", plan.policy.name, count));
}

}  // namespace

bool isLauncherKnown(const PoliciesReview& review) {
  return !review.launchers.name.empty() && review.launchers.state != LaunchersGroup::State::NotThere;
}

std::vector<ProposedFix> policyFixes(const PolicySnapshot& snapshot, const PoliciesReview& review,
                                     const std::shared_ptr<oci::ServiceClient>& services, TimePoint now,
                                     const std::stop_token& stop) {
  std::vector<ProposedFix> fixes;
  const std::string& tenancy = snapshot.tree.tenancyId();
  oci::IdentityClient identity(services, tenancy);
  PolicyPlan plan = planFor(snapshot, review, review.notGranted(), kOwnPolicy);
  if (!readVersions(plan, identity, stop)) return fixes;
  if (callsOf(plan).empty()) return fixes;
  const std::string title = titleOf(plan);
  fixes.push_back(fixOf("grant-missing", title, std::move(plan), services, tenancy));
  PolicyRequirements everything = review.requirements;
  everything.mode = PolicyMode::ProofOfConcept;
  everything.until = endOfProof(now);
  PolicyPlan proof = planFor(snapshot, review, requiredStatements(everything), kProofPolicy);
  if (!readVersions(proof, identity, stop)) return fixes;
  fixes.push_back(
      fixOf("proof-of-concept",
            fmt::format("grant everything in {} until {}, to try training out",
                        placeText(snapshot, snapshot.compartmentId), everything.until.substr(0, 10)),
            std::move(proof), services, tenancy));
  fixes.back().isUnsafe = true;
  return fixes;
}

}  // namespace lockstep
