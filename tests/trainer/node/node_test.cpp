// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/atomic_file.h"
#include "base/child_process.h"
#include "node_world.h"
#include "temp_dir.h"
#include "trainer/node/code/training_command.h"
#include "trainer/node/processes/line_pump.h"
#include "trainer/node/processes/memory_kills.h"
#include "trainer/node/rendezvous/rendezvous_files.h"
#include "trainer/node/settings/cluster_file.h"
#include "trainer/node/settings/master_port.h"
#include "trainer/node/settings/node_settings.h"
#include "trainer/node/settings/own_address.h"
#include "workdir/file_object_store.h"
#include "workdir/work_dir_uri.h"

namespace lockstep::node {
namespace {

TEST(NodeSettings, ReadsWhatTheServiceAndAdsSet) {
  const auto settings = nodeSettingsFrom(workerEnvironment(), 0);
  ASSERT_TRUE(settings) << describe(settings.error());
  EXPECT_EQ(settings->nodeRank, 2);
  EXPECT_EQ(settings->nodeCount, 4);
  EXPECT_EQ(settings->ranksPerNode, 1);
  EXPECT_EQ(settings->worldSize(), 4);
  EXPECT_FALSE(settings->isMain());
  EXPECT_EQ(settings->timeout.count(), 600);
  EXPECT_EQ(settings->codeDir, "/code");
  EXPECT_EQ(settings->entryArguments, (std::vector<std::string>{"--name", "a b", "--epochs", "3"}));
  EXPECT_EQ(settings->defaultName(), "worker_1");
}

TEST(NodeSettings, CountsGpusUnlessTold) {
  auto environment = workerEnvironment();
  EXPECT_EQ(nodeSettingsFrom(environment, 4)->worldSize(), 16);
  environment["LOCKSTEP_RANKS_PER_NODE"] = "2";
  EXPECT_EQ(nodeSettingsFrom(environment, 4)->worldSize(), 8);
}

TEST(NodeSettings, OutsideTheServiceTheJobIsUndefined) {
  auto environment = workerEnvironment();
  environment.erase("JOB_OCID");
  environment.erase("JOB_RUN_OCID");
  const auto settings = nodeSettingsFrom(environment, 0);
  ASSERT_TRUE(settings);
  EXPECT_EQ(settings->jobId, "Undefined");
  EXPECT_FALSE(settings->jobRunId.empty());
}

TEST(NodeSettings, NamesWhatIsWrong) {
  const std::vector<std::pair<std::string, std::string>> cases = {{"RANK", "x"},
                                                                  {"RANK", "4"},
                                                                  {"OCI__WORKER_COUNT", "-1"},
                                                                  {"OCI__TIMEOUT", "soon"},
                                                                  {"MASTER_PORT", "0"},
                                                                  {"OCI__WORK_DIR", ""},
                                                                  {"OCI__ENTRY_SCRIPT", ""},
                                                                  {"OCI__MODE", "PS"},
                                                                  {"OCI__CLUSTER_TYPE", "RAY"}};
  for (const auto& [name, value] : cases) {
    auto environment = workerEnvironment();
    environment[name] = value;
    const auto settings = nodeSettingsFrom(environment, 0);
    ASSERT_FALSE(settings) << name;
    EXPECT_NE(settings.error().what.find(name), std::string::npos) << settings.error().what;
  }
}

Environment multiNodeEnvironment() {
  return {{"NODE_RANK", "1"},
          {"INITIAL_CLUSTER_SIZE", "3"},
          {"CLUSTER_NODES_METADATA_FILE", "/x/cluster.json"},
          {"OCI__MODE", "WORKER"},
          {"OCI__WORKER_COUNT", "2"},
          {"OCI__WORK_DIR", "oci://b@n/p"},
          {"JOB_OCID", "job1"},
          {"JOB_RUN_OCID", "run1"},
          {"OCI__ENTRY_SCRIPT", "train.py"}};
}

TEST(NodeSettings, OfAMultiNodeRunComeFromTheService) {
  auto environment = multiNodeEnvironment();
  const auto settings = nodeSettingsFrom(environment, 2);
  ASSERT_TRUE(settings) << describe(settings.error());
  EXPECT_TRUE(settings->isMultiNode());
  EXPECT_EQ(settings->nodeRank, 1);
  EXPECT_EQ(settings->nodeCount, 3);
  EXPECT_EQ(settings->worldSize(), 6);
  EXPECT_EQ(settings->defaultName(), "worker_0");
  environment["NODE_RANK"] = "3";
  EXPECT_NE(nodeSettingsFrom(environment, 0).error().what.find("NODE_RANK"), std::string::npos);
  environment["NODE_RANK"] = "0";
  environment["INITIAL_CLUSTER_SIZE"] = "none";
  EXPECT_NE(nodeSettingsFrom(environment, 0).error().what.find("INITIAL_CLUSTER_SIZE"), std::string::npos);
}

TEST(ClusterFile, IsReadOnceItIsComplete) {
  for (const char* text : {"", "{", "{}", "[]", R"([{"IPAddress":"10.0.0.2","Rank":0}])",
                           R"([{"IPAddress":"10.0.0.2","Rank":0},{"IPAddress":"10.0.0.3","Rank":2}])",
                           R"([{"IPAddress":"10.0.0.2","Rank":0},{"IPAddress":7,"Rank":1},3])",
                           R"([{"IPAddress":"10.0.0.2","Rank":0},{"IPAddress":"10.0.0.3","Rank":"1x"}])"}) {
    const auto addresses = clusterAddresses(text, 2);
    ASSERT_FALSE(addresses) << text;
    EXPECT_EQ(addresses.error().code, ErrorCode::NotFound);
  }
  const std::vector<std::string> both{"10.0.0.2", "10.0.0.3"};
  EXPECT_EQ(*clusterAddresses(R"([{"IPAddress":"10.0.0.3","Rank":1},{"IPAddress":"10.0.0.2","Rank":0}])", 2),
            both);
  EXPECT_EQ(
      *clusterAddresses(R"([{"Rank":"1","IPAddress":"10.0.0.3"},{"Rank":"0","IPAddress":"10.0.0.2"}])", 2),
      both)
      << "as `ads` meets it";
  EXPECT_EQ(*clusterAddresses(R"([{"Rank":1,"IPAddress":"10.0.0.3"},{"Rank":0,"IPAddress":"10.0.0.2"},)"
                              R"({"Rank":4294967296,"IPAddress":"203.0.113.1"}])",
                              2),
            both)
      << "2^32 is not 0";
}

TEST(ClusterFile, OwnAddressComesWithItsInterface) {
  auto settings = *nodeSettingsFrom(multiNodeEnvironment(), 0);
  EXPECT_EQ(ownAmong({"10.9.9.1", "127.0.0.1", "10.9.9.3"}, settings).interface, "lo");
  const OwnAddress other = ownAmong({"127.0.0.1", "203.0.113.9", "127.0.0.1"}, settings);
  EXPECT_EQ(other.address, "203.0.113.9");
  EXPECT_EQ(other.interface, "");
  EXPECT_NE(other.note.find("203.0.113.9"), std::string::npos);
}

TEST(OwnAddress, IsWhatTheEnvironmentSays) {
  auto environment = workerEnvironment();
  environment["LOCKSTEP_NODE_ADDRESS"] = "127.0.0.1";
  const auto own = findOwnAddress(*nodeSettingsFrom(environment, 0), nullptr, {});
  ASSERT_TRUE(own);
  EXPECT_EQ(own->address, "127.0.0.1");
  EXPECT_EQ(own->interface, "lo");
  EXPECT_EQ(own->note, "");
}

TEST(OwnAddress, KnowsWhatASubnetHolds) {
  EXPECT_TRUE(cidrContains("10.0.0.0/24", "10.0.0.255"));
  EXPECT_FALSE(cidrContains("10.0.0.0/24", "10.0.1.0"));
  EXPECT_TRUE(cidrContains("127.0.0.0/8", "127.3.2.1"));
  EXPECT_TRUE(cidrContains("0.0.0.0/0", "8.8.8.8"));
  EXPECT_TRUE(cidrContains("10.0.0.7/32", "10.0.0.7"));
  for (const char* bad : {"10.0.0.0", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/2x", "x/8", ""})
    EXPECT_FALSE(cidrContains(bad, "10.0.0.1")) << bad;
  EXPECT_FALSE(cidrContains("10.0.0.0/8", "fe80::1"));
}

TEST(OwnAddress, FindsLoopbackAndItsName) {
  bool loopback = false;
  for (const auto& one : interfaceAddresses())
    loopback = loopback || (one.interface == "lo" && one.address == "127.0.0.1");
  EXPECT_TRUE(loopback);
  const auto settings =
      nodeSettingsFrom({{"RANK", "0"}, {"OCI__WORK_DIR", "/x"}, {"OCI__ENTRY_SCRIPT", "y"}}, 0);
  const auto own = findOwnAddress(*settings, nullptr, {});
  ASSERT_TRUE(own);
  EXPECT_FALSE(own->address.empty());
  EXPECT_NE(own->note.find("JOB_OCID is not set"), std::string::npos);
}

class LinePumpTest : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(::pipe(ends_), 0); }
  void TearDown() override { ::close(ends_[0]); }
  std::string written() {
    ::close(ends_[1]);
    std::string text;
    char buffer[4096];
    for (ssize_t n; (n = ::read(ends_[0], buffer, sizeof buffer)) > 0;)
      text.append(buffer, static_cast<std::size_t>(n));
    return text;
  }
  int ends_[2] = {-1, -1};
};

TEST_F(LinePumpTest, CutsLinesWhereverTheBytesAreCut) {
  LinePump pump(ends_[1], "[rank 3] ");
  pump.add("on");
  pump.add("e\ntw");
  pump.add("o\r\n\nlast");
  EXPECT_EQ(pump.lastLine(), "two");
  pump.finish();
  EXPECT_EQ(pump.lastLine(), "last");
  EXPECT_EQ(written(), "[rank 3] one\n[rank 3] two\n[rank 3] \n[rank 3] last\n");
}

TEST_F(LinePumpTest, AHugeLineGoesOutInParts) {
  std::string text;
  std::thread reader([&] {
    char buffer[4096];
    for (ssize_t n; (n = ::read(ends_[0], buffer, sizeof buffer)) > 0;)
      text.append(buffer, static_cast<std::size_t>(n));
  });
  LinePump pump(ends_[1], "");
  pump.add(std::string(200'000, 'x'));
  pump.finish();
  ::close(ends_[1]);
  reader.join();
  EXPECT_EQ(std::count(text.begin(), text.end(), 'x'), 200'000);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 4);
}

class TrainingCommand : public ::testing::Test {
 protected:
  void SetUp() override {
    settings_ = *nodeSettingsFrom(workerEnvironment(), 0);
    settings_.codeDir = dir_.path();
  }
  void put(const std::string& name, bool executable) {
    ASSERT_TRUE(writeFileAtomically(dir_.path() / name, "#!/bin/sh\n", executable ? 0755 : 0644));
  }
  TempDir dir_;
  NodeSettings settings_;
};

TEST_F(TrainingCommand, RunsPythonScriptsBelowTheCodeFolder) {
  put("train.py", false);
  const auto command = trainingCommand(settings_, {});
  ASSERT_TRUE(command) << describe(command.error());
  EXPECT_EQ(*command, (std::vector<std::string>{"python3", (dir_.path() / "train.py").string(), "--name",
                                                "a b", "--epochs", "3"}));
}

TEST_F(TrainingCommand, PrefersTheFileAndFallsBackToPath) {
  settings_.entryScript = "sh";
  EXPECT_EQ(trainingCommand(settings_, {{"PATH", "/usr/bin:/bin"}})->at(0), "sh");
  put("sh", true);
  EXPECT_EQ(trainingCommand(settings_, {{"PATH", "/usr/bin:/bin"}})->at(0), (dir_.path() / "sh").string());
}

TEST_F(TrainingCommand, PutsTheProfilerFirst) {
  put("train.py", false);
  settings_.profileCommand = {"nsys", "profile"};
  EXPECT_EQ(trainingCommand(settings_, {})->at(0), "nsys");
}

TEST_F(TrainingCommand, SaysWhereItLooked) {
  const auto missing = trainingCommand(settings_, {});
  ASSERT_FALSE(missing);
  EXPECT_NE(describe(missing.error()).find((dir_.path() / "train.py").string()), std::string::npos);
  settings_.entryScript = "train.sh";
  put("train.sh", false);
  const auto closed = trainingCommand(settings_, {});
  ASSERT_FALSE(closed);
  EXPECT_NE(closed.error().remedy.find("chmod +x"), std::string::npos);
}

TEST_F(TrainingCommand, GivesEachRankTorchrunsVariables) {
  settings_.ranksPerNode = 2;
  const auto specs =
      rankSpecs(settings_, {"x"}, {{"OMP_NUM_THREADS", "4"}}, {{"MASTER_ADDR", "10.0.0.1"}}, "eth1");
  ASSERT_EQ(specs.size(), 2U);
  const auto& environment = specs[1].environment;
  const Environment expected = {{"RANK", "5"},
                                {"LOCAL_RANK", "1"},
                                {"WORLD_SIZE", "8"},
                                {"LOCAL_WORLD_SIZE", "2"},
                                {"NODE_RANK", "2"},
                                {"MASTER_ADDR", "10.0.0.1"},
                                {"MASTER_PORT", "29400"},
                                {"GLOO_SOCKET_IFNAME", "eth1"},
                                {"NCCL_SOCKET_IFNAME", "eth1"},
                                {"OMP_NUM_THREADS", "4"}};
  for (const auto& [name, value] : expected) EXPECT_EQ(environmentValue(environment, name), value) << name;
}

class Board : public NodeWorld {};

TEST_F(Board, WorkersLearnWhereMainIs) {
  RendezvousFiles main(store_, settingsOf(0)), worker(store_, settingsOf(1));
  ASSERT_TRUE(main.publishMain("10.0.0.5", 29400, {}));
  ASSERT_TRUE(worker.publishWorker("10.0.0.6", {}));
  const auto variables = worker.awaitMain(clock_, {});
  ASSERT_TRUE(variables) << describe(variables.error());
  EXPECT_EQ(*variables,
            (std::map<std::string, std::string>{{"MASTER_ADDR", "10.0.0.5"}, {"MASTER_PORT", "29400"}}));
  const auto file = nlohmann::json::parse(*store_->get(layout::workerConfig("job1", "run1"), {}));
  EXPECT_EQ(file, nlohmann::json({{"OCI__WORKER_IP", "10.0.0.6"}}));
}

TEST_F(Board, ReadsTheFileOfAnAdsMainNode) {
  ASSERT_TRUE(store_->put(layout::mainConfig("job1"), R"({"MASTER_ADDR": "10.0.0.5"})", {}));
  const auto variables = RendezvousFiles(store_, settingsOf(1)).awaitMain(clock_, {});
  ASSERT_TRUE(variables);
  EXPECT_EQ(variables->at("MASTER_ADDR"), "10.0.0.5");
}

TEST_F(Board, NestsNoDeeperThanNodesWrite) {
  constexpr std::size_t kDepth = 500'000;  // writing that again is a call for each
  const std::string nested = std::string(kDepth, '[') + std::string(kDepth, ']');
  const std::string deep = R"({"MASTER_ADDR":"h","A":)" + nested + "}";
  ASSERT_TRUE(store_->put(layout::mainConfig("job1"), deep, {}));
  const auto variables = RendezvousFiles(store_, settingsOf(1)).awaitMain(clock_, {});
  ASSERT_TRUE(variables) << describe(variables.error());
  EXPECT_EQ(variables->at("MASTER_ADDR"), "h");
}

TEST_F(Board, SaysWhichFileDidNotCome) {
  const auto variables = RendezvousFiles(store_, settingsOf(1)).awaitMain(clock_, {});
  ASSERT_FALSE(variables);
  EXPECT_EQ(variables.error().code, ErrorCode::DeadlineExceeded);
  EXPECT_NE(variables.error().what.find("MAIN_config.json"), std::string::npos);
}

TEST_F(Board, AWorkerDoesNotWaitForAMainThatHasFailed) {
  ASSERT_TRUE(
      RendezvousFiles(store_, settingsOf(0))
          .reportFailure({0, "main", "run0", "main could not start its ranks", 0, 1}, clock_.now(), {}));
  const auto variables = RendezvousFiles(store_, settingsOf(1)).awaitMain(clock_, {});
  ASSERT_FALSE(variables);
  EXPECT_EQ(variables.error().code, ErrorCode::FailedPrecondition);
  EXPECT_NE(variables.error().what.find("main could not start its ranks"), std::string::npos);
}

TEST_F(Board, DoesNotBelieveAnOldClustersFileOutsideTheService) {
  ASSERT_TRUE(store_->put(layout::mainConfig("Undefined"),
                          R"({"MASTER_ADDR":"9.9.9.9","LOCKSTEP_WRITTEN":"2020-01-01T00:00:00.000Z"})", {}));
  ASSERT_FALSE(RendezvousFiles(store_, settingsOf(1, "Undefined")).awaitMain(clock_, {}));
  RendezvousFiles main(store_, settingsOf(0, "Undefined"));
  ASSERT_TRUE(main.clearStale({}));
  ASSERT_TRUE(main.publishMain("10.0.0.5", 29400, {}));
  EXPECT_EQ(RendezvousFiles(store_, settingsOf(1, "Undefined")).awaitMain(clock_, {})->at("MASTER_ADDR"),
            "10.0.0.5");
  ASSERT_TRUE(main.retire({}));
  EXPECT_FALSE(store_->get(layout::mainConfig("Undefined"), {}));
}

TEST_F(Board, KeepsTheFirstFailure) {
  RendezvousFiles one(store_, settingsOf(1)), two(store_, settingsOf(2));
  EXPECT_FALSE(one.failure({})->has_value());
  const auto first = one.reportFailure(
      {1, "worker_0", "run1", "rank 1 on worker_0 was killed by signal 9 (Killed)", 9, 0}, clock_.now(), {});
  ASSERT_TRUE(first);
  const auto second = two.reportFailure({2, "worker_1", "run2", "rank 2 ended", 0, 12}, clock_.now(), {});
  ASSERT_TRUE(second);
  EXPECT_EQ(second->jobRun, "run1");
  const auto standing = two.failure({});
  ASSERT_TRUE(standing && *standing);
  EXPECT_EQ((*standing)->rank, 1);
  EXPECT_EQ((*standing)->signal, 9);
  EXPECT_EQ((*standing)->what, "rank 1 on worker_0 was killed by signal 9 (Killed)");
}

TEST_F(Board, AFailureRecordOfWrongTypesIsStillAFailure) {
  ASSERT_TRUE(store_->put(layout::failureFile("job1"), R"({"rank":"x","what":7})", {}));
  const auto standing = RendezvousFiles(store_, settingsOf(1)).failure({});
  ASSERT_TRUE(standing && *standing);
  EXPECT_EQ((*standing)->what, "a rank failed");
}

TEST(MasterPort, TwoMainNodesOfOneMachineGetTwoPorts) {
  const auto first = MasterPort::choose(0);
  const auto second = MasterPort::choose(0);
  ASSERT_TRUE(first && second);
  EXPECT_NE(first->port(), second->port());
  EXPECT_EQ(MasterPort::choose(31234)->port(), 31234);
}

TEST(NodeSettings, NodeRankStandsInForRank) {
  auto environment = workerEnvironment();
  environment.erase("RANK");
  environment["NODE_RANK"] = "1";
  EXPECT_EQ(nodeSettingsFrom(environment, 0)->nodeRank, 1);
  environment.erase("OCI__WORKER_COUNT");
  environment["NODE_COUNT"] = "2";
  const auto settings = nodeSettingsFrom(environment, 0);
  ASSERT_TRUE(settings) << describe(settings.error());
  EXPECT_EQ(settings->nodeCount, 2);
  environment["NODE_RANK"] = "2";
  EXPECT_NE(nodeSettingsFrom(environment, 0).error().what.find("NODE_RANK=2"), std::string::npos);
  environment["RANK"] = "1";
  EXPECT_EQ(nodeSettingsFrom(environment, 0)->nodeRank, 1) << "RANK goes first";
}

TEST(NodeSettings, TellRestartsAndSync) {
  auto environment = workerEnvironment();
  EXPECT_EQ(nodeSettingsFrom(environment, 0)->maxRestarts, 0);
  EXPECT_TRUE(nodeSettingsFrom(environment, 0)->syncFolder.empty());
  environment["LOCKSTEP_MAX_RESTARTS"] = "3";
  environment["LOCKSTEP_MIN_NODES"] = "2";
  environment["SYNC_ARTIFACTS"] = "1";
  const auto settings = nodeSettingsFrom(environment, 0);
  EXPECT_EQ(settings->maxRestarts, 3);
  EXPECT_EQ(settings->minNodes, 2);
  EXPECT_EQ(settings->syncFolder, "/opt/ml");
  EXPECT_EQ(settings->syncInterval.count(), 60);
}

TEST(MemoryKills, AreCountedByTheKernel) {
  EXPECT_EQ(memoryKillsIn("low 0\nhigh 0\nmax 12\noom 3\noom_kill 2\noom_group_kill 0\n"), 2);
  EXPECT_FALSE(memoryKillsIn("low 0\nhigh 0\n"));
  EXPECT_FALSE(memoryKillsIn(""));
}

}  // namespace
}  // namespace lockstep::node
