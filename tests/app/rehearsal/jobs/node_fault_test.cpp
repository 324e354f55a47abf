// SPDX-License-Identifier: GPL-3.0-or-later
// What faults do to job runs and their nodes.
#include <gtest/gtest.h>
#include <httplib.h>

#include <fstream>
#include <thread>

#include "rehearsal/support/process_tree.h"
#include "tests/app/rehearsal/region/region_under_test.h"

namespace lockstep::testing {
namespace {

using nlohmann::json;
using Lines = std::vector<std::string>;

class NodeFault : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    region_ = std::make_unique<RegionUnderTest>(R"(eval "$SCRIPT")",
                                                Lines{"--grace-ms", "500", "--sample-ms", "100"});
  }
  static void TearDownTestSuite() { region_.reset(); }
  void TearDown() override { setFaults(json::array()); }
  static std::unique_ptr<RegionUnderTest> region_;

  static void setFaults(const json& faults) {
    std::ifstream file(region_->stateFolder() / "admin.token");
    const std::string token((std::istreambuf_iterator<char>(file)), {});
    httplib::Client client("127.0.0.1", region_->port());
    const auto reply = client.Put("/rehearsal/faults", {{"Authorization", "Bearer " + token}},
                                  json{{"seed", 1}, {"faults", faults}}.dump(), "application/json");
    ASSERT_TRUE(reply);
    ASSERT_EQ(reply->status, 200) << reply->body;
  }
  static json ended(const std::string& run) {
    return region_->waitForState(run, {"SUCCEEDED", "FAILED", "CANCELED"});
  }
  static bool gone(const std::string& run) { return rehearsal::processesOfRun(run).empty(); }
};
std::unique_ptr<RegionUnderTest> NodeFault::region_;

TEST_F(NodeFault, WithoutCapacityARunIsAcceptedAndFails) {
  setFaults(json::array({{{"kind", "out-of-capacity"}, {"times", 1}}}));
  const std::string run = region_->launch({{"SCRIPT", "echo never"}});
  const json failed = ended(run);
  EXPECT_EQ(failed["lifecycleState"], "FAILED");
  EXPECT_NE(failed["lifecycleDetails"].get<std::string>().find("ut of host capacity"), std::string::npos);
  EXPECT_TRUE(failed["timeStarted"].is_null());
  EXPECT_EQ(region_->messagesOf(run), Lines{});
  EXPECT_EQ(ended(region_->launch({{"SCRIPT", "exit 0"}}))["lifecycleState"], "SUCCEEDED");
}

TEST_F(NodeFault, AKilledNodeFailsItsRun) {
  setFaults(json::array({{{"kind", "node-killed"}, {"delay", 0.3}, {"node", 0}, {"times", 1}}}));
  const std::string run = region_->launch({{"SCRIPT", "echo up; setsid sleep 1000 & sleep 1000"}});
  const json failed = ended(run);
  EXPECT_EQ(failed["lifecycleState"], "FAILED");
  EXPECT_NE(failed["lifecycleDetails"].get<std::string>().find("exit code 137"), std::string::npos) << failed;
  EXPECT_EQ(region_->messagesOf(run), Lines{"up"});
  EXPECT_TRUE(gone(run));
}

TEST_F(NodeFault, AFrozenNodeStandsStillUntilItIsCanceled) {
  setFaults(json::array({{{"kind", "node-frozen"}, {"delay", 0.3}, {"node", 0}, {"times", 1}}}));
  const std::string run = region_->launch({{"SCRIPT", "while true; do echo tick; sleep 0.05; done"}});
  const auto state = [&] {
    const auto processes = rehearsal::processesOfRun(run);
    if (processes.empty()) return std::string();
    std::ifstream file("/proc/" + std::to_string(processes.front().pid) + "/stat");
    std::string text;
    std::getline(file, text);
    return text.substr(text.rfind(')') + 2, 1);
  };
  ASSERT_TRUE(eventually([&] { return state() == "T"; }));
  EXPECT_EQ(region_->caller().get("/20190101/jobRuns/" + run).json()["lifecycleState"], "IN_PROGRESS");
  EXPECT_EQ(region_->caller().send("POST", "/20190101/jobRuns/" + run + "/actions/cancelJobRun").status, 204);
  EXPECT_EQ(ended(run)["lifecycleState"], "CANCELED");
  EXPECT_TRUE(gone(run));
}

TEST_F(NodeFault, AFullDiskHoldsLinesBackAndLosesNone) {
  const std::string run =
      region_->launch({{"SCRIPT", "echo first; until [ -e go ]; do sleep 0.05; done; seq 1 200"}});
  ASSERT_TRUE(eventually([&] { return region_->messagesOf(run) == Lines{"first"}; }));
  setFaults(json::array({{{"kind", "disk-full"}}}));
  const auto folder = region_->stateFolder() / "runs";
  ASSERT_TRUE(eventually([&] { return std::filesystem::exists(folder / "disk-full"); }));
  std::ofstream(folder / run.substr(run.rfind('.') + 1) / "work" / "go") << "";
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  EXPECT_EQ(region_->messagesOf(run), Lines{"first"});
  EXPECT_EQ(region_->caller().get("/20190101/jobRuns/" + run).json()["lifecycleState"], "IN_PROGRESS")
      << "it has not ended while its lines are not kept";
  setFaults(json::array());
  EXPECT_EQ(ended(run)["lifecycleState"], "SUCCEEDED");
  EXPECT_EQ(region_->messagesOf(run).size(), 201u);
}

TEST_F(NodeFault, MetricsComeFromTheProcesses) {
  const std::string run =
      region_->launch({{"SCRIPT", "end=$((SECONDS+2)); while [ $SECONDS -lt $end ]; do :; done"}});
  EXPECT_EQ(ended(run)["lifecycleState"], "SUCCEEDED");
  for (const char* name : {"CpuUtilization", "MemoryUtilization", "DiskUtilization"}) {
    const TestResponse response = region_->caller().post(
        "/20180401/metrics/actions/summarizeMetricsData?compartmentId=" + region_->place("compartmentId"),
        {{"namespace", "oci_datascience_jobrun"},
         {"query", std::string(name) + "[1m]{resourceId = \"" + run + "\"}.max()"}});
    ASSERT_EQ(response.status, 200) << response.body;
    ASSERT_EQ(response.json().size(), 1u) << name << response.body;
    EXPECT_EQ(response.json()[0]["dimensions"]["resourceId"], run);
    const double value = response.json()[0]["aggregatedDatapoints"][0]["value"];
    EXPECT_GT(value, 0) << name;
    EXPECT_LE(value, 100) << name;
  }
}

}  // namespace
}  // namespace lockstep::testing
