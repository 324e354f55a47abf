// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>

#include <fstream>
#include <set>

#include "rehearsal/support/process_tree.h"
#include "rehearsal/support/run_folder.h"
#include "tests/app/rehearsal/region/region_under_test.h"

namespace lockstep::testing {
namespace {

using Lines = std::vector<std::string>;

// One entry point for all: it does what the variable SCRIPT says.
constexpr const char* kEntrypoint = R"(eval "$SCRIPT")";

nlohmann::json script(const std::string& text) {
  return {{"SCRIPT", text}};
}
const std::vector<std::string> kEnded{"SUCCEEDED", "FAILED", "CANCELED"};

std::string fileText(const std::string& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

bool gone(const std::string& runId) {
  return rehearsal::processesOfRun(runId).empty();
}

class JobRun : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    region_ = std::make_unique<RegionUnderTest>(kEntrypoint, std::vector<std::string>{"--grace-ms", "700"});
  }
  static void TearDownTestSuite() { region_.reset(); }
  static std::unique_ptr<RegionUnderTest> region_;
};
std::unique_ptr<RegionUnderTest> JobRun::region_;

TEST_F(JobRun, SucceedsAndLogsEachLineOnceInOrder) {
  const std::string run = region_->launch(
      script("for i in $(seq 1 1500); do echo line $i; done; printf 'dos\\r\\n'; printf 'bad \\xff byte\\n'; "
             "head -c 30000 /dev/zero | tr '\\0' x; echo; printf 'no end'"));
  const nlohmann::json ended = region_->waitForState(run, kEnded);
  EXPECT_EQ(ended["lifecycleState"], "SUCCEEDED") << ended;
  EXPECT_EQ(ended["lifecycleDetails"],
            "Job run artifact execution succeeded. Infrastructure de-provisioning.");
  for (const char* time : {"timeAccepted", "timeStarted", "timeFinished"})
    EXPECT_TRUE(ended[time].is_string()) << time;
  EXPECT_EQ(ended["logDetails"]["logId"], region_->place("logId"));
  Lines expected;
  for (int i = 1; i <= 1500; ++i) expected.push_back("line " + std::to_string(i));
  expected.insert(expected.end(), {"dos", "bad \xEF\xBF\xBD byte", std::string(10'000, 'x'), "no end"});
  const auto records = region_->logOf(run);
  std::set<std::string> ids;
  Lines messages;
  for (const auto& record : records) {
    messages.push_back(record["logContent"]["data"]["message"]);
    ids.insert(record["logContent"]["id"]);
    EXPECT_TRUE(record["logContent"]["source"].get<std::string>().ends_with(run));
  }
  EXPECT_EQ(messages, expected);
  EXPECT_EQ(ids.size(), records.size());
}

TEST_F(JobRun, ExitCodesAndSignalsAreNamed) {
  const nlohmann::json three =
      region_->waitForState(region_->launch(script("echo out; echo err >&2; exit 3")), kEnded);
  EXPECT_EQ(three["lifecycleState"], "FAILED");
  EXPECT_EQ(three["lifecycleDetails"], "Job run failed: exit code 3. Infrastructure de-provisioning.");
  Lines lines = region_->messagesOf(three["id"]);
  std::sort(lines.begin(), lines.end());
  EXPECT_EQ(lines, (Lines{"err", "out"}));
  const nlohmann::json killed = region_->waitForState(region_->launch(script("kill -9 $$")), kEnded);
  EXPECT_EQ(killed["lifecycleState"], "FAILED");
  EXPECT_NE(killed["lifecycleDetails"].get<std::string>().find("signal 9 (Killed)"), std::string::npos)
      << killed;
}

TEST_F(JobRun, HasTheEnvironmentOfTheServiceTheJobAndTheRun) {
  const std::string run = region_->launch(
      {{"SCRIPT",
        "pwd; env | sort; stat -c '%a' $OCI_RESOURCE_PRINCIPAL_PRIVATE_PEM $OCI_RESOURCE_PRINCIPAL_RPST"},
       {"B", "run"}},
      {{"jobConfigurationDetails", {{"environmentVariables", {{"A", "job"}, {"B", "job"}}}}}});
  const nlohmann::json ended = region_->waitForState(run, kEnded);
  const Lines lines = region_->messagesOf(run);
  const auto has = [&](const std::string& line) {
    return std::find(lines.begin(), lines.end(), line) != lines.end();
  };
  for (const std::string& line :
       {std::string("A=job"), std::string("B=run"), "JOB_RUN_OCID=" + run,
        "JOB_OCID=" + ended["jobId"].get<std::string>(), "PROJECT_OCID=" + region_->place("projectId"),
        "JOB_RUN_COMPARTMENT_OCID=" + region_->place("compartmentId"),
        std::string("TENANCY_OCID=ocid1.tenancy.oc1..aaaaaaaalockstep"),
        std::string("OCI_RESOURCE_PRINCIPAL_VERSION=2.2"),
        std::string("OCI_RESOURCE_PRINCIPAL_REGION=rehearsal"),
        "OCI_CLI_ENDPOINT=" + region_->info()["endpoint"].get<std::string>(), std::string("LANG=C.UTF-8"),
        "HOME=" + lines.at(0)})
    EXPECT_TRUE(has(line)) << line;
  EXPECT_EQ(std::count(lines.begin(), lines.end(), "600"), 2);
}

TEST(JobRunClients, OraclesSdksFindTheRegionAndAskNoOtherMachine) {
  const std::string script =
      "echo \"$OCI_REGION_METADATA\"; echo $OCI_RESOURCE_PRINCIPAL_REGION; for f in "
      "\"$REQUESTS_CA_BUNDLE\" \"$OCI_CLI_CERT_BUNDLE\" \"$NODE_EXTRA_CA_CERTS\" "
      "\"$SSL_CERT_FILE\"; do head -n 1 \"$f\"; done; exit 0";
  RegionUnderTest secured(kEntrypoint, {"--tls"});
  const std::string run = secured.launch({{"SCRIPT", script}});
  secured.waitForState(run, kEnded);
  const Lines said = secured.messagesOf(run);
  ASSERT_EQ(said.size(), 6u);
  EXPECT_EQ(nlohmann::json::parse(said[0]), secured.info()["regionMetadata"]);
  EXPECT_EQ(said[1], secured.info()["regionMetadata"]["regionIdentifier"]);
  for (std::size_t i = 2; i < 6; ++i) EXPECT_EQ(said[i], "-----BEGIN CERTIFICATE-----");
  RegionUnderTest plain(kEntrypoint);
  const std::string other = plain.launch({{"SCRIPT", "echo \"$OCI_REGION_METADATA\""}});
  plain.waitForState(other, kEnded);
  const nlohmann::json metadata = nlohmann::json::parse(plain.messagesOf(other).at(0));
  EXPECT_TRUE(metadata["realmDomainComponent"].get<std::string>().starts_with("localhost:"));
}

TEST_F(JobRun, EndsWithItsFirstProcess) {
  const std::string run = region_->launch(script("setsid sleep 1000 & (trap '' TERM; sleep 1000) & exit 0"));
  EXPECT_EQ(region_->waitForState(run, kEnded)["lifecycleState"], "SUCCEEDED");
  EXPECT_TRUE(gone(run));
}

TEST_F(JobRun, CancelEndsTheWholeTree) {
  // A grandchild in a session of its own that ignores SIGTERM, and one that has lost its parent.
  const std::string run = region_->launch(script(
      "trap 'echo flushed; exit 0' TERM; setsid bash -c 'trap \"\" TERM; while true; do sleep 1; done' & "
      "(setsid bash -c 'trap \"\" TERM; sleep 1000' &) ; echo ready; while true; do sleep 0.1; done"));
  ASSERT_TRUE(eventually([&] { return region_->messagesOf(run) == Lines{"ready"}; }));
  EXPECT_GE(rehearsal::processesOfRun(run).size(), 3u);
  EXPECT_EQ(region_->caller().send("DELETE", "/20190101/jobRuns/" + run).code(), "IncorrectState");
  EXPECT_EQ(region_->caller().send("POST", "/20190101/jobRuns/" + run + "/actions/cancelJobRun").status, 204);
  const std::string state = region_->caller().get("/20190101/jobRuns/" + run).json()["lifecycleState"];
  EXPECT_TRUE(state == "CANCELING" || state == "CANCELED") << state;
  const nlohmann::json ended = region_->waitForState(run, kEnded);
  EXPECT_EQ(ended["lifecycleState"], "CANCELED");
  EXPECT_TRUE(gone(run));
  // The shell may say "Terminated" of its own `sleep` besides.
  const Lines said = region_->messagesOf(run);
  EXPECT_EQ(std::count(said.begin(), said.end(), "ready"), 1);
  EXPECT_EQ(std::count(said.begin(), said.end(), "flushed"), 1) << "what a run says after SIGTERM is kept";
  EXPECT_EQ(region_->caller().send("POST", "/20190101/jobRuns/" + run + "/actions/cancelJobRun").code(),
            "IncorrectState");
  EXPECT_EQ(region_->caller().send("DELETE", "/20190101/jobRuns/" + run).status, 204);
}

TEST_F(JobRun, MaximumRuntimeReachesTheSupervisor) {
  nlohmann::json body = region_->jobBody(script("sleep 1000"));
  body["jobConfigurationDetails"]["maximumRuntimeInMinutes"] = 1;
  const std::string job = region_->caller().post("/20190101/jobs", body).json()["id"];
  const std::string run = region_->caller().post("/20190101/jobRuns", region_->runBody(job)).json()["id"];
  ASSERT_TRUE(eventually([&] { return !gone(run); }));
  const auto folder = region_->stateFolder() / "runs" / run.substr(run.rfind('.') + 1);
  EXPECT_EQ(nlohmann::json::parse(fileText(folder / "spec.json"))["maximumRuntimeMs"], 60'000);
  region_->caller().send("POST", "/20190101/jobRuns/" + run + "/actions/cancelJobRun");
  EXPECT_EQ(region_->waitForState(run, kEnded)["lifecycleState"], "CANCELED");
}

// The service counts minutes; the supervisor, asked directly, need not be waited for so long.
TEST(Supervisor, EndsTheTreeAtItsMaximumRuntime) {
  TempDir temp;
  const rehearsal::NodeFolder folder{temp.path() / "run"};
  std::filesystem::create_directories(folder.work());
  rehearsal::NodeTask spec;
  spec.runId = "ocid1.test." + temp.path().filename().string();
  spec.command = {"/bin/bash", "-c",
                  "trap '' TERM; echo up; setsid sleep 1000 & while true; do sleep 1; done"};
  spec.environment = {{"PATH", "/usr/bin:/bin"}, {"JOB_RUN_OCID", spec.runId}};
  spec.grace = std::chrono::milliseconds(100);
  spec.maximumRuntime = std::chrono::milliseconds(300);
  ASSERT_TRUE(rehearsal::writeSpec(folder, spec).has_value());
  EXPECT_EQ(
      runProgram({std::string(LOCKSTEP_BIN_DIR) + "/lockstep-rehearsal", "supervise", folder.path.string()},
                 {})
          .first,
      0);
  const auto end = rehearsal::readEnd(folder);
  ASSERT_TRUE(end.has_value());
  EXPECT_EQ(end->why, rehearsal::NodeEnd::Why::TimedOut);
  EXPECT_TRUE(gone(spec.runId));
  EXPECT_TRUE(fileText(folder.output()).ends_with(" o up\n"));
}

TEST_F(JobRun, ActsAsAResourcePrincipalWithFewRights) {
  const std::string run = region_->launch(
      script("echo $OCI_RESOURCE_PRINCIPAL_RPST; echo $OCI_RESOURCE_PRINCIPAL_PRIVATE_PEM; sleep 1000"));
  ASSERT_TRUE(eventually([&] { return region_->messagesOf(run).size() == 2; }));
  const Lines files = region_->messagesOf(run);
  const std::string token = fileText(files[0]);
  const TestCaller inside(region_->port(), "ST$" + token, readKeyFile(files[1]));
  EXPECT_EQ(inside.send("PUT", "/n/rehearsal/b/lockstep/o/from-run", "x").status, 200);
  EXPECT_EQ(inside.get("/n/rehearsal/b/lockstep/o/from-run").body, "x");
  const nlohmann::json self = inside.get("/20190101/jobRuns/" + run).json();
  EXPECT_EQ(inside.get("/20190101/jobs/" + self["jobId"].get<std::string>()).status, 200);
  EXPECT_EQ(inside.get("/20160918/subnets/" + region_->place("subnetId")).status, 200);
  // `use data-science-family` changes and cancels runs, and makes and deletes none.
  EXPECT_EQ(inside.send("DELETE", "/20190101/jobRuns/" + run).code(), "NotAuthorizedOrNotFound");
  EXPECT_EQ(inside.post("/20190101/jobs", region_->jobBody()).code(), "NotAuthorizedOrNotFound");
  const TestCaller wrongKey(region_->port(), "ST$" + token,
                            readKeyFile((region_->stateFolder() / "user.pem").string()));
  EXPECT_EQ(wrongKey.get("/n/").status, 401);
  std::string changed = token;
  changed[changed.size() / 2] = changed[changed.size() / 2] == 'A' ? 'B' : 'A';
  EXPECT_EQ(TestCaller(region_->port(), "ST$" + changed, readKeyFile(files[1])).get("/n/").status, 401);
  region_->caller().send("POST", "/20190101/jobRuns/" + run + "/actions/cancelJobRun");
  EXPECT_EQ(region_->waitForState(run, kEnded)["lifecycleState"], "CANCELED");
}

TEST_F(JobRun, AKilledSupervisorIsToldHonestlyAndLeavesNothing) {
  const std::string run = region_->launch(script("setsid sleep 1000 & echo ready; sleep 1000"));
  ASSERT_TRUE(eventually([&] { return region_->messagesOf(run) == Lines{"ready"}; }));
  const auto folder = region_->stateFolder() / "runs" / run.substr(run.rfind('.') + 1);
  ::kill(nlohmann::json::parse(fileText(folder / "supervisor.json"))["pid"].get<pid_t>(), SIGKILL);
  const nlohmann::json ended = region_->waitForState(run, kEnded);
  EXPECT_EQ(ended["lifecycleState"], "FAILED");
  EXPECT_NE(ended["lifecycleDetails"].get<std::string>().find("without a report"), std::string::npos);
  EXPECT_TRUE(gone(run));
}

TEST(JobRunLife, SurvivesTheDeathOfTheRegion) {
  RegionUnderTest region(kEntrypoint);
  // Speaks, waits for the file `go` in its folder, speaks again while nobody listens, and ends.
  const std::string text =
      "for i in $(seq 1 50); do echo before $i; done; while [ ! -e go ]; do sleep 0.05; done; "
      "for i in $(seq 1 50); do echo after $i; done; exit 4";
  const std::string run = region.launch(script(text));
  const std::string running =
      region.launch(script("echo up; while [ ! -e go ]; do sleep 0.05; done; echo done"));
  ASSERT_TRUE(eventually(
      [&] { return region.messagesOf(run).size() == 50 && region.messagesOf(running).size() == 1; }));
  const auto folderOf = [&](const std::string& id) {
    return region.stateFolder() / "runs" / id.substr(id.rfind('.') + 1);
  };
  region.killHard();
  std::ofstream(folderOf(run) / "work" / "go") << "";
  ASSERT_TRUE(eventually([&] { return std::filesystem::exists(folderOf(run) / "ended.json"); }));
  region.start();
  const nlohmann::json ended = region.waitForState(run, kEnded);
  EXPECT_EQ(ended["lifecycleState"], "FAILED");
  EXPECT_NE(ended["lifecycleDetails"].get<std::string>().find("exit code 4"), std::string::npos);
  Lines expected;
  for (const char* when : {"before ", "after "})
    for (int i = 1; i <= 50; ++i) expected.push_back(when + std::to_string(i));
  EXPECT_EQ(region.messagesOf(run), expected);
  // The other one still runs, and is followed to its end.
  EXPECT_EQ(region.caller().get("/20190101/jobRuns/" + running).json()["lifecycleState"], "IN_PROGRESS");
  std::ofstream(folderOf(running) / "work" / "go") << "";
  EXPECT_EQ(region.waitForState(running, kEnded)["lifecycleState"], "SUCCEEDED");
  EXPECT_EQ(region.messagesOf(running), (Lines{"up", "done"}));
}

TEST(JobRunLife, StopEndsRunsAndSaysSo) {
  RegionUnderTest region(kEntrypoint);
  const std::string run = region.launch(script("echo ready; sleep 1000"));
  ASSERT_TRUE(eventually([&] { return region.messagesOf(run).size() == 1; }));
  EXPECT_EQ(region.command({"stop"}).first, 0);
  EXPECT_TRUE(gone(run));
  region.start();
  const nlohmann::json ended = region.caller().get("/20190101/jobRuns/" + run).json();
  EXPECT_EQ(ended["lifecycleState"], "CANCELED");
  EXPECT_NE(ended["lifecycleDetails"].get<std::string>().find("stopped"), std::string::npos) << ended;
}

TEST(JobRunLife, StopAlsoEndsTheRunsOfAKilledRegion) {
  RegionUnderTest region(kEntrypoint);
  const std::string run = region.launch(script("echo ready; sleep 1000"));
  ASSERT_TRUE(eventually([&] { return region.messagesOf(run).size() == 1; }));
  region.killHard();
  EXPECT_FALSE(gone(run));
  EXPECT_EQ(region.command({"stop"}).first, 0);
  EXPECT_TRUE(gone(run));
}

}  // namespace
}  // namespace lockstep::testing
