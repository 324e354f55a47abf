// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "base/atomic_file.h"
#include "cluster/document/cluster_document.h"
#include "setup/journal/setup_memory.h"
#include "setup/step/setup_facts.h"
#include "temp_dir.h"

using namespace lockstep;

namespace {

struct MemoryTest : testing::Test {
  TempDir dir;
  std::filesystem::path file = dir.path() / "setup.json";
  const oci::ProfileQuery first{(dir.path() / "config").string(), "FIRST"};
  const oci::ProfileQuery second{(dir.path() / "config").string(), "SECOND"};
};

RememberedSetup someSetup() {
  RememberedSetup setup;
  setup.choices.compartmentId = "ocid1.compartment.oc1..a";
  setup.choices.workDir = "file:///runs";
  setup.choices.newUser = "ocid1.user.oc1..u";
  setup.choices.newCompartment = "training";
  setup.choices.policyMode = PolicyMode::Scoped;
  setup.choices.accountKind = oci::AccountKind::Federated;
  setup.choices.launcher = "dynamic-group";
  setup.choices.waived = {{"ocir-login", "a colleague pushes"}};
  StepReport report = reportOf({{StepState::Warning, "text", "evidence", "remedy", "code", "cause"}});
  report.facts = {{"cluster.workDir", "oci://b@n/p"}};
  report.names = {{"ocid1.compartment.oc1..a", "training"}};
  report.tables = {{"ports", {"port", "in"}, {{{"29400"}, {"yes", StepState::Ready, "rule 2"}}}}};
  ProposedFix fix;
  fix.id = "fix-it";
  report.fixes.push_back(fix);
  setup.reports["bucket"] = report;
  setup.checkedAt = TimePoint(std::chrono::seconds(1'700'000'000));
  return setup;
}

}  // namespace

TEST_F(MemoryTest, WhatIsRememberedComesBackWithoutTheFixes) {
  ASSERT_TRUE(SetupMemory(file).remember(first, someSetup()));
  const RememberedSetup back = SetupMemory(file).recall(first);
  EXPECT_EQ(back.choices.compartmentId, "ocid1.compartment.oc1..a");
  EXPECT_EQ(back.choices.workDir, "file:///runs");
  EXPECT_EQ(back.choices.newUser, "ocid1.user.oc1..u");
  EXPECT_EQ(back.choices.newCompartment, "training");
  EXPECT_EQ(back.choices.policyMode, PolicyMode::Scoped);
  EXPECT_EQ(back.choices.accountKind, oci::AccountKind::Federated);
  EXPECT_EQ(back.choices.launcher, "dynamic-group");
  EXPECT_EQ(back.reports.at("bucket").findings.at(0).cause, "cause");
  EXPECT_EQ(back.choices.waived, someSetup().choices.waived);
  EXPECT_EQ(back.checkedAt, someSetup().checkedAt);
  StepReport expected = someSetup().reports["bucket"];
  expected.fixes.clear();
  EXPECT_EQ(toJson(back.reports.at("bucket")), toJson(expected));
}

TEST_F(MemoryTest, ProfilesAreKeptApartAndTheFileIsTheOwnersAlone) {
  ASSERT_TRUE(SetupMemory(file).remember(first, someSetup()));
  EXPECT_TRUE(SetupMemory(file).recall(second).choices.compartmentId.empty());
  RememberedSetup other;
  other.choices.bucket = "theirs";
  ASSERT_TRUE(SetupMemory(file).remember(second, other));
  EXPECT_EQ(SetupMemory(file).recall(first).choices.compartmentId, "ocid1.compartment.oc1..a");
  EXPECT_EQ(SetupMemory(file).recall(second).choices.bucket, "theirs");
  struct stat info {};
  ASSERT_EQ(::stat(file.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 07777, 0600u);
}

TEST_F(MemoryTest, AFileThatCannotBeReadIsKeptAside) {
  std::ofstream(file) << "not JSON at all";
  EXPECT_TRUE(SetupMemory(file).recall(first).reports.empty());
  ASSERT_TRUE(SetupMemory(file).remember(first, someSetup()));
  EXPECT_EQ(SetupMemory(file).recall(first).choices.compartmentId, "ocid1.compartment.oc1..a");
  EXPECT_EQ(*readFile(file.string() + ".unreadable"), "not JSON at all");
}

TEST_F(MemoryTest, MembersOfAnotherShapeReadAsNothing) {
  ASSERT_TRUE(SetupMemory(file).remember(first, someSetup()));
  nlohmann::json document = nlohmann::json::parse(*readFile(file));
  for (auto& [key, profile] : document["profiles"].items())
    profile = {{"choices", {{"compartmentId", 7}, {"waived", "no"}}},
               {"reports", {{"bucket", {{"findings", 3}}}}}};
  std::ofstream(file) << document.dump();
  const RememberedSetup back = SetupMemory(file).recall(first);
  EXPECT_TRUE(back.choices.compartmentId.empty());
  EXPECT_EQ(back.reports.at("bucket").state, StepState::Unknown);
}

TEST(SetupFacts, GoIntoTheirFieldsAndLeaveEverythingElse) {
  const std::string text =
      "kind: distributed  # a comment\n"
      "spec:\n"
      "  infrastructure:\n"
      "    spec:\n"
      "      subnetId: <OCID of a private subnet>   # the nodes talk in here\n"
      "  cluster:\n"
      "    spec:\n"
      "      image: a/b:1\n";
  const auto after = withFacts(ClusterDocument(text), {{"infrastructure.subnetId", "ocid1.subnet.oc1..s"},
                                                       {"infrastructure.logId", "ocid1.log.oc1..l"},
                                                       {"spec.cluster.spec.image", "a/b:1"}});
  ASSERT_TRUE(after) << describe(after.error());
  EXPECT_NE(after->text().find("ocid1.subnet.oc1..s"), std::string::npos) << after->text();
  EXPECT_NE(after->text().find("# the nodes talk in here"), std::string::npos) << after->text();
  EXPECT_NE(after->text().find("# a comment"), std::string::npos);
  EXPECT_NE(after->text().find("logId: ocid1.log.oc1..l"), std::string::npos) << after->text();
}

TEST(SetupFacts, PartsThatTheFileDoesNotHaveStayAway) {
  const std::string text = "kind: job\nspec:\n  infrastructure:\n    spec:\n      shapeName: VM.GPU.A10.1\n";
  const auto after = withFacts(ClusterDocument(text), {{"cluster.workDir", "oci://b@n/p"}});
  ASSERT_TRUE(after) << describe(after.error());
  EXPECT_EQ(after->text(), text);
}

TEST(SetupFacts, WhatIsTakenBackIsNoChoiceAnyMore) {
  SetupChoices choices;
  choices.compartmentId = "ocid1.compartment.oc1..made";
  choices.projectId = "ocid1.datascienceproject.oc1..other";
  AppliedChange change;
  change.kind = "compartment-created";
  change.undo = {{"compartmentId", "ocid1.compartment.oc1..made"}, {"name", "lockstep"}};
  const SetupChoices after = withoutMade(choices, change);
  EXPECT_EQ(after.compartmentId, "");
  EXPECT_EQ(after.projectId, choices.projectId);
  change.kind = "log-enabled";  // what was there before stays
  EXPECT_EQ(withoutMade(choices, change).compartmentId, choices.compartmentId);
}

TEST(SetupFacts, BecomeTheChoicesOfTheNextSteps) {
  SetupChoices choices;
  choices.logId = "old";
  choices = withFacts(choices, {{"infrastructure.logId", "new"},
                                {"cluster.workDir", "oci://b@n/p/q"},
                                {"cluster.image", "iad.ocir.io/n/r:1"},
                                {"something.else", "x"}});
  EXPECT_EQ(choices.logId, "new");
  EXPECT_EQ(choices.bucket, "b");
  EXPECT_EQ(choices.nameSpace, "n");
  EXPECT_EQ(choices.bucketPrefix, "p/q");
  EXPECT_EQ(choices.image, "iad.ocir.io/n/r:1");
}
