// SPDX-License-Identifier: GPL-3.0-or-later
// Nodes as real processes that share a file:// work dir.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/atomic_file.h"
#include "started_program.h"
#include "temp_dir.h"
#include "workdir/work_dir_uri.h"

namespace lockstep::node {
namespace {

class NodeProcess : public ::testing::Test {
 protected:
  void script(const std::string& body) {
    ASSERT_TRUE(writeFileAtomically(dir_.path() / "code" / "entry.sh", "#!/bin/sh\n" + body, 0755));
  }
  void SetUp() override { std::filesystem::create_directories(dir_.path() / "code"); }

  StartedProgram start(int rank, int nodes, std::map<std::string, std::string> more = {}) {
    std::map<std::string, std::string> environment = {
        {"OCI__WORK_DIR", "file://" + (dir_.path() / "work").string()},
        {"OCI__WORKER_COUNT", std::to_string(nodes - 1)},
        {"OCI__MODE", rank == 0 ? "MAIN" : "WORKER"},
        {"RANK", std::to_string(rank)},
        {"OCI__ENTRY_SCRIPT", "entry.sh"},
        {"OCI__CODE_DIR", (dir_.path() / "code").string()},
        {"JOB_RUN_OCID", "run" + std::to_string(rank)},
        {"OCI__TIMEOUT", "60"}};
    environment.merge(more);
    for (const auto& [name, value] : more) environment[name] = value;
    return StartedProgram(dir_.path() / ("node-" + std::to_string(rank)), {program("lockstep-node")},
                          environment);
  }
  std::vector<StartedProgram> startAll(int nodes, const std::map<std::string, std::string>& more = {}) {
    std::vector<StartedProgram> all;
    for (int rank = 0; rank < nodes; ++rank) all.push_back(start(rank, nodes, more));
    return all;
  }
  [[nodiscard]] std::filesystem::path inWorkDir(const std::string& name) const {
    return dir_.path() / "work" / name;
  }

  TempDir dir_;
};

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

}  // namespace
}  // namespace lockstep::node
