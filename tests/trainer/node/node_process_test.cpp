// SPDX-License-Identifier: GPL-3.0-or-later
// Nodes as real processes that share a file:// work dir.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/atomic_file.h"
#include "health/stack_reader.h"
#include "node_processes.h"
#include "temp_dir.h"
#include "tests/trainer/node/metrics/read_samples.h"
#include "tests/trainer/started_program.h"
#include "workdir/file_object_store.h"
#include "workdir/work_dir_uri.h"

namespace lockstep::node {
namespace {

TEST_F(NodeProcess, EachRankGetsItsPlaceAndTheWayToMain) {
  // Ranks meet before they end, as training ranks do: a main node that is done takes its address back.
  script("here=" + dir_.path().string() +
         "\ntouch $here/met$RANK\n"
         "until [ -e $here/met0 ] && [ -e $here/met1 ] && [ -e $here/met2 ]; do sleep 0.05; done\n"
         "echo env $RANK $LOCAL_RANK $WORLD_SIZE $MASTER_ADDR $MASTER_PORT $GLOO_SOCKET_IFNAME \"$@\"\n");
  auto nodes = startAll(3, {{"OCI__ENTRY_SCRIPT_ARGS", "--name 'a b'"}});
  std::string main;
  for (int rank = 0; rank < 3; ++rank) {
    auto& node = nodes[static_cast<std::size_t>(rank)];
    EXPECT_EQ(node.exitCode(), 0) << node.output();
    const std::string output = node.output();
    const std::string begin = "env " + std::to_string(rank) + " 0 3 ";
    const std::size_t at = output.find(begin);
    ASSERT_NE(at, std::string::npos) << output;
    const std::string rest = output.substr(at + begin.size(), output.find('\n', at) - at - begin.size());
    if (rank == 0) main = rest;
    EXPECT_EQ(rest, main);
    EXPECT_NE(rest.find("--name a b"), std::string::npos);
  }
  EXPECT_TRUE(std::filesystem::exists(inWorkDir(layout::stopFile("Undefined"))));
  EXPECT_TRUE(std::filesystem::exists(inWorkDir(layout::workerConfig("Undefined", "run2"))));
  const auto run = nlohmann::json::parse(*readFile(inWorkDir(layout::runDescription("Undefined"))));
  EXPECT_EQ(run["framework"], "pytorch");
  EXPECT_EQ(run["worldSize"], 3);
}

// The tool is a child of the agent and no orphan of its ranks: it is neither killed nor waited for by others.
TEST_F(NodeProcess, WhereARankIsIsToldToWhoAsks) {
  script("echo here; touch " + (dir_.path() / "begun").string() + "; sleep 300\n");
  std::filesystem::create_directories(dir_.path() / "bin");
  ASSERT_TRUE(writeFileAtomically(dir_.path() / "bin" / "gdb",
                                  "#!/bin/sh\nsleep 1\nfor a in \"$@\"; do echo \"argument $a\"; done\n",
                                  0755));
  auto node = start(0, 1, {{"PATH", (dir_.path() / "bin").string() + ":/usr/bin:/bin"}});
  ASSERT_TRUE(node.waitUntilItSays("here\n")) << node.output();
  StackReader reader(openFolder(dir_.path() / "work"), "Undefined");
  std::vector<StackReport> reports;
  // What is asked before the agent has looked for the first time is not answered.
  for (int look = 0; look < 600 && reports.empty(); ++look) {
    if (look % 150 == 0) {
      ASSERT_TRUE(reader.ask({Rank(0)}, {}));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    reports = reader.read({}).value();
  }
  ASSERT_EQ(reports.size(), 1U) << node.output();
  ASSERT_EQ(reports[0].processes.size(), 2U);  // the script, and what it sleeps with
  for (const ProcessStack& process : reports[0].processes) {
    EXPECT_EQ(process.problem, "");
    EXPECT_NE(process.stack.find("argument " + std::to_string(process.pid) + "\n"), std::string::npos)
        << process.stack;
  }
  EXPECT_EQ(reports[0].processes[1].command, "sleep 300");
}

TEST_F(NodeProcess, SeveralRanksOfANodeSayWhichTheyAre) {
  script("echo out of $RANK; echo err of $LOCAL_RANK >&2\n");
  auto node = start(0, 1, {{"LOCKSTEP_RANKS_PER_NODE", "2"}});
  EXPECT_EQ(node.exitCode(), 0) << node.output();
  for (const char* line : {"[rank 0] out of 0\n", "[rank 1] out of 1\n", "[rank 1] err of 1\n"})
    EXPECT_TRUE(node.says(line)) << node.output();
}

// As the service starts them: one job run, ranks from NODE_RANK, addresses from a file that comes later.
TEST_F(NodeProcess, NodesOfOneJobRunFindEachOtherThroughTheClusterFile) {
  script("here=" + dir_.path().string() +
         "\ntouch $here/met$RANK\n"
         "until [ -e $here/met0 ] && [ -e $here/met1 ]; do sleep 0.05; done\n"
         "echo env $RANK $NODE_RANK $WORLD_SIZE $MASTER_ADDR $MASTER_PORT $GLOO_SOCKET_IFNAME\n");
  const auto file = dir_.path() / "cluster.json";
  std::vector<StartedProgram> nodes;
  for (int rank = 0; rank < 2; ++rank)
    nodes.push_back(start(rank, 2,
                          {{"RANK", ""},
                           {"JOB_RUN_OCID", "run"},
                           {"NODE_RANK", std::to_string(rank)},
                           {"INITIAL_CLUSTER_SIZE", "2"},
                           {"CLUSTER_NODES_METADATA_FILE", file.string()}}));
  ASSERT_TRUE(writeFileAtomically(file, R"([{"IPAddress":"127.0.0.1","Rank":0}])", 0644));
  EXPECT_FALSE(nodes[0].says("env ")) << "it waits for all nodes";
  ASSERT_TRUE(writeFileAtomically(
      file, R"([{"IPAddress":"127.0.0.1","Rank":0},{"IPAddress":"127.0.0.1","Rank":1}])", 0644));
  std::string main;
  for (int rank = 0; rank < 2; ++rank) {
    auto& node = nodes[static_cast<std::size_t>(rank)];
    EXPECT_EQ(node.exitCode(), 0) << node.output();
    const std::string number = std::to_string(rank);
    const std::string begin = "[rank " + number + "] env " + number + " " + number + " 2 127.0.0.1 ";
    const std::string output = node.output();
    const std::size_t at = output.find(begin);
    ASSERT_NE(at, std::string::npos) << output
                                     << "\nnodes of one job run share its log: lines name their rank";
    const std::string rest = output.substr(at + begin.size(), output.find('\n', at) - at - begin.size());
    if (rank == 0) main = rest;
    EXPECT_EQ(rest, main);
    EXPECT_TRUE(rest.ends_with(" lo")) << rest;
  }
}

TEST_F(NodeProcess, AFailingNodeOfOneJobRunIsNoFailureOfItsPeers) {
  script("[ $RANK = 1 ] && exit 7\nexec sleep 300\n");
  const auto file = dir_.path() / "cluster.json";
  ASSERT_TRUE(writeFileAtomically(
      file, R"([{"IPAddress":"127.0.0.1","Rank":0},{"IPAddress":"127.0.0.1","Rank":1}])", 0644));
  std::vector<StartedProgram> nodes;
  for (int rank = 0; rank < 2; ++rank)
    nodes.push_back(start(rank, 2,
                          {{"RANK", ""},
                           {"JOB_RUN_OCID", "run"},
                           {"NODE_RANK", std::to_string(rank)},
                           {"INITIAL_CLUSTER_SIZE", "2"},
                           {"CLUSTER_NODES_METADATA_FILE", file.string()}}));
  EXPECT_EQ(nodes[1].exitCode(), 7) << nodes[1].output();
  EXPECT_EQ(nodes[0].exitCode(std::chrono::seconds(60)), 12) << nodes[0].output();
}

TEST_F(NodeProcess, AFailingNodeEndsTheOthersAndIsNamed) {
  script("[ $RANK = 2 ] && { echo out of memory >&2; exit 7; }\nexec sleep 300\n");
  auto nodes = startAll(3);
  EXPECT_EQ(nodes[2].exitCode(), 7) << nodes[2].output();
  EXPECT_TRUE(nodes[2].says("[node] rank 2 on worker_1 ended with exit code 7\n")) << nodes[2].output();
  for (const int rank : {0, 1}) {
    auto& node = nodes[static_cast<std::size_t>(rank)];
    EXPECT_EQ(node.exitCode(std::chrono::seconds(60)), 12) << node.output();
    EXPECT_TRUE(node.says(
        "first failure of the run: rank 2 on worker_1 ended with exit code 7; its last line: out of memory"))
        << node.output();
  }
  const auto record = nlohmann::json::parse(*readFile(inWorkDir(layout::failureFile("Undefined"))));
  EXPECT_EQ(record["rank"], 2);
  EXPECT_EQ(record["node"], "worker_1");
  EXPECT_EQ(record["jobRun"], "run2");
  EXPECT_EQ(record["exitCode"], 7);
}

TEST_F(NodeProcess, AKilledRankIsNamedWithItsSignal) {
  script("[ $RANK = 1 ] && kill -9 $$\nexec sleep 300\n");
  auto nodes = startAll(2);
  EXPECT_EQ(nodes[1].exitCode(), 128 + 9) << nodes[1].output();
  EXPECT_TRUE(nodes[1].says("[node] rank 1 on worker_0 was killed by signal 9 (Killed)\n"))
      << nodes[1].output();
  EXPECT_EQ(nodes[0].exitCode(), 12) << nodes[0].output();
  EXPECT_TRUE(nodes[0].says("rank 1 on worker_0 was killed by signal 9 (Killed)")) << nodes[0].output();
}

// Rank 0 ends because it lost rank 1, a moment before the node of rank 1 can say that it was killed.
TEST_F(NodeProcess, AConsequenceIsNotReportedAsTheCause) {
  script("[ $RANK = 0 ] && exit 12\nsleep 2\nkill -9 $$\n");
  auto nodes = startAll(2);
  EXPECT_EQ(nodes[0].exitCode(), 12) << nodes[0].output();
  EXPECT_EQ(nodes[1].exitCode(), 128 + 9) << nodes[1].output();
  EXPECT_TRUE(nodes[0].says(
      "it follows from the first failure of the run: rank 1 on worker_0 was killed by signal 9"))
      << nodes[0].output();
  EXPECT_EQ(nlohmann::json::parse(*readFile(inWorkDir(layout::failureFile("Undefined"))))["rank"], 1);
}

TEST_F(NodeProcess, SigtermReachesTheRanksAndEverythingTheyStarted) {
  script(
      "trap 'echo saved; exit 0' TERM\nsleep 301 &\necho child $!\necho ready\nwhile :; do sleep 0.1; "
      "done\n");
  auto node = start(0, 1);
  ASSERT_TRUE(node.waitUntilItSays("ready")) << node.output();
  const std::string output = node.output();
  const pid_t child = std::stoi(output.substr(output.find("child ") + 6));
  node.signal(SIGTERM);
  EXPECT_EQ(node.exitCode(), 143) << node.output();
  EXPECT_TRUE(node.says("saved")) << node.output();
  EXPECT_FALSE(std::filesystem::exists(inWorkDir(layout::failureFile("Undefined"))));
  const auto state =
      readFile("/proc/" + std::to_string(child) + "/stat", 4096);  // a zombie of a slow reaper is fine
  EXPECT_TRUE(!state || state->find(") Z ") != std::string::npos) << *state;
}

TEST_F(NodeProcess, AWorkerWithoutMainGivesUpAfterTheTimeout) {
  script("exit 0\n");
  auto worker = start(1, 2, {{"OCI__TIMEOUT", "1"}});
  EXPECT_EQ(worker.exitCode(), 1);
  EXPECT_TRUE(worker.says("the main node did not write")) << worker.output();
}

TEST_F(NodeProcess, AMissingEntryScriptIsNamed) {
  auto node = start(0, 1);
  EXPECT_EQ(node.exitCode(), 1);
  EXPECT_TRUE(node.says("the entry script 'entry.sh' does not exist")) << node.output();
}

TEST_F(NodeProcess, AnUnusableEnvironmentIsAUsageError) {
  StartedProgram node(dir_.path() / "log", {program("lockstep-node")},
                      {{"RANK", "0"}, {"OCI__WORK_DIR", "/x"}});
  EXPECT_EQ(node.exitCode(), 2);
  EXPECT_TRUE(node.says("OCI__ENTRY_SCRIPT is not set")) << node.output();
}

// Rank 1 fails on its first two starts; the third finds itself told so, and ends well.
TEST_F(NodeProcess, AllRanksStartAgainAfterAFailure) {
  script(
      "echo attempt $TORCHELASTIC_RESTART_COUNT of $TORCHELASTIC_MAX_RESTARTS rank $RANK port $MASTER_PORT\n"
      "[ $TORCHELASTIC_RESTART_COUNT = 2 ] && exit 0\n"
      "[ $RANK = 1 ] && { sleep 0.3; exit 7; }\nexec sleep 300\n");
  auto nodes = startAll(2, {{"LOCKSTEP_MAX_RESTARTS", "2"}});
  for (auto& node : nodes) EXPECT_EQ(node.exitCode(), 0) << node.output();
  for (const char* attempt : {"attempt 0 of 2 rank 0", "attempt 1 of 2 rank 0", "attempt 2 of 2 rank 0"})
    EXPECT_TRUE(nodes[0].says(attempt)) << nodes[0].output();
  EXPECT_TRUE(nodes[1].says("attempt 2 of 2 rank 1")) << nodes[1].output();
  EXPECT_TRUE(nodes[0].says("first failure of the run: rank 1 on worker_0 ended with exit code 7"))
      << nodes[0].output();
  EXPECT_FALSE(std::filesystem::exists(inWorkDir(layout::failureFile("Undefined"))));
}

TEST_F(NodeProcess, RestartsEndAtTheirLimit) {
  script("[ $RANK = 1 ] && exit 7\nexec sleep 300\n");
  auto nodes = startAll(2, {{"LOCKSTEP_MAX_RESTARTS", "1"}});
  EXPECT_EQ(nodes[1].exitCode(), 7) << nodes[1].output();
  EXPECT_EQ(nodes[0].exitCode(), 12) << nodes[0].output();
  EXPECT_TRUE(nodes[1].says("1 of at most 1 restarts")) << nodes[1].output();
}

TEST_F(NodeProcess, WrongArgumentsAreNotTriedAgain) {
  script("exit 2\n");
  auto node = start(0, 1, {{"LOCKSTEP_MAX_RESTARTS", "5"}});
  EXPECT_EQ(node.exitCode(), 2) << node.output();
  EXPECT_FALSE(node.says("restarts")) << node.output();
}

// A node that is gone for good, agent and all, is left out where that is allowed.
TEST_F(NodeProcess, ARestartGoesOnWithoutALostNode) {
  script(
      "echo world $WORLD_SIZE attempt $TORCHELASTIC_RESTART_COUNT\n"
      "[ $TORCHELASTIC_RESTART_COUNT = 1 ] && exit 0\n"
      "[ $RANK = 0 ] && { until [ -e " +
      dir_.path().string() + "/lost ]; do sleep 0.05; done; exit 9; }\nexec sleep 300\n");
  const std::map<std::string, std::string> more = {
      {"LOCKSTEP_MAX_RESTARTS", "1"}, {"LOCKSTEP_MIN_NODES", "1"}, {"LOCKSTEP_RESTART_WAIT", "3"}};
  auto nodes = startAll(2, more);
  ASSERT_TRUE(nodes[1].waitUntilItSays("world 2 attempt 0")) << nodes[1].output();
  nodes[1].signal(SIGKILL);
  ASSERT_TRUE(writeFileAtomically(dir_.path() / "lost", ""));
  EXPECT_EQ(nodes[0].exitCode(), 0) << nodes[0].output();
  EXPECT_TRUE(nodes[0].says("the run continues with 1 of 2 nodes")) << nodes[0].output();
  EXPECT_TRUE(nodes[0].says("world 1 attempt 1")) << nodes[0].output();
}

// Nothing of what happens reaches the ranks: the nodes' own heartbeats are all there is.
class LostMain : public NodeProcess {
 protected:
  void SetUp() override {
    NodeProcess::SetUp();
    script(
        "echo world $WORLD_SIZE rank $RANK attempt $TORCHELASTIC_RESTART_COUNT\n"
        "[ $TORCHELASTIC_RESTART_COUNT = 1 ] || exec sleep 300\n"
        "until [ -e " +
        path("end") + " ]; do sleep 0.05; done\n");
  }
  [[nodiscard]] std::string path(const std::string& name) const { return (dir_.path() / name).string(); }
  std::vector<StartedProgram> running(const std::map<std::string, std::string>& more) {
    auto nodes =
        startAll(3, merged({{"LOCKSTEP_NODE_ADDRESS", "127.0.0.1"}, {"LOCKSTEP_NODE_SILENCE", "5"}}, more));
    for (int rank = 0; rank < 3; ++rank) {
      auto& node = nodes[static_cast<std::size_t>(rank)];
      EXPECT_TRUE(node.waitUntilItSays("world 3 rank " + std::to_string(rank))) << node.output();
    }
    // Each has heard the others.
    std::this_thread::sleep_for(std::chrono::seconds(5));
    return nodes;
  }
  static std::map<std::string, std::string> merged(std::map<std::string, std::string> one,
                                                   const std::map<std::string, std::string>& other) {
    one.insert(other.begin(), other.end());
    return one;
  }
};

TEST_F(LostMain, IsReplacedAndLeftOutWhenItComesBack) {
  auto nodes =
      running({{"LOCKSTEP_MAX_RESTARTS", "1"}, {"LOCKSTEP_MIN_NODES", "2"}, {"LOCKSTEP_RESTART_WAIT", "2"}});
  nodes[0].signal(SIGSTOP);
  ASSERT_TRUE(nodes[1].waitUntilItSays("world 2 rank 0 attempt 1")) << nodes[1].output();
  ASSERT_TRUE(nodes[2].waitUntilItSays("world 2 rank 1 attempt 1")) << nodes[2].output();
  EXPECT_TRUE(nodes[1].says("main was lost while its ranks ran")) << nodes[1].output();
  EXPECT_TRUE(nodes[1].says("worker_0 is the main node from now on")) << nodes[1].output();
  nodes[0].signal(SIGCONT);
  EXPECT_EQ(nodes[0].exitCode(), 24) << nodes[0].output();
  EXPECT_TRUE(nodes[0].says("main ends: the run continues without this node")) << nodes[0].output();
  // Another process in its place is left out as well, and takes nothing away from the others.
  auto again = start(0, 3, {{"LOCKSTEP_MAX_RESTARTS", "1"}, {"LOCKSTEP_MIN_NODES", "2"}});
  EXPECT_EQ(again.exitCode(), 24) << again.output();
  EXPECT_FALSE(std::filesystem::exists(inWorkDir(layout::failureFile("Undefined"))));
  ASSERT_TRUE(writeFileAtomically(path("end"), ""));
  for (const std::size_t i : {1U, 2U}) EXPECT_EQ(nodes[i].exitCode(), 0) << nodes[i].output();
}

TEST_F(LostMain, EndsTheRunWhereFewerNodesAreNotAllowed) {
  auto nodes = running({{"LOCKSTEP_MAX_RESTARTS", "1"}});
  nodes[0].signal(SIGKILL);
  for (const std::size_t i : {1U, 2U}) {
    EXPECT_EQ(nodes[i].exitCode(), 12) << nodes[i].output();
    for (const char* part : {"main was lost while its ranks ran", "no restart 1: main is gone",
                             "2 of 3 nodes are left, and 3 are wanted", "set LOCKSTEP_MIN_NODES=2"})
      EXPECT_TRUE(nodes[i].says(part)) << part << "\n" << nodes[i].output();
  }
  const auto record = nlohmann::json::parse(*readFile(inWorkDir(layout::failureFile("Undefined"))));
  EXPECT_EQ(record["node"], "main");
  EXPECT_EQ(record["jobRun"], "run0");
}

TEST_F(LostMain, EndsTheRunWithoutRestarts) {
  auto nodes = running({});
  nodes[0].signal(SIGKILL);
  for (const std::size_t i : {1U, 2U}) {
    EXPECT_EQ(nodes[i].exitCode(), 12) << nodes[i].output();
    EXPECT_TRUE(nodes[i].says("the first failure of the run: main was lost")) << nodes[i].output();
  }
}

TEST_F(NodeProcess, WhatARankLeavesBehindIsEnded) {
  script("setsid sh -c 'echo $$ > " + (dir_.path() / "left").string() +
         "; exec sleep 300' < /dev/null > /dev/null 2>&1 &\n"
         "until [ -s " +
         (dir_.path() / "left").string() + " ]; do sleep 0.05; done\nexit 0\n");
  auto node = start(0, 1);
  EXPECT_EQ(node.exitCode(), 0) << node.output();
  const pid_t left = std::stoi(*readFile(dir_.path() / "left"));
  EXPECT_NE(::kill(left, 0), 0) << "a process with a session of its own still runs";
}

TEST_F(NodeProcess, NodesSayWhomTheyReach) {
  script("sleep 1\n");
  auto nodes = startAll(2, {{"LOCKSTEP_NODE_ADDRESS", "127.0.0.1"}});
  for (auto& node : nodes) EXPECT_EQ(node.exitCode(), 0) << node.output();
  EXPECT_TRUE(nodes[0].says("main reaches all of the 1 other node")) << nodes[0].output();
  const auto written = nlohmann::json::parse(*readFile(inWorkDir(layout::reachFile("Undefined", 1))));
  EXPECT_EQ(written["peers"][0]["name"], "main");
  EXPECT_EQ(written["peers"][0]["reached"], true);
}

TEST_F(NodeProcess, ResultsAreKeptAndCodeIsCloned) {
  const auto origin = dir_.path() / "origin";
  const std::string make =
      "set -e; git init -q -b main '" + origin.string() + "'; cd '" + origin.string() +
      "'; git config user.name t; git config user.email t@t;"
      "printf '#!/bin/sh\\necho first\\n' > entry.sh; chmod +x entry.sh; git add .; git commit -qm 1;"
      "git checkout -qb other;"
      "printf '#!/bin/sh\\necho from the branch; mkdir -p $OCI__SYNC_DIR/sub; "
      "echo kept > $OCI__SYNC_DIR/sub/result\\n' > entry.sh; git commit -qam 2; git checkout -q main";
  StartedProgram made(dir_.path() / "git.log", {"sh", "-c", make}, {{"HOME", dir_.path().string()}});
  if (made.exitCode() != 0) GTEST_SKIP() << "no git here: " << made.output();
  ASSERT_TRUE(writeFileAtomically(dir_.path() / "code" / "old", "x"));
  auto node = start(0, 1,
                    {{"OCI__RUNTIME_TYPE", "git"},
                     {"OCI__RUNTIME_URI", origin.string()},
                     {"OCI__RUNTIME_GIT_BRANCH", "other"},
                     {"SYNC_ARTIFACTS", "1"},
                     {"OCI__SYNC_DIR", (dir_.path() / "ml").string()},
                     {"HOME", dir_.path().string()}});
  EXPECT_EQ(node.exitCode(), 0) << node.output();
  EXPECT_TRUE(node.says("from the branch")) << node.output();
  EXPECT_EQ(*readFile(inWorkDir("sync/Undefined/run0/sub/result")), "kept\n");
  EXPECT_FALSE(std::filesystem::exists(dir_.path() / "code" / "old")) << "moved aside";
}

TEST_F(NodeProcess, ARepositoryThatIsNotThereIsNamed) {
  auto node =
      start(0, 1, {{"OCI__RUNTIME_TYPE", "git"}, {"OCI__RUNTIME_URI", (dir_.path() / "none").string()}});
  EXPECT_EQ(node.exitCode(), 1);
  EXPECT_TRUE(node.says("git clone failed")) << node.output();
}

// A script with two lines of lockstep.py, and one that only prints, on two nodes: read as the dashboard reads them.
TEST_F(NodeProcess, MetricsOfScriptsReachTheWorkDir) {
  ASSERT_TRUE(writeFileAtomically(
      dir_.path() / "train.py",
      "import os, time\nimport lockstep\n"
      "for step in range(40):\n"
      "    time.sleep(0.05)\n"
      "    if os.environ['RANK'] == '0': lockstep.log(step, loss=1 / (step + 1), own=step)\n"
      "    else: print(f'step {step}: loss {2 / (step + 1)}', flush=True)\n",
      0644));
  auto nodes = startAll(2, {{"OCI__ENTRY_SCRIPT", (dir_.path() / "train.py").string()}});
  for (auto& node : nodes) EXPECT_EQ(node.exitCode(), 0) << node.output();
  EXPECT_TRUE(nodes[1].says("metrics of rank 1 are read from its lines, by the rule 'step'"))
      << nodes[1].output();
  const Samples samples = samplesIn(inWorkDir(""), layout::metricsFolder("Undefined"));
  for (const int rank : {0, 1}) {
    const auto loss = pointsOf(samples, rank, "loss");
    ASSERT_EQ(loss.size(), 40U) << rank;
    EXPECT_EQ(loss[39].first, 39);
    EXPECT_NEAR(loss[39].second, (rank + 1) / 40.0, 1e-6);
    EXPECT_FALSE(pointsOf(samples, rank, "memory_bytes").empty()) << rank;
    EXPECT_FALSE(pointsOf(samples, rank, "node_memory_percent").empty()) << rank;
  }
  EXPECT_EQ(pointsOf(samples, 0, "own").size(), 40U);
}

}  // namespace
}  // namespace lockstep::node
