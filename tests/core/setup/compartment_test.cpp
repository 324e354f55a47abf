// SPDX-License-Identifier: GPL-3.0-or-later
// A tenancy without a compartment: set-up makes one, and everything else in it; nothing lands in the root.
#include <gtest/gtest.h>

#include "setup/step/setup_facts.h"
#include "tests/setup_faults/setup_world.h"

namespace lockstep::testing {
namespace {

using nlohmann::json;

const std::vector<std::string> kSteps{"project", "network", "bucket", "policies", "repository", "logging"};
constexpr const char* kCompartments = "/20160918/compartments";

struct Listed {
  std::string step;
  ProposedFix fix;
};

struct CompartmentTest : ::testing::Test {
  SetupWorld world{"empty"};

  CompartmentTest() { world.hasTrainYaml = false; }

  [[nodiscard]] StepReport check(const std::string& step) const {
    return makeSetupStep(step, world.context())->check({});
  }
  [[nodiscard]] std::vector<Listed> allFixes() const {
    std::vector<Listed> all;
    for (const std::string& step : kSteps)
      for (const ProposedFix& fix : check(step).fixes)
        if (fix.isDoneUnasked() && fix.id != "probe-bucket") all.push_back({step, fix});
    return all;
  }
  /// Everything that is made by somebody in this compartment, but policies of the region's own.
  [[nodiscard]] json thingsIn(const std::string& id) const {
    json things = json::array();
    for (const char* list : {"/20190101/projects", "/20160918/vcns", "/n/rehearsal/b", "/20200531/logGroups",
                             "/20160918/container/repositories"}) {
      const json answer = world.get(std::string(list) + "?compartmentId=" + id);
      for (const json& one : answer.is_object() ? answer.at("items") : answer) things.push_back(one);
    }
    return things;
  }
  std::string make(const std::string& name) {
    return world
        .post(kCompartments, {{"compartmentId", world.tenancy()}, {"name", name}, {"description", name}})
        .at("id");
  }
  [[nodiscard]] json compartments() const {
    return world.get(std::string(kCompartments) + "?lifecycleState=ACTIVE&compartmentId=" + world.tenancy());
  }
};

std::string textOf(const StepReport& report) {
  return toJson(report).dump(1);
}

const ProposedFix* fixOf(const StepReport& report, const std::string& id) {
  for (const ProposedFix& one : report.fixes)
    if (one.id == id) return &one;
  return nullptr;
}

bool hasCode(const StepReport& report, const std::string& code) {
  return std::any_of(report.findings.begin(), report.findings.end(),
                     [&](const Finding& one) { return one.code == code; });
}

}  // namespace

TEST_F(CompartmentTest, EverythingIsProposedAtOnceAndWaitsForTheCompartment) {
  const StepReport project = check("project");
  EXPECT_EQ(project.state, StepState::Blocked);
  EXPECT_TRUE(hasCode(project, "compartment-none")) << textOf(project);
  ASSERT_EQ(project.fixes.size(), 2U) << textOf(project);
  EXPECT_EQ(project.fixes[0].id, "create-compartment");
  EXPECT_EQ(project.fixes[0].waitsFor, "");
  EXPECT_FALSE(project.facts.contains("infrastructure.compartmentId")) << "there is none yet";
  for (const Listed& one : allFixes()) {
    if (one.fix.id == "create-compartment") continue;
    EXPECT_EQ(one.fix.waitsFor, "create-compartment") << one.fix.id;
    EXPECT_EQ(one.fix.after.find(world.tenancy()), std::string::npos) << one.fix.after;
    const auto refused = one.fix.apply({});
    ASSERT_FALSE(refused) << one.fix.id;
    EXPECT_EQ(refused.error().code, ErrorCode::FailedPrecondition) << describe(refused.error());
  }
  EXPECT_EQ(thingsIn(world.tenancy()), json::array());
  const std::string policies = textOf(check("policies"));
  EXPECT_NE(policies.find("in compartment lockstep"), std::string::npos) << policies;
  EXPECT_EQ(policies.find("compartment id ocid1.compartment.to-be-created"), std::string::npos)
      << "an administrator cannot paste that";
}

TEST_F(CompartmentTest, WhatWasListedIsWhatIsProposedOnceItIsThereAndTheRootStaysEmpty) {
  const std::vector<Listed> listed = allFixes();
  std::vector<std::string> ids;
  std::vector<std::pair<std::string, AppliedChange>> made;
  for (const Listed& one : listed) {
    ids.push_back(one.fix.id);
    const StepReport now = check(one.step);
    const ProposedFix* fix = fixOf(now, one.fix.id);
    ASSERT_NE(fix, nullptr) << one.fix.id << textOf(now);
    EXPECT_EQ(fix->title, one.fix.title);
    EXPECT_EQ(fix->calls, one.fix.calls);
    EXPECT_EQ(fix->waitsFor, "");
    const auto changes = fix->apply({});
    ASSERT_TRUE(changes) << describe(changes.error());
    for (const AppliedChange& change : *changes) made.emplace_back(one.step, change);
  }
  EXPECT_EQ(ids,
            (std::vector<std::string>{"create-compartment", "create-project", "create-network",
                                      "create-bucket", "grant-missing", "create-repository", "create-log"}));
  EXPECT_EQ(thingsIn(world.tenancy()), json::array());
  ASSERT_EQ(compartments().size(), 1U);
  EXPECT_EQ(compartments()[0]["name"], "lockstep");
  EXPECT_EQ(thingsIn(compartments()[0]["id"]).size(), 5U);
  for (const std::string& step : kSteps) {
    const StepReport report = check(step);
    // Without a train.yaml the ports of frameworks that nobody uses stay closed.
    EXPECT_EQ(report.state, step == "network" ? StepState::Warning : StepState::Ready)
        << step << textOf(report);
  }
  const StepReport project = check("project");
  EXPECT_EQ(project.names.at(project.facts.at("infrastructure.compartmentId")), "lockstep");
  EXPECT_EQ(project.names.at(project.facts.at("infrastructure.projectId")), "lockstep");
  const StepReport network = check("network");
  EXPECT_EQ(network.names.at(network.facts.at("infrastructure.subnetId")), "lockstep");
  for (auto one = made.rbegin(); one != made.rend(); ++one) {
    const auto done = makeSetupStep(one->first, world.context())->takeBack(one->second, {});
    EXPECT_TRUE(done) << one->second.title << describe(done.error());
  }
  EXPECT_EQ(compartments(), json::array());
}

TEST_F(CompartmentTest, WhoTrainsInTheRootAlreadyGoesOnDoingSo) {
  world.post("/20190101/projects", {{"compartmentId", world.tenancy()}, {"displayName", "ours"}});
  const StepReport project = check("project");
  EXPECT_EQ(project.state, StepState::Ready) << textOf(project);
  EXPECT_TRUE(project.fixes.empty()) << textOf(project);
  EXPECT_EQ(project.facts.at("infrastructure.compartmentId"), world.tenancy());
  const StepReport bucket = check("bucket");
  ASSERT_NE(fixOf(bucket, "create-bucket"), nullptr) << textOf(bucket);
  EXPECT_EQ(fixOf(bucket, "create-bucket")->waitsFor, "");
  EXPECT_NE(fixOf(bucket, "create-bucket")->title.find("(root)"), std::string::npos);
}

TEST_F(CompartmentTest, TheRootIsUsedWhereItIsNamed) {
  world.choices.compartmentId = world.tenancy();
  const StepReport chosen = check("project");
  EXPECT_FALSE(hasCode(chosen, "compartment-none")) << textOf(chosen);
  ASSERT_NE(fixOf(chosen, "create-project"), nullptr) << textOf(chosen);
  EXPECT_TRUE(fixOf(chosen, "create-project")->apply({}));
  EXPECT_EQ(check("project").state, StepState::Ready);
  world.choices.compartmentId.clear();
  world.hasTrainYaml = true;
  world.setField("spec.infrastructure.spec.compartmentId", world.tenancy());
  EXPECT_FALSE(hasCode(check("project"), "compartment-missing"));
}

TEST_F(CompartmentTest, ItIsCalledAsOneLikes) {
  make("others");
  EXPECT_EQ(fixOf(check("project"), "create-compartment"), nullptr) << "the only one is meant";
  world.choices.newCompartment = "no blanks";
  const StepReport refused = check("project");
  EXPECT_TRUE(hasCode(refused, "compartment-name")) << textOf(refused);
  EXPECT_TRUE(refused.fixes.empty());
  world.choices.newCompartment = "training";
  const StepReport report = check("project");
  ASSERT_NE(fixOf(report, "create-compartment"), nullptr) << textOf(report);
  EXPECT_EQ(fixOf(report, "create-compartment")->title, "create compartment 'training' in the tenancy");
  ASSERT_TRUE(fixOf(report, "create-compartment")->apply({}));
  const StepReport after = check("project");
  EXPECT_EQ(after.names.at(after.facts.at("infrastructure.compartmentId")), "training") << textOf(after);
  EXPECT_EQ(compartments().size(), 2U);
}

TEST_F(CompartmentTest, TakingItBackWaitsUntilItIsGone) {
  const auto changes = fixOf(check("project"), "create-compartment")->apply({});
  ASSERT_TRUE(changes);
  const std::string id = changes->front().undo.at("compartmentId"),
                    path = std::string(kCompartments) + "/" + id;
  const auto step = makeSetupStep("project", world.context());
  world.send("DELETE", path);
  EXPECT_EQ(world.get(path).at("lifecycleState"), "DELETING");
  ASSERT_TRUE(step->takeBack(changes->front(), {}));
  EXPECT_EQ(world.get(path).at("lifecycleState"), "DELETED");
  EXPECT_TRUE(step->takeBack(changes->front(), {})) << "it is gone already";
}

TEST_F(CompartmentTest, WhatIsInItKeepsIt) {
  const auto changes = fixOf(check("project"), "create-compartment")->apply({});
  ASSERT_TRUE(changes);
  world.post("/20190101/projects",
             {{"compartmentId", changes->front().undo.at("compartmentId")}, {"displayName", "somebody's"}});
  const auto done = makeSetupStep("project", world.context())->takeBack(changes->front(), {});
  ASSERT_FALSE(done);
  EXPECT_NE(done.error().remedy.find("something is in it"), std::string::npos) << describe(done.error());
  EXPECT_EQ(compartments().size(), 1U);
}

// Where a thing lies is told by name.
TEST_F(CompartmentTest, OtherCompartmentsAreNamed) {
  const std::string ours = make("training"), other = make("storage");
  world.post("/n/rehearsal/b", {{"name", "work"}, {"compartmentId", other}});
  world.choices.compartmentId = ours;
  world.choices = withFacts(world.choices, {{"cluster.workDir", "oci://work@rehearsal/runs"}});
  const StepReport report = check("bucket");
  EXPECT_TRUE(hasCode(report, "bucket-other-compartment")) << textOf(report);
  EXPECT_NE(textOf(report).find("in compartment storage (" + other + ")"), std::string::npos)
      << textOf(report);
}

}  // namespace lockstep::testing
