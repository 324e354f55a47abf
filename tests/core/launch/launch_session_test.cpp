// SPDX-License-Identifier: GPL-3.0-or-later
// The same train.yaml makes the same launch, whichever front end asks: desktop (texts, absolute names) or command
// line (names as somebody types them).
#include "launch/launch_session.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "starter/starter.h"
#include "temp_dir.h"

namespace lockstep {
namespace {

namespace fs = std::filesystem;

struct Case {
  std::string what, text;
};

StarterValues ownIds() {
  StarterValues values;
  values.compartment = "ocid1.compartment.oc1..aaaaaaaateam";
  values.project = "ocid1.datascienceproject.oc1.iad.aaaaaaaateam";
  values.subnet = "ocid1.subnet.oc1.iad.aaaaaaaateam";
  values.logGroup = "ocid1.loggroup.oc1.iad.aaaaaaaateam";
  values.log = "ocid1.log.oc1.iad.aaaaaaaateam";
  values.bucket = "dt-bucket@mytenancy";
  values.image = "iad.ocir.io/mytenancy/own:1";
  return values;
}

std::string withNodes(std::string text) {
  const std::size_t at = text.find("spec:\n");
  return at == std::string::npos ? text : text.replace(at, 6, "spec:\n  multiNode: {}\n");
}

/// Every train.yaml of every starter, with placeholders and filled in, in both layouts.
std::vector<Case> everyCase() {
  std::vector<Case> cases;
  for (const Starter& starter : starters()) {
    for (const StarterFile& file : starter.files) {
      if (!file.path.starts_with("train") || !file.path.ends_with(".yaml")) continue;
      const std::string open(file.content), name = starter.name + "/" + file.path;
      const auto filled = filledIn(open, ownIds());
      EXPECT_TRUE(filled) << name;
      const std::map<std::string, std::string> texts{{" open", open}, {" filled in", filled.value_or(open)}};
      for (const auto& [how, text] : texts) {
        cases.push_back({name + how, text});
        cases.push_back({name + how + ", one job run", withNodes(text)});
      }
    }
  }
  return cases;
}

LaunchTarget cloud() {
  return {{"/c", "TEAM", {}}, std::nullopt, false};
}
LaunchTarget rehearsal() {
  return {{"/c", "REHEARSAL", {}}, RehearsalOptions{}, false};
}

StartedTarget region() {
  RehearsalInfo info;
  info.places = {"C", "P", "S", "G", "L", "oci://lockstep@rehearsal/runs"};
  return {{"/c", "REHEARSAL", {}}, info};
}

struct LaunchSession : ::testing::Test {
  TempDir home;
  fs::path before = fs::current_path();

  LaunchSession() { fs::current_path(home.path()); }
  ~LaunchSession() override { fs::current_path(before); }
  /// As the desktop has it.
  [[nodiscard]] LaunchInput shown() const {
    return {(fs::current_path() / "train.yaml").string(), {}, {}, {}};
  }
  /// As somebody types it.
  [[nodiscard]] static LaunchInput typed() { return {"train.yaml", {}, {}, {}}; }
};

void expectSame(const PreparedLaunch& a, const PreparedLaunch& b) {
  EXPECT_EQ(a.request.name, b.request.name);
  EXPECT_EQ(a.request.plan.workDir, b.request.plan.workDir);
  EXPECT_EQ(a.request.trainYaml, b.request.trainYaml);
  EXPECT_EQ(a.request.trainFile, b.request.trainFile);
  EXPECT_EQ(a.request.codeFolder, b.request.codeFolder);
  EXPECT_EQ(a.codeFolder, b.codeFolder);
  EXPECT_EQ(a.request.image, b.request.image);
  EXPECT_EQ(a.rehearsing, b.rehearsing);
  ASSERT_EQ(a.request.plan.requests.size(), b.request.plan.requests.size());
  for (std::size_t i = 0; i < a.request.plan.requests.size(); ++i) {
    EXPECT_EQ(a.request.plan.requests[i].operation, b.request.plan.requests[i].operation);
    EXPECT_EQ(a.request.plan.requests[i].body.dump(), b.request.plan.requests[i].body.dump());
  }
}

TEST_F(LaunchSession, EveryStarterIsTheSameRunFromBothFrontEnds) {
  int launched = 0, refused = 0;
  for (const Case& one : everyCase()) {
    for (const LaunchTarget& target : {cloud(), rehearsal()}) {
      SCOPED_TRACE(one.what + " on " + target.query.profile);
      auto a = prepareLaunch(ClusterDocument(one.text), shown(), target);
      auto b = prepareLaunch(ClusterDocument(one.text), typed(), target);
      ASSERT_EQ(a.has_value(), b.has_value());
      ++(a ? launched : refused);
      if (!a) {
        EXPECT_EQ(describe(a.error()), describe(b.error()));
        continue;
      }
      if (target.rehearsal) {
        moveToTarget(*a, region());
        moveToTarget(*b, region());
        EXPECT_TRUE(a->request.plan.workDir.starts_with("oci://lockstep@rehearsal/"))
            << a->request.plan.workDir;
      }
      expectSame(*a, *b);
      EXPECT_EQ(a->request.name, a->request.plan.requests.front().body.at("displayName").get<std::string>());
      EXPECT_EQ(a->request.trainFile, shown().file);
    }
  }
  EXPECT_GE(launched, 16) << "each filled in, as one job run a node";
  EXPECT_GE(refused, 7) << "each with placeholders, in OCI";
}

TEST_F(LaunchSession, PlaceholdersMatterInOciOnly) {
  const ClusterDocument open{std::string(findStarter("pytorch")->files.front().content)};
  const auto refused = prepareLaunch(open, typed(), cloud());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::InvalidArgument);
  EXPECT_FALSE(refused.error().where.empty());
  auto draft = prepareLaunch(open, typed(), rehearsal());
  ASSERT_TRUE(draft) << describe(draft.error());
  EXPECT_EQ(moveToTarget(*draft, region()).size(), 6U);
  const auto& job = draft->request.plan.requests.front().body;
  EXPECT_EQ(job.at("compartmentId"), "C");
  EXPECT_EQ(job.at("projectId"), "P");
  EXPECT_EQ(draft->request.plan.workDir, "oci://lockstep@rehearsal/runs");
}

TEST_F(LaunchSession, AWorkDirInTheRegionsBucketStays) {
  const ClusterDocument own{std::string(findStarter("pytorch-cpp")->files.front().content)};
  auto prepared = prepareLaunch(own, shown(), rehearsal());
  ASSERT_TRUE(prepared) << describe(prepared.error());
  StartedTarget elsewhere = region();
  elsewhere.rehearsal->places.workDir = "oci://lockstep@rehearsal/other";
  moveToTarget(*prepared, elsewhere);
  EXPECT_EQ(prepared->request.plan.workDir, "oci://lockstep@rehearsal/runs");
  EXPECT_TRUE(moveToTarget(*prepared, {{}, std::nullopt}).empty()) << "OCI has no places of its own";
  EXPECT_EQ(prepared->request.plan.workDir, "oci://lockstep@rehearsal/runs");
}

TEST_F(LaunchSession, ARunThatIsLaunchedAgainKeepsItsName) {
  const ClusterDocument own{std::string(findStarter("pytorch-cpp")->files.front().content)};
  LaunchInput again = shown();
  again.name = "before";
  const auto prepared = prepareLaunch(own, again, rehearsal());
  ASSERT_TRUE(prepared) << describe(prepared.error());
  EXPECT_EQ(prepared->request.name, "before");
}

TEST_F(LaunchSession, VariablesBesideThoseOfTheFileReachEveryNode) {
  for (const Case& one : everyCase()) {
    LaunchInput input = shown();
    input.variables = {{"LOCKSTEP_POST_METRICS", "1"}};
    const auto prepared = prepareLaunch(ClusterDocument(one.text), input, rehearsal());
    if (!prepared) continue;
    for (const PlannedRequest& request : prepared->request.plan.requests) {
      std::size_t blocks = 0, set = 0;
      const std::string text = request.body.dump();
      for (std::size_t at = 0; (at = text.find("\"environmentVariables\":{", at)) != std::string::npos; ++at)
        ++blocks;
      for (std::size_t at = 0; (at = text.find("\"LOCKSTEP_POST_METRICS\":\"1\"", at)) != std::string::npos;
           ++at)
        ++set;
      EXPECT_EQ(set, blocks) << one.what << " " << request.operation;
    }
    EXPECT_NE(prepared->request.plan.requests.front().body.dump().find("LOCKSTEP_POST_METRICS"),
              std::string::npos)
        << one.what;
  }
}

TEST_F(LaunchSession, NoFolderStandsForTheCodeOfATextInNoFile) {
  const ClusterDocument own{std::string(findStarter("pytorch-cpp")->files.front().content)};
  const auto unsaved = prepareLaunch(own, {}, rehearsal());
  ASSERT_TRUE(unsaved) << describe(unsaved.error());
  EXPECT_FALSE(fs::exists(unsaved->codeFolder));
  EXPECT_TRUE(unsaved->request.codeFolder.empty());
  EXPECT_TRUE(unsaved->request.trainFile.empty());
  const auto piped = prepareLaunch(own, {"-", {}, {}, {}}, rehearsal());
  ASSERT_TRUE(piped);
  EXPECT_TRUE(piped->request.trainFile.empty());
  EXPECT_EQ(piped->request.codeFolder, fs::current_path().string());
}

struct ChosenTarget : ::testing::Test {
  TempDir home;

  [[nodiscard]] oci::ProfileQuery query(const std::string& profile) const {
    return {(home.path() / "config").string(), profile, {}};
  }
  void write(const std::string& profile) const {
    std::ofstream(home.path() / "config")
        << "[" << profile
        << "]\nuser=u\ntenancy=t\nfingerprint=aa:bb\nregion=us-ashburn-1\nkey_file=/k.pem\n";
  }
};

TEST_F(ChosenTarget, IsTheRegionWhenTheProfileIsItsOwnHoweverItIsNamed) {
  write("TEAM");
  EXPECT_TRUE(chosenTarget({query("REHEARSAL"), {}, {}}).rehearsal);
  EXPECT_TRUE(chosenTarget({query("TEAM"), "rehearsal", {}}).rehearsal);
  EXPECT_TRUE(chosenTarget({query("TEAM"), {}, "rehearsal"}).rehearsal);
  const LaunchTarget own = chosenTarget({query("TEAM"), {}, {}});
  EXPECT_FALSE(own.rehearsal);
  EXPECT_FALSE(own.lacksProfile);
  EXPECT_EQ(own.query.profile, "TEAM");
}

TEST_F(ChosenTarget, OfAMachineWithoutAProfileIsTheRegion) {
  const LaunchTarget none = chosenTarget({query(""), {}, {}});
  EXPECT_TRUE(none.rehearsal);
  EXPECT_TRUE(none.lacksProfile);
  EXPECT_EQ(none.query.profile, "REHEARSAL");
  EXPECT_FALSE(chosenTarget({query("TEAM"), {}, {}}).rehearsal) << "it is named, and to be explained";
  EXPECT_FALSE(chosenTarget({query(""), "oci", {}}).rehearsal);
}

}  // namespace
}  // namespace lockstep
