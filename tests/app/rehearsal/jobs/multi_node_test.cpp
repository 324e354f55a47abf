// SPDX-License-Identifier: GPL-3.0-or-later
// Job runs of several nodes: one job run, a process tree for each node.
#include <gtest/gtest.h>
#include <signal.h>

#include <fstream>
#include <set>

#include "rehearsal/support/process_tree.h"
#include "tests/app/rehearsal/region/region_under_test.h"

namespace lockstep::testing {
namespace {

using nlohmann::json;
using Lines = std::vector<std::string>;

constexpr const char* kEntrypoint = R"(eval "$SCRIPT")";
const Lines kEnded{"SUCCEEDED", "FAILED", "CANCELED"};

json groupOf(const std::string& name, int replicas, const std::string& script) {
  return {
      {"name", name},
      {"replicas", replicas},
      {"jobInfrastructureConfigurationDetails",
       {{"jobInfrastructureType", "MULTI_NODE"},
        {"shapeName", "VM.Standard2.1"},
        {"blockStorageSizeInGBs", 50}}},
      {"jobConfigurationDetails", {{"jobType", "DEFAULT"}, {"environmentVariables", {{"SCRIPT", script}}}}},
      {"jobEnvironmentConfigurationDetails",
       {{"jobEnvironmentType", "OCIR_CONTAINER"}, {"image", "iad.ocir.io/ns/trainer:1"}}}};
}

class MultiNode : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    region_ =
        std::make_unique<RegionUnderTest>(kEntrypoint, Lines{"--grace-ms", "700", "--sample-ms", "100"});
  }
  static void TearDownTestSuite() { region_.reset(); }
  static std::unique_ptr<RegionUnderTest> region_;

  static json jobBody(const std::vector<json>& groups, const json& more = json::object()) {
    json body = region_->jobBody();
    for (const char* name : {"jobConfigurationDetails", "jobInfrastructureConfigurationDetails",
                             "jobEnvironmentConfigurationDetails"})
      body.erase(name);
    body["jobNodeConfigurationDetails"] = {
        {"jobNodeType", "MULTI_NODE"},
        {"startupOrder", "IN_PARALLEL"},
        {"jobNetworkConfiguration", {{"jobNetworkType", "DEFAULT_NETWORK"}}},
        {"jobNodeGroupConfigurationDetailsList", groups}};
    body["jobNodeConfigurationDetails"].update(more);
    return body;
  }
  static std::string launchJob(const json& body, const json& overrides = json::object()) {
    const TestResponse job = region_->caller().post("/20190101/jobs", body);
    EXPECT_EQ(job.status, 200) << job.body;
    json run{{"projectId", region_->place("projectId")},
             {"compartmentId", region_->place("compartmentId")},
             {"jobId", job.json()["id"]}};
    run.update(overrides);
    const TestResponse response = region_->caller().post("/20190101/jobRuns", run);
    EXPECT_EQ(response.status, 200) << response.body;
    return response.json().value("id", "");
  }
  static std::string launch(const std::vector<json>& groups, const json& more = json::object(),
                            const json& overrides = json::object()) {
    return launchJob(jobBody(groups, more), overrides);
  }
  static json run(const std::string& id) { return region_->caller().get("/20190101/jobRuns/" + id).json(); }
  static Lines sortedMessages(const std::string& id) {
    Lines lines = region_->messagesOf(id);
    std::sort(lines.begin(), lines.end());
    return lines;
  }
  static bool gone(const std::string& id) { return rehearsal::processesOfRun(id).empty(); }
  static std::filesystem::path folderOf(const std::string& id) {
    return region_->stateFolder() / "runs" / id.substr(id.rfind('.') + 1);
  }
};
std::unique_ptr<RegionUnderTest> MultiNode::region_;

TEST_F(MultiNode, EveryNodeHasItsRankAndTheAddressesOfAll) {
  const std::string id = launch(
      {groupOf("first", 2,
               "until [ \"$(grep -o IPAddress $CLUSTER_NODES_METADATA_FILE 2>/dev/null | wc -l)\" = 3 ]; do "
               "sleep 0.05; done; echo node $NODE_RANK of $INITIAL_CLUSTER_SIZE; "
               "[ $NODE_RANK = 0 ] && cat $CLUSTER_NODES_METADATA_FILE && echo; exit 0"),
       groupOf("second", 1, "echo node $NODE_RANK of $INITIAL_CLUSTER_SIZE $FQDN")});
  const json ended = region_->waitForState(id, kEnded);
  EXPECT_EQ(ended["lifecycleState"], "SUCCEEDED") << ended;
  EXPECT_EQ(ended["jobConfigurationOverrideDetails"]["jobType"], "EMPTY");
  EXPECT_EQ(ended["jobInfrastructureConfigurationDetails"]["jobInfrastructureType"], "EMPTY");
  ASSERT_EQ(ended["nodeGroupDetailsList"].size(), 2u);
  EXPECT_EQ(ended["nodeGroupDetailsList"][0]["name"], "first");
  EXPECT_EQ(ended["nodeGroupDetailsList"][0]["lifecycleState"], "DELETED");
  const Lines lines = sortedMessages(id);
  ASSERT_EQ(lines.size(), 4u) << json(lines);
  const json cluster = json::parse(lines[0], nullptr, false);
  ASSERT_EQ(cluster.size(), 3u) << lines[0];
  for (int rank = 0; rank < 3; ++rank) {
    EXPECT_EQ(cluster[static_cast<std::size_t>(rank)]["Rank"], rank);
    EXPECT_FALSE(cluster[static_cast<std::size_t>(rank)]["IPAddress"].get<std::string>().empty());
  }
  EXPECT_EQ(lines[1], "node 0 of 3");
  EXPECT_EQ(lines[2], "node 1 of 3");
  EXPECT_TRUE(lines[3].starts_with("node 2 of 3 ")) << lines[3];
  EXPECT_TRUE(gone(id));
}

TEST_F(MultiNode, GroupsShowWhereTheyAre) {
  const std::string id = launch({groupOf("workers", 2, "echo up; sleep 1000")});
  const json created = run(id)["nodeGroupDetailsList"][0];
  EXPECT_TRUE(created["lifecycleState"] == "CREATING" || created["lifecycleState"] == "ACTIVE") << created;
  ASSERT_TRUE(eventually([&] { return run(id)["nodeGroupDetailsList"][0]["lifecycleState"] == "ACTIVE"; }));
  EXPECT_EQ(run(id)["lifecycleState"], "IN_PROGRESS");
  ASSERT_TRUE(eventually([&] { return region_->messagesOf(id).size() == 2; }));
  EXPECT_EQ(region_->caller().send("POST", "/20190101/jobRuns/" + id + "/actions/cancelJobRun").status, 204);
  const json ended = region_->waitForState(id, kEnded);
  EXPECT_EQ(ended["lifecycleState"], "CANCELED");
  EXPECT_EQ(ended["nodeGroupDetailsList"][0]["lifecycleState"], "DELETED");
  EXPECT_TRUE(gone(id));
  EXPECT_EQ(region_->caller().send("DELETE", "/20190101/jobRuns/" + id).status, 204);
}

TEST_F(MultiNode, AFailedNodeEndsTheRun) {
  const std::string id =
      launch({groupOf("workers", 3, "[ $NODE_RANK = 1 ] && { echo broken; exit 5; }; sleep 1000")});
  const json ended = region_->waitForState(id, kEnded);
  EXPECT_EQ(ended["lifecycleState"], "FAILED");
  const std::string details = ended["lifecycleDetails"];
  EXPECT_NE(details.find("node 1"), std::string::npos) << details;
  EXPECT_NE(details.find("exit code 5"), std::string::npos) << details;
  EXPECT_EQ(ended["nodeGroupDetailsList"][0]["lifecycleState"], "FAILED");
  EXPECT_EQ(ended["nodeGroupDetailsList"][0]["lifecycleDetails"], details);
  EXPECT_TRUE(gone(id));
  EXPECT_EQ(region_->messagesOf(id), Lines{"broken"});
}

TEST_F(MultiNode, AGroupNeedsOnlySoManySuccesses) {
  json group = groupOf("workers", 3, "[ $NODE_RANK = 1 ] && exit 5; echo done");
  group["minimumSuccessReplicas"] = 2;
  const std::string id = launch({group, groupOf("main", 1, "sleep 0.5; echo last")});
  const json ended = region_->waitForState(id, kEnded);
  EXPECT_EQ(ended["lifecycleState"], "SUCCEEDED") << ended;
  EXPECT_EQ(sortedMessages(id), (Lines{"done", "done", "last"}));
}

TEST_F(MultiNode, WhoIsNotNeededIsEndedWithTheRest) {
  json servers =
      groupOf("servers", 1, "trap 'echo flushed; exit 0' TERM; echo serving; while true; do sleep 0.1; done");
  servers["minimumSuccessReplicas"] = 0;
  const std::string id = launch({servers, groupOf("workers", 1, "sleep 1; echo trained")});
  EXPECT_EQ(region_->waitForState(id, kEnded)["lifecycleState"], "SUCCEEDED");
  const Lines said = region_->messagesOf(id);  // the shell may say "Terminated" of its own `sleep` besides
  for (const char* line : {"flushed", "serving", "trained"})
    EXPECT_EQ(std::count(said.begin(), said.end(), line), 1) << line;
  EXPECT_TRUE(gone(id));
}

TEST_F(MultiNode, GroupsStartInOrderOnceTheirProbesSucceed) {
  json first = groupOf("first", 1, "sleep 1; echo ready; touch ready; sleep 2; exit 0");
  first["jobConfigurationDetails"]["startupProbeDetails"] = {{"jobProbeCheckType", "EXEC"},
                                                             {"command", {"test", "-e", "ready"}},
                                                             {"periodInSeconds", 1},
                                                             {"failureThreshold", 20}};
  const std::string id = launch({first, groupOf("second", 1, "echo second")}, {{"startupOrder", "IN_ORDER"}});
  EXPECT_EQ(region_->waitForState(id, kEnded)["lifecycleState"], "SUCCEEDED");
  EXPECT_EQ(region_->messagesOf(id), (Lines{"ready", "second"}));
}

TEST_F(MultiNode, ANodeThatIsNeverReadyFails) {
  json first = groupOf("first", 1, "sleep 1000");
  first["jobConfigurationDetails"]["startupProbeDetails"] = {
      {"jobProbeCheckType", "EXEC"}, {"command", {"false"}}, {"periodInSeconds", 1}, {"failureThreshold", 2}};
  const std::string id = launch({first, groupOf("second", 1, "echo never")}, {{"startupOrder", "IN_ORDER"}});
  const json ended = region_->waitForState(id, kEnded);
  EXPECT_EQ(ended["lifecycleState"], "FAILED");
  EXPECT_NE(ended["lifecycleDetails"].get<std::string>().find("startup probe failed 2 times"),
            std::string::npos)
      << ended;
  EXPECT_EQ(region_->messagesOf(id), Lines{});
}

TEST_F(MultiNode, OverridesMeetTheirGroupByName) {
  const json overrides{{"jobNodeConfigurationOverrideDetails",
                        {{"jobNodeType", "MULTI_NODE"},
                         {"jobNodeGroupConfigurationDetailsList",
                          {{{"name", "b"},
                            {"jobConfigurationDetails",
                             {{"jobType", "DEFAULT"}, {"environmentVariables", {{"WORD", "changed"}}}}}}}}}}};
  const std::string id =
      launch({groupOf("a", 1, "echo a $WORD"), groupOf("b", 1, "echo b $WORD")}, json::object(), overrides);
  const json ended = region_->waitForState(id, kEnded);
  EXPECT_EQ(ended["lifecycleState"], "SUCCEEDED");
  EXPECT_EQ(ended["jobNodeConfigurationOverrideDetails"], overrides["jobNodeConfigurationOverrideDetails"]);
  EXPECT_EQ(sortedMessages(id), (Lines{"a", "b changed"}));
}

TEST_F(MultiNode, BodiesAreChecked) {
  const auto answer = [&](const json& body) {
    const TestResponse response = region_->caller().post("/20190101/jobs", body);
    return std::to_string(response.status) + " " + response.code() + " " +
           response.json().value("message", "");
  };
  const auto expect = [&](const json& body, const std::string& code, const std::string& place) {
    const std::string said = answer(body);
    EXPECT_TRUE(said.starts_with("400 " + code) && said.find(place) != std::string::npos) << said;
  };
  const auto changed = [&](const std::string& pointer, const json& value) {
    json body = jobBody({groupOf("a", 1, "true"), groupOf("b", 1, "true")});
    json& place = body[json::json_pointer("/jobNodeConfigurationDetails" + pointer)];
    place = value;
    return body;
  };
  const std::string group = "/jobNodeGroupConfigurationDetailsList/1";
  expect(changed("/jobNodeType", nullptr), "MissingParameter", "jobNodeConfigurationDetails.jobNodeType");
  expect(changed("/startupOrder", "SOMEHOW"), "InvalidParameter", "startupOrder");
  expect(changed("/jobNetworkConfiguration", {{"jobNetworkType", "CUSTOM_NETWORK"}}), "MissingParameter",
         "jobNetworkConfiguration.subnetId");
  expect(changed("/jobNodeGroupConfigurationDetailsList", json::array()), "InvalidParameter",
         "jobNodeGroupConfigurationDetailsList");
  expect(changed(group + "/name", "a"), "InvalidParameter", "two groups have the name 'a'");
  expect(changed(group + "/name", nullptr), "MissingParameter",
         "jobNodeGroupConfigurationDetailsList[1].name");
  expect(changed(group + "/replicas", 0), "InvalidParameter", "[1].replicas");
  expect(changed(group + "/minimumSuccessReplicas", 2), "InvalidParameter", "[1].minimumSuccessReplicas");
  expect(changed(group + "/jobInfrastructureConfigurationDetails", nullptr), "MissingParameter",
         "[1].jobInfrastructureConfigurationDetails");
  expect(changed(group + "/jobInfrastructureConfigurationDetails/jobInfrastructureType", "ME_STANDALONE"),
         "InvalidParameter", "[1].jobInfrastructureConfigurationDetails.jobInfrastructureType");
  json both = jobBody({groupOf("a", 1, "true")});
  both["jobInfrastructureConfigurationDetails"] = region_->jobBody()["jobInfrastructureConfigurationDetails"];
  expect(both, "InvalidParameter", "jobInfrastructureConfigurationDetails");
  json probe = jobBody({groupOf("a", 1, "true")});
  json& configuration = probe["jobNodeConfigurationDetails"]["jobNodeGroupConfigurationDetailsList"][0]
                             ["jobConfigurationDetails"];
  configuration["startupProbeDetails"] = {{"jobProbeCheckType", "EXEC"}};
  expect(probe, "MissingParameter", "startupProbeDetails.command");
  configuration["startupProbeDetails"] = {{"command", {"true"}}};
  expect(probe, "MissingParameter", "jobProbeCheckType");
}

TEST_F(MultiNode, OverridesThatDoNotFitAreRefused) {
  const json job = region_->caller().post("/20190101/jobs", jobBody({groupOf("a", 1, "true")})).json();
  const auto refused = [&](const json& overrides, const std::string& jobId) {
    json body{{"projectId", region_->place("projectId")},
              {"compartmentId", region_->place("compartmentId")},
              {"jobId", jobId}};
    body.update(overrides);
    const TestResponse response = region_->caller().post("/20190101/jobRuns", body);
    return response.code() + " " + response.json().value("message", "");
  };
  const json other{{"jobNodeConfigurationOverrideDetails",
                    {{"jobNodeType", "MULTI_NODE"},
                     {"jobNodeGroupConfigurationDetailsList", json::array({{{"name", "other"}}})}}}};
  EXPECT_NE(refused(other, job["id"]).find("no node group 'other'"), std::string::npos);
  const json top{{"jobConfigurationOverrideDetails", {{"jobType", "DEFAULT"}}}};
  EXPECT_TRUE(
      refused(top, job["id"]).starts_with("InvalidParameter The parameter 'jobConfigurationOverride"));
  const json single = region_->caller().post("/20190101/jobs", region_->jobBody()).json();
  EXPECT_NE(refused(other, single["id"]).find("the job has no node groups"), std::string::npos);
}

TEST_F(MultiNode, AKilledNodeIsToldHonestly) {
  const std::string id = launch({groupOf("workers", 2, "echo up; sleep 1000")});
  ASSERT_TRUE(eventually([&] { return region_->messagesOf(id).size() == 2; }));
  std::ifstream file(folderOf(id) / "nodes" / "1" / "supervisor.json");
  ::kill(json::parse(file)["pid"].get<pid_t>(), SIGKILL);
  const json ended = region_->waitForState(id, kEnded);
  EXPECT_EQ(ended["lifecycleState"], "FAILED");
  EXPECT_NE(ended["lifecycleDetails"].get<std::string>().find("node 1"), std::string::npos) << ended;
  EXPECT_TRUE(gone(id));
}

TEST(MultiNodeLife, SurvivesTheDeathOfTheRegion) {
  RegionUnderTest region(kEntrypoint);
  const std::string wait =
      "for i in $(seq 1 20); do echo before $NODE_RANK $i; done; while [ ! -e go ]; do "
      "sleep 0.05; done; for i in $(seq 1 20); do echo after $NODE_RANK $i; done";
  json body = region.jobBody();
  for (const char* name : {"jobConfigurationDetails", "jobInfrastructureConfigurationDetails",
                           "jobEnvironmentConfigurationDetails"})
    body.erase(name);
  body["jobNodeConfigurationDetails"] = {
      {"jobNodeType", "MULTI_NODE"},
      {"jobNodeGroupConfigurationDetailsList", json::array({groupOf("g", 3, wait)})}};
  const std::string job = region.caller().post("/20190101/jobs", body).json()["id"];
  json request = region.runBody(job);
  request.erase("jobConfigurationOverrideDetails");
  const std::string id = region.caller().post("/20190101/jobRuns", request).json()["id"];
  ASSERT_TRUE(eventually([&] { return region.messagesOf(id).size() == 60; }));
  region.killHard();
  const auto nodes = region.stateFolder() / "runs" / id.substr(id.rfind('.') + 1) / "nodes";
  for (const char* rank : {"0", "1"}) std::ofstream(nodes / rank / "work" / "go") << "";
  ASSERT_TRUE(eventually([&] {
    return std::filesystem::exists(nodes / "0" / "ended.json") &&
           std::filesystem::exists(nodes / "1" / "ended.json");
  }));
  region.start();
  EXPECT_EQ(region.caller().get("/20190101/jobRuns/" + id).json()["lifecycleState"], "IN_PROGRESS");
  std::ofstream(nodes / "2" / "work" / "go") << "";
  EXPECT_EQ(region.waitForState(id, kEnded)["lifecycleState"], "SUCCEEDED");
  std::multiset<std::string> expected;
  for (const char* when : {"before ", "after "})
    for (int rank = 0; rank < 3; ++rank)
      for (int i = 1; i <= 20; ++i) expected.insert(when + std::to_string(rank) + " " + std::to_string(i));
  const Lines messages = region.messagesOf(id);
  EXPECT_EQ(std::multiset<std::string>(messages.begin(), messages.end()), expected);
}

}  // namespace
}  // namespace lockstep::testing
