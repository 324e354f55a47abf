// SPDX-License-Identifier: GPL-3.0-or-later
// The whole story with real processes: region, node agents, trainers, and the command line that drives them.
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <fstream>
#include <functional>
#include <set>
#include <thread>

#include "cli_process.h"
#include "metrics/segments/metric_segment.h"
#include "oci/calls/service_client.h"
#include "oci/signin/open_service_client.h"
#include "oci/signing/profile.h"
#include "oci/storage/object_storage_client.h"
#include "workdir/work_dir_uri.h"

using namespace lockstep;
using namespace std::chrono_literals;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

constexpr auto kTimeout = 180s;  // a loaded machine of two cores runs three trainers here

// Ids of another tenancy on purpose: a rehearsal has to put the region's own in their places.
std::string trainYaml(int epochs) {
  return R"(kind: distributed
apiVersion: v1.0
spec:
  infrastructure:
    kind: infrastructure
    type: dataScienceJob
    apiVersion: v1.0
    spec:
      projectId: ocid1.datascienceproject.oc1.iad.aaaaaaaasomebodyelse
      compartmentId: ocid1.compartment.oc1..aaaaaaaasomebodyelse
      displayName: story
      subnetId: ocid1.subnet.oc1.iad.aaaaaaaasomebodyelse
      logGroupId: ocid1.loggroup.oc1.iad.aaaaaaaasomebodyelse
      logId: ocid1.log.oc1.iad.aaaaaaaasomebodyelse
      shapeName: VM.Standard.E4.Flex
      shapeConfigDetails: {ocpus: 1, memoryInGBs: 16}
      blockStorageSize: 50
  cluster:
    kind: PYTORCH
    apiVersion: v1.0
    spec:
      image: iad.ocir.io/ns/story:1
      workDir: oci://theirs@elsewhere/clusters
      name: story
      config:
        env:
          - {name: OMP_NUM_THREADS, value: "1"}
      main: {name: story-main, replicas: 1}
      worker: {name: story-worker, replicas: 2}
  runtime:
    kind: python
    apiVersion: v1.0
    spec:
      entryPoint: lockstep-trainer
      args: [--data-dir, data, --make-data, "300", --batch-size, "10", --print-freq, "5", --epochs, ")" +
         std::to_string(epochs) + "\"]\n";
}

std::string contentOf(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

bool eventually(const std::function<bool()>& holds, std::chrono::seconds limit = kTimeout) {
  const auto deadline = std::chrono::steady_clock::now() + limit;
  while (!holds()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(200ms);
  }
  return true;
}

struct Story : testing::Test {
  CliHome home;

  ~Story() override { home.run({"rehearsal", "stop"}); }

  json status() { return home.run({"status", "last", "--json"}).json(); }

  std::shared_ptr<ObjectStore> workDir(const json& run) {
    const json region = home.run({"rehearsal", "status", "--json"}).json();
    const auto profile = oci::loadProfile({region.at("config").get<std::string>(), region.at("profile")}, {});
    EXPECT_TRUE(profile) << (profile ? "" : describe(profile.error()));
    const auto services = oci::openServiceClient(*profile);
    return *oci::openWorkDir(*services, run.at("workDir").get<std::string>());
  }

  void expectThatNoNameInTheWorkDirMakesStatusSlow() {
    const json run = status();
    const auto store = workDir(run);
    MetricSegment segment;
    segment.rank = Rank(30'000'000);
    segment.append(1, SystemClock().now(), {{"loss", 1.0}});
    const std::string folder = layout::metricsFolder(run.at("jobId").get<std::string>());
    ASSERT_TRUE(store->put(folder + segmentName(segment.rank, 0), encodeSegment(segment), {}));
    const auto begin = std::chrono::steady_clock::now();
    const CliExit now = home.run({"status", "last"});
    EXPECT_LT(std::chrono::steady_clock::now() - begin, 10s);
    EXPECT_EQ(now.code(), 0) << now.err;
    EXPECT_LT(std::count(now.out.begin(), now.out.end(), '\n'), 20) << now.out;
    EXPECT_NE(now.out.find("of a rank that the run does not have: the run has 3 ranks"), std::string::npos)
        << now.out;
  }

  // Node agents and trainers of this test's region: they run below our folder. pid -> environment.
  std::map<pid_t, std::string> jobProcesses() {
    std::map<pid_t, std::string> found;
    for (const auto& entry : fs::directory_iterator("/proc")) {
      const std::string name = entry.path().filename();
      if (name.find_first_not_of("0123456789") != std::string::npos) continue;
      const std::string program = contentOf(entry.path() / "comm");
      if (program != "lockstep-node\n" && program != "lockstep-traine\n")
        continue;  // the kernel keeps 15 characters
      const std::string environment = contentOf(entry.path() / "environ");
      if (environment.find(home.path().string()) != std::string::npos) found[std::stoi(name)] = environment;
    }
    return found;
  }

  pid_t trainerOfRank(int rank) {
    for (const auto& [pid, environment] : jobProcesses()) {
      const bool isTrainer = contentOf("/proc/" + std::to_string(pid) + "/comm") == "lockstep-traine\n";
      const std::string all = std::string(1, '\0') + environment;
      if (isTrainer &&
          all.find(std::string(1, '\0') + "RANK=" + std::to_string(rank) + '\0') != std::string::npos)
        return pid;
    }
    return -1;
  }

  bool allRanksTrain() {
    const json now = status();
    if (!now.is_object() || now["ranks"].size() != 3) return false;
    return std::all_of(now["ranks"].begin(), now["ranks"].end(),
                       [](const json& row) { return row["step"].is_number() && row["step"] >= 1; });
  }

  void launchDetached(int epochs) {
    home.write("train.yaml", trainYaml(epochs));
    const CliExit launched = home.run({"run", "--on", "rehearsal", "--detach", "train.yaml"});
    ASSERT_EQ(launched.code(), 0) << launched.err;
    ASSERT_TRUE(eventually([&] { return allRanksTrain(); })) << status().dump(1);
  }

  bool noProcessIsLeft() {
    return eventually([&] { return jobProcesses().empty(); }, 30s);
  }
};

std::set<std::string> idsOfLines(const CliExit& output, std::size_t* count = nullptr) {
  std::set<std::string> ids;
  std::size_t lines = 0;
  for (const json& document : output.jsonLines()) {
    if (!document.is_object() || document.value("type", "log") != "log") continue;
    ids.insert(document.at("id").get<std::string>());
    ++lines;
  }
  if (count != nullptr) *count = lines;
  return ids;
}

}  // namespace

// The file of another kind, with a script of its own, through region, work dir and node agents.
TEST_F(Story, ARehearsedDaskClusterComputes) {
  if (::access("/usr/bin/dask-scheduler", X_OK) != 0) GTEST_SKIP() << "Dask is not installed";
  const fs::path script =
      home.write("sum.py",
                 "import os\nfrom distributed import Client\n"
                 "with Client(os.environ['SCHEDULER_IP'] + ':' + os.environ['SCHEDULER_PORT']) as client:\n"
                 "    print('sum', sum(client.gather(client.map(abs, range(10)))), 'of',\n"
                 "          len(client.nthreads()), 'workers', flush=True)\n");
  std::string yaml = trainYaml(1);
  yaml.replace(yaml.find("kind: PYTORCH"), 13, "kind: DASK");
  yaml.replace(yaml.find("entryPoint: lockstep-trainer"), 28, "entryPoint: " + script.string());
  yaml.erase(yaml.find("      args: ["));
  home.write("train.yaml", yaml);
  const CliExit run = home.start({"run", "train.yaml", "--on", "rehearsal"}).wait(kTimeout);
  ASSERT_EQ(run.code(), 0) << run.out << run.err;
  EXPECT_NE(run.out.find("sum 45 of 2 workers"), std::string::npos) << run.out;
  EXPECT_TRUE(noProcessIsLeft());
}

TEST_F(Story, ARehearsalTrainsThreeRanksToTheEnd) {
  home.write("train.yaml", trainYaml(2));
  const CliExit run =
      home.start({"run", "train.yaml", "--on", "rehearsal", "--json", "--info", "info.yaml"}).wait(kTimeout);
  ASSERT_EQ(run.code(), 0) << run.err;
  EXPECT_NE(
      run.err.find("subnetId: ocid1.subnet.oc1.iad.aaaaaaaasomebodyelse -> ocid1.subnet.oc1.rehearsal."),
      std::string::npos)
      << run.err;
  const json summary = run.jsonLines().back();
  EXPECT_EQ(summary.at("type"), "summary");
  EXPECT_EQ(summary.at("run").at("state"), "SUCCEEDED");
  ASSERT_EQ(summary.at("ranks").size(), 3u);
  for (const json& row : summary["ranks"]) {
    EXPECT_EQ(row.at("state"), "SUCCEEDED");
    EXPECT_GE(row.at("step").get<int>(), 19) << row.dump();  // 300 images, 3 ranks, batches of 10, twice
    EXPECT_TRUE(row.at("loss").is_number());
    EXPECT_TRUE(row.at("samplesPerSecond").is_number());
  }
  EXPECT_TRUE(summary["ranks"][0].at("accuracyPercent").is_number());
  std::size_t lines = 0;
  EXPECT_EQ(idsOfLines(run, &lines).size(), lines);
  EXPECT_GT(lines, 10u);

  const CliExit samples = home.run({"metrics", "info.yaml", "--name", "loss", "--format", "csv"});
  EXPECT_EQ(std::count(samples.out.begin(), samples.out.end(), '\n'), 1 + 3 * 20) << samples.out;
  EXPECT_NE(home.run({"show-config", "last"}).out.find("MASTER_ADDR"), std::string::npos);
  EXPECT_EQ(home.run({"watch", "last"}).code(), 0);
  EXPECT_EQ(home.run({"runs", "--json"}).json().at(0).at("state"), "SUCCEEDED");
  EXPECT_EQ(home.run({"cancel", "last"}).code(), 0);
  EXPECT_EQ(home.run({"check", "auth", "project", "network", "bucket", "repository", "logging"}).code(), 0);
  EXPECT_TRUE(noProcessIsLeft());
  expectThatNoNameInTheWorkDirMakesStatusSlow();
  EXPECT_EQ(home.run({"delete", "last", "--yes"}).code(), 0);
  EXPECT_EQ(home.run({"status", "last"}).code(), 1);
}

TEST_F(Story, ANativeMultiNodeJobTrainsInTheRehearsal) {
  std::string text = trainYaml(2);
  text.replace(text.find("spec:\n"), 6, "spec:\n  multiNode: {}\n");
  home.write("train.yaml", text);
  const CliExit run = home.start({"run", "train.yaml", "--on", "rehearsal", "--json"}).wait(kTimeout);
  ASSERT_EQ(run.code(), 0) << run.err << run.out;
  const json summary = run.jsonLines().back();
  EXPECT_EQ(summary.at("run").at("state"), "SUCCEEDED");
  const json nodes = home.run({"status", "last", "--json"}).json().at("nodes");
  EXPECT_EQ(nodes.size(), 1u) << "one job run spans all nodes: " << nodes.dump();
  ASSERT_EQ(summary.at("ranks").size(), 3u) << summary.dump();
  for (const json& row : summary["ranks"]) EXPECT_GE(row.at("step").get<int>(), 19) << row.dump();
  std::size_t lines = 0;
  EXPECT_EQ(idsOfLines(run, &lines).size(), lines);
  EXPECT_TRUE(noProcessIsLeft());
}

TEST_F(Story, CancelEndsEveryProcess) {
  launchDetached(5000);
  EXPECT_GE(jobProcesses().size(), 6u);
  const CliExit cancelled = home.run({"cancel", "last"});
  EXPECT_EQ(cancelled.code(), 0) << cancelled.err;
  EXPECT_TRUE(noProcessIsLeft());
  const json now = status();
  EXPECT_EQ(now.at("state"), "CANCELED");
  EXPECT_EQ(home.run({"runs", "--json"}).json().at(0).at("findings").at("count"), 0) << "status has looked";
  for (const json& node : now.at("nodes")) EXPECT_EQ(node.at("state"), "CANCELED") << node.dump();
  EXPECT_EQ(home.run({"watch", "last"}).code(), 4);
}

TEST_F(Story, AKilledRankFailsTheRunAndIsNamed) {
  launchDetached(5000);
  const pid_t victim = trainerOfRank(1);
  ASSERT_GT(victim, 0);
  ASSERT_EQ(::kill(victim, SIGKILL), 0);
  CliRunning watch = home.start({"watch", "last"});
  const CliExit ended = watch.wait(kTimeout);
  EXPECT_EQ(ended.code(), 1) << ended.err;
  const json watched = home.run({"runs", "findings>0", "--json"}).json();
  ASSERT_EQ(watched.size(), 1u) << "whoever has watched it has left what was found";
  EXPECT_EQ(watched[0].at("findings").at("worst"), "critical");
  EXPECT_EQ(watched[0].at("findings").at("kinds").at(0), "first-failure");
  const json now = status();
  EXPECT_EQ(now.at("state"), "FAILED");
  const std::string failure = now.at("failure");
  EXPECT_NE(failure.find("rank 1"), std::string::npos) << failure;
  EXPECT_NE(failure.find("signal 9"), std::string::npos) << failure;
  EXPECT_TRUE(noProcessIsLeft());
}

TEST_F(Story, AnInterruptedFollowerLeavesTheRunAlone) {
  home.write("train.yaml", trainYaml(5000));
  CliRunning run = home.start({"run", "train.yaml", "--on", "rehearsal"});
  ASSERT_TRUE(eventually([&] { return allRanksTrain(); }));
  ::kill(run.process().pid(), SIGINT);
  ::kill(run.process().pid(), SIGINT);  // the second one changes nothing
  const CliExit left = run.wait();
  EXPECT_EQ(left.code(), 4) << left.err;
  EXPECT_NE(left.err.find("continues"), std::string::npos) << left.err;
  EXPECT_EQ(status().at("state"), "RUNNING");
  EXPECT_EQ(home.run({"cancel", "last"}).code(), 0);
  EXPECT_TRUE(noProcessIsLeft());
}

TEST_F(Story, ARunSurvivesTheDeathOfItsRegion) {
  home.write("train.yaml", trainYaml(30));
  CliRunning run = home.start({"run", "train.yaml", "--on", "rehearsal", "--json"});
  ASSERT_TRUE(eventually([&] { return allRanksTrain(); })) << run.outSoFar();
  const json region = home.run({"rehearsal", "status", "--json"}).json();
  ASSERT_EQ(::kill(region.at("pid").get<pid_t>(), SIGKILL), 0);
  ASSERT_TRUE(eventually([&] { return home.run({"rehearsal", "status"}).code() == 1; }));
  const CliExit again = home.run({"rehearsal", "start", "--json"});
  ASSERT_EQ(again.code(), 0) << again.err;
  EXPECT_EQ(again.json().at("endpoint"), region.at("endpoint"));
  const CliExit ended = run.wait(kTimeout);
  EXPECT_EQ(ended.code(), 0) << ended.err;
  std::size_t lines = 0;
  const auto ids = idsOfLines(ended, &lines);
  EXPECT_EQ(ids.size(), lines);
  EXPECT_EQ(idsOfLines(home.run({"watch", "last", "--json", "--no-follow"})), ids);
  const json summary = ended.jsonLines().back();
  for (const json& row : summary.at("ranks")) EXPECT_EQ(row.at("step"), 30 * 10 - 1) << row.dump();
  const CliExit samples = home.run({"metrics", "last", "--name", "loss"});
  EXPECT_EQ(std::count(samples.out.begin(), samples.out.end(), '\n'), 1 + 3 * 300);
  EXPECT_TRUE(noProcessIsLeft());
}
