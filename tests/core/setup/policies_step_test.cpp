// SPDX-License-Identifier: GPL-3.0-or-later
// What the step says of policies as people have them, against a real region.
#include <gtest/gtest.h>

#include <algorithm>

#include "setup/policies/policy_requirements.h"
#include "tests/setup_faults/setup_world.h"

namespace lockstep::testing {
namespace {

using nlohmann::json;

const Finding* findingWith(const StepReport& report, const std::string& code) {
  const auto found = std::ranges::find_if(report.findings, [&](const Finding& f) { return f.code == code; });
  return found == report.findings.end() ? nullptr : &*found;
}

bool says(const StepReport& report, const std::string& part) {
  return toJson(report).dump().find(part) != std::string::npos;
}

const ProposedFix* fixOf(const StepReport& report, const std::string& id) {
  const auto found = std::ranges::find_if(report.fixes, [&](const ProposedFix& f) { return f.id == id; });
  return found == report.fixes.end() ? nullptr : &*found;
}

/// The ready tenancy, and the people who train.
struct PoliciesStep : ::testing::Test {
  SetupWorld world;
  PoliciesStep() {
    world.hasTrainYaml = false;
    world.choices.compartmentId = world.place("compartmentId");
    world.choices.subnetId = world.place("subnetId");
    world.choices.bucket = "lockstep";
    world.choices.nameSpace = "rehearsal";
    world.choices.image = "rehearsal.ocir.io/rehearsal/team/trainer:1";
    world.choices.group = "lockstep-trainers";
  }
  StepReport check() const { return makeSetupStep("policies", world.context())->check({}); }
  [[nodiscard]] json policyNamed(const std::string& name) const {
    for (const json& one : world.get("/20160918/policies?compartmentId=" + world.tenancy()))
      if (one["name"] == name) return one;
    throw std::runtime_error("no policy " + name);
  }
  /// Replaces a text in the statements of a policy; empty `to`: takes out the statements that have it.
  void change(const std::string& policy, const std::string& from, const std::string& to) const {
    const json found = policyNamed(policy);
    std::vector<std::string> statements;
    for (std::string text : found["statements"]) {
      const std::size_t at = text.find(from);
      if (at == std::string::npos) {
        statements.push_back(text);
      } else if (!to.empty()) {
        statements.push_back(text.replace(at, from.size(), to));
      }
    }
    world.send("PUT", "/20160918/policies/" + found["id"].get<std::string>(), {{"statements", statements}});
  }
  std::vector<AppliedChange> apply(const StepReport& report, const std::string& id) const {
    const ProposedFix* fix = fixOf(report, id);
    if (fix == nullptr) throw std::runtime_error("no fix " + id + " in " + toJson(report).dump(1));
    auto changes = fix->apply({});
    if (!changes) throw std::runtime_error(describe(changes.error()));
    return *std::move(changes);
  }
};

TEST_F(PoliciesStep, TheReadyTenancyIsReadyWithPolicyAndLine) {
  const StepReport report = check();
  EXPECT_EQ(report.state, StepState::Ready) << toJson(report).dump(1);
  EXPECT_TRUE(report.fixes.empty());
  ASSERT_FALSE(report.tables.empty());
  const auto& row = report.tables.front().rows.front();  // job runs read repos
  EXPECT_EQ(row[0].text, "have");
  EXPECT_EQ(row[2].text, "read repos");
  EXPECT_EQ(row[4].text, "policy 'lockstep-job-runs', line 1");
  EXPECT_EQ(row[4].detail, "Allow dynamic-group lockstep-job-runs to read repos in compartment lockstep");
  EXPECT_TRUE(says(report, "broader than needed")) << "'use logging-family' is more than logs need";
}

TEST_F(PoliciesStep, AWeakerVerbIsNamedAndMendedInOurOwnPolicy) {
  change("lockstep-job-runs", "manage objects", "use objects");
  const StepReport report = check();
  const Finding* finding = findingWith(report, "missing-verb");
  ASSERT_NE(finding, nullptr) << toJson(report).dump(1);
  EXPECT_NE(
      finding->cause.find("policy 'lockstep-job-runs', line 6 says 'use objects', which is less than 'manage "
                          "objects'"),
      std::string::npos)
      << finding->cause;
  const auto changes = apply(report, "grant-missing");
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_EQ(changes[0].kind, "policy-created");
  EXPECT_EQ(check().state, StepState::Ready);
  // A second gap goes into the policy that is ours by now.
  change("lockstep-trainers", "read metrics", "");
  const StepReport second = check();
  const ProposedFix* fix = fixOf(second, "grant-missing");
  ASSERT_NE(fix, nullptr) << toJson(second).dump(1);
  EXPECT_NE(fix->before.find("manage objects"), std::string::npos) << fix->before;
  EXPECT_NE(fix->after.find("manage objects"), std::string::npos) << fix->after;
  EXPECT_NE(fix->after.find("read metrics"), std::string::npos);
  ASSERT_EQ(fix->calls.size(), 1U);
  EXPECT_TRUE(fix->calls[0].starts_with("UpdatePolicy PUT /20160918/policies/ocid1.policy."))
      << fix->calls[0];
  const auto more = apply(second, "grant-missing");
  ASSERT_EQ(more.size(), 1U);
  EXPECT_EQ(more[0].kind, "policy-extended");
  EXPECT_EQ(check().state, StepState::Ready);
  const auto back = makeSetupStep("policies", world.context())->takeBack(more[0], {});
  ASSERT_TRUE(back) << describe(back.error());
  const StepReport again = check();
  EXPECT_NE(findingWith(again, "missing-statement"), nullptr) << toJson(again).dump(1);
  EXPECT_EQ(findingWith(again, "missing-verb"), nullptr) << "the first change stays";
}

TEST_F(PoliciesStep, AnotherCompartmentBucketOrSubjectIsNamed) {
  world.post("/20160918/compartments",
             {{"compartmentId", world.tenancy()}, {"name", "other"}, {"description", "another"}});
  change("lockstep-job-runs", "read repos in compartment lockstep", "read repos in compartment other");
  change("lockstep-trainers",
         "manage objects in compartment lockstep where all {target.bucket.name='lockstep'}",
         "manage objects in compartment lockstep where all {target.bucket.name='old'}");
  change("lockstep-trainers", "group lockstep-trainers to read metrics",
         "group Administrators to read metrics");
  const StepReport report = check();
  for (const char* code : {"wrong-compartment", "where-clause", "wrong-subject"})
    EXPECT_NE(findingWith(report, code), nullptr) << code << " in " << toJson(report).dump(1);
  EXPECT_TRUE(says(report, "grants it in compartment other"));
  EXPECT_TRUE(says(report, "grants it only where all {target.bucket.name = 'old'}"));
  EXPECT_TRUE(says(report, "grants it to group Administrators"));
  apply(report, "grant-missing");
  EXPECT_EQ(check().state, StepState::Ready);
}

TEST_F(PoliciesStep, AMissingDynamicGroupIsMadeAndAnotherRuleExtended) {
  const auto groups = world.get("/20160918/dynamicGroups?compartmentId=" + world.tenancy());
  const std::string id = groups[0]["id"], path = "/20160918/dynamicGroups/" + id;
  world.send("PUT", path, {{"matchingRule", "all {resource.type='datasciencejob'}"}});
  StepReport report = check();
  ASSERT_NE(findingWith(report, "dynamic-group-rule"), nullptr) << toJson(report).dump(1);
  EXPECT_EQ(findingWith(report, "missing-statement"), nullptr) << "its statements are there";
  const auto changes = apply(report, "grant-missing");
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_EQ(changes[0].kind, "dynamic-group-changed");
  EXPECT_EQ(check().state, StepState::Ready);
  const auto back = makeSetupStep("policies", world.context())->takeBack(changes[0], {});
  ASSERT_TRUE(back) << describe(back.error());
  EXPECT_EQ(world.get(path)["matchingRule"], "all {resource.type='datasciencejob'}");
  world.send("DELETE", path);
  report = check();
  ASSERT_NE(findingWith(report, "dynamic-group-missing"), nullptr) << toJson(report).dump(1);
  const auto made = apply(report, "grant-missing");
  ASSERT_EQ(made.size(), 1U);
  EXPECT_EQ(made[0].kind, "dynamic-group-created");
  EXPECT_EQ(check().state, StepState::Ready);
}

TEST_F(PoliciesStep, WhatSomebodyHasChangedSinceIsNotOverwritten) {
  change("lockstep-job-runs", "manage objects", "use objects");
  const auto changes = apply(check(), "grant-missing");
  change("lockstep-trainers", "read metrics", "");
  const StepReport report = check();
  world.send("PUT", "/20160918/policies/" + changes[0].undo["policyId"].get<std::string>(),
             {{"description", "mine now"}});
  const auto late = fixOf(report, "grant-missing")->apply({});
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().service->httpStatus, 412);
  EXPECT_NE(late.error().remedy.find("check again"), std::string::npos) << describe(late.error());
  const auto back = makeSetupStep("policies", world.context())->takeBack(changes[0], {});
  ASSERT_FALSE(back) << "the policy is no longer the one that was made";
  EXPECT_EQ(back.error().code, ErrorCode::FailedPrecondition);
  EXPECT_NE(back.error().cause.find("somebody has changed it"), std::string::npos) << describe(back.error());
}

// The region refuses what OCI refuses; an older statement may be odd all the same, and is shown.
TEST_F(PoliciesStep, AnOddStatementIsShownAndStaysOutOfTheCount) {
  world.post("/20160918/compartments",
             {{"compartmentId", world.tenancy()}, {"name", "your_compartment_name"}, {"description", "x"}});
  world.allow("odd", {"Allow group lockstep-trainers to read metrics in compartment your_compartment_name"});
  const StepReport report = check();
  const Finding* finding = findingWith(report, "statement-placeholder");
  ASSERT_NE(finding, nullptr) << toJson(report).dump(1);
  EXPECT_NE(finding->text.find("policy 'odd', line 1"), std::string::npos) << finding->text;
  EXPECT_EQ(report.state, StepState::Warning);
  EXPECT_TRUE(says(report, "Statements that cannot be compared"));
}

TEST_F(PoliciesStep, EverythingToJobRunsIsCalledUnsafe) {
  world.allow("poc", {"Allow dynamic-group lockstep-job-runs to manage all-resources in tenancy"});
  const StepReport report = check();
  EXPECT_NE(findingWith(report, "too-broad"), nullptr) << toJson(report).dump(1);
  EXPECT_EQ(report.state, StepState::Warning);
}

TEST_F(PoliciesStep, TheProofOfConceptIsOfferedAsUnsafeAndWorks) {
  change("lockstep-job-runs", "manage objects", "use objects");
  world.choices.policyMode = PolicyMode::ProofOfConcept;
  const StepReport report = check();
  const ProposedFix* proof = fixOf(report, "proof-of-concept");
  ASSERT_NE(proof, nullptr);
  EXPECT_TRUE(proof->isUnsafe);
  EXPECT_NE(proof->after.find("request.utc-timestamp before '"), std::string::npos) << proof->after;
  EXPECT_EQ(proof->after.find("in tenancy"), std::string::npos) << proof->after;
  const auto changes = apply(report, "proof-of-concept");
  ASSERT_EQ(changes.size(), 1U);
  const std::string policy = changes[0].undo["policyId"];
  EXPECT_EQ(world.get("/20160918/policies/" + policy)["name"], "lockstep-proof-of-concept");
  const auto back = makeSetupStep("policies", world.context())->takeBack(changes[0], {});
  ASSERT_TRUE(back) << describe(back.error());
}

TEST_F(PoliciesStep, AUserWhoMayNotLookGetsTheTextForAnAdministrator) {
  world.becomeUser("bob", {"lockstep-trainers"});
  const StepReport report = check();
  EXPECT_EQ(report.state, StepState::Warning) << toJson(report).dump(1);
  const Finding* finding = findingWith(report, "not-readable");
  ASSERT_NE(finding, nullptr);
  EXPECT_NE(finding->remedy.find("administrator"), std::string::npos);
  EXPECT_NE(finding->remedy.find("Allow group lockstep-trainers to inspect policies in tenancy"),
            std::string::npos);
  EXPECT_NE(finding->evidence.find("404"), std::string::npos) << finding->evidence;
  EXPECT_TRUE(report.fixes.empty());
  EXPECT_TRUE(says(report, "Statements to copy"));
  EXPECT_TRUE(says(report, "Allow dynamic-group lockstep-job-runs to manage objects in compartment id "));
  EXPECT_EQ(findingWith(report, "missing-statement"), nullptr) << "what cannot be looked for is not missing";
}

TEST_F(PoliciesStep, WhoLooksWithoutBeingAdministratorSeesTheSame) {
  world.allow("lookers", {"Allow group lockstep-trainers to inspect policies in tenancy",
                          "Allow group lockstep-trainers to inspect groups in tenancy",
                          "Allow group lockstep-trainers to inspect dynamic-groups in tenancy",
                          "Allow group lockstep-trainers to inspect compartments in tenancy"});
  world.becomeUser("bob", {"lockstep-trainers"});
  world.choices.group.clear();
  EXPECT_EQ(check().state, StepState::Ready) << toJson(check()).dump(1);
  world.becomeUser("eve", {"lookers"});
  EXPECT_NE(findingWith(check(), "needs-project"), nullptr) << "she does not even see the compartment";
}

TEST_F(PoliciesStep, TheGroupOfWhoLaunchesHasToBeKnown) {
  world.choices.group = "nobody-has-this";
  EXPECT_NE(findingWith(check(), "group-missing"), nullptr) << toJson(check()).dump(1);
  world.choices.group = "lockstep-trainers";
  EXPECT_EQ(findingWith(check(), "user-not-in-group"), nullptr) << "an administrator prepares it for others";
  world.allow("lookers",
              {"Allow any-user to inspect policies in tenancy", "Allow any-user to inspect groups in tenancy",
               "Allow any-user to inspect dynamic-groups in tenancy",
               "Allow any-user to inspect compartments in tenancy"});
  world.becomeUser("bob", {"a", "b"});
  EXPECT_NE(findingWith(check(), "user-not-in-group"), nullptr) << toJson(check()).dump(1);
  world.choices.group.clear();
  const StepReport several = check();
  ASSERT_NE(findingWith(several, "group-unknown"), nullptr) << toJson(several).dump(1);
  EXPECT_NE(findingWith(several, "group-unknown")->text.find("'a', 'b'"), std::string::npos);
  EXPECT_EQ(several.state, StepState::Blocked);
}

// A notebook of the tenancy launches by its dynamic group, whatever profile looks from here.
TEST_F(PoliciesStep, WhatLaunchesWithoutAUserIsADynamicGroup) {
  world.choices.launcher = "dynamic-group";
  world.choices.group = "notebooks";
  EXPECT_NE(findingWith(check(), "group-missing"), nullptr) << toJson(check()).dump(1);
  world.post("/20160918/dynamicGroups",
             {{"compartmentId", world.tenancy()},
              {"name", "notebooks"},
              {"description", "notebooks that launch"},
              {"matchingRule", "ALL {resource.type = 'datasciencenotebooksession'}"}});
  const StepReport report = check();
  EXPECT_EQ(findingWith(report, "group-missing"), nullptr) << toJson(report).dump(1);
  EXPECT_EQ(report.state, StepState::Blocked) << "what users may do is nothing to a notebook";
  EXPECT_TRUE(says(report, "Allow dynamic-group notebooks to manage data-science-job-runs"))
      << toJson(report).dump(1);
  apply(report, "grant-missing");
  EXPECT_EQ(check().state, StepState::Ready) << toJson(check()).dump(1);
}

// The window has no options of a command line.
TEST_F(PoliciesStep, NoWayOutIsWordedForOneFrontEnd) {
  world.choices.group = "nobody-has-this";
  EXPECT_FALSE(says(check(), "--")) << toJson(check()).dump(1);
}

TEST_F(PoliciesStep, ScopedNeedsToKnowWhatIsMeant) {
  change("lockstep-job-runs", "manage objects", "use objects");
  for (const char* name : {"one", "another"})
    world.send("POST", "/n/rehearsal/b", {{"name", name}, {"compartmentId", world.place("compartmentId")}});
  world.send("DELETE", "/n/rehearsal/b/lockstep");
  world.choices.policyMode = PolicyMode::Scoped;
  world.choices.bucket.clear();
  const StepReport report = check();
  EXPECT_NE(findingWith(report, "bucket-unknown"), nullptr) << toJson(report).dump(1);
  for (const ProposedFix& fix : report.fixes) EXPECT_EQ(fix.after.find('<'), std::string::npos) << fix.after;
}

TEST_F(PoliciesStep, TheOnlyBucketIsMeantWhereNobodyNamesOne) {
  world.choices.bucket.clear();
  EXPECT_EQ(check().state, StepState::Ready) << toJson(check()).dump(1);
  change("lockstep-job-runs", "manage objects", "use objects");
  const StepReport report = check();
  EXPECT_EQ(report.state, StepState::Blocked);
  EXPECT_TRUE(says(report, "target.bucket.name")) << toJson(report).dump(1);
  EXPECT_TRUE(says(report, "'lockstep'")) << toJson(report).dump(1);
}

TEST_F(PoliciesStep, AProfileThatDoesNotWorkSaysSo) {
  world.setProfile("fingerprint", "00:11:22:33:44:55:66:77:88:99:aa:bb:cc:dd:ee:ff");
  const StepReport report = check();
  EXPECT_EQ(report.state, StepState::Blocked);
  EXPECT_NE(findingWith(report, "needs-auth"), nullptr) << toJson(report).dump(1);
}

TEST(PolicyRequirements, IsWhatTheTrainYamlNeeds) {
  ClusterSpec spec;
  spec.infrastructure.storageMounts = {{"oci://data@ns/x", "data"}, {"10.0.0.1:/export", "nfs"}};
  spec.clusterEnv = {{"WORKSPACE", "results"}, {"OCI__METRICS_NAMESPACE", "gpu"}};
  spec.gitSecretId = "ocid1.vaultsecret.oc1..s";
  PolicyRequirements requirements =
      policyRequirementsOf(spec, "oci://work@ns/p", "iad.ocir.io/ns/team/x:1", PolicyMode::Scoped);
  EXPECT_EQ(requirements.buckets, (std::vector<std::string>{"work", "results", "data"}));
  EXPECT_EQ(requirements.repository, "team/x");
  EXPECT_EQ(requirements.secrets.size(), 1U);
  EXPECT_EQ(requirements.metricNamespaces, (std::vector<std::string>{"gpu"}));
  spec.clusterEnv = {{"LOCKSTEP_POST_METRICS", "1"}};
  EXPECT_EQ(policyRequirementsOf(spec, "", "", PolicyMode::Restricted).metricNamespaces,
            (std::vector<std::string>{"lockstep"}));
  requirements =
      policyRequirementsOf(std::nullopt, "file:///tmp/x", "docker.io/team/x:1", PolicyMode::Restricted);
  EXPECT_FALSE(requirements.needsBucket);
  EXPECT_FALSE(requirements.needsRepository);
  requirements = policyRequirementsOf(std::nullopt, "", "@image", PolicyMode::Restricted);
  EXPECT_TRUE(requirements.needsBucket);
  EXPECT_TRUE(requirements.needsRepository);
  EXPECT_EQ(groupNamed("'My Domain'/Trainers").domain, "My Domain");
  EXPECT_EQ(groupNamed("Trainers").domain, "");
}

}  // namespace
}  // namespace lockstep::testing
