// SPDX-License-Identifier: GPL-3.0-or-later
// What a node does beside starting its ranks: whom it reaches, restarts, code, results.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "base/atomic_file.h"
#include "base/time_text.h"
#include "node_world.h"
#include "temp_dir.h"
#include "trainer/node/code/artifact_sync.h"
#include "trainer/node/code/code_source.h"
#include "trainer/node/liveness/connectivity_check.h"
#include "trainer/node/rendezvous/rendezvous_files.h"
#include "trainer/node/rendezvous/restart_agreement.h"
#include "trainer/node/settings/master_port.h"
#include "workdir/file_object_store.h"
#include "workdir/work_dir_uri.h"

namespace lockstep::node {
namespace {

class Nodes : public NodeWorld {};

TEST(ConnectivityProbe, KnowsWhoAnswers) {
  const auto listener = ProbeListener::open("lockstep-node 1 ab");
  ASSERT_TRUE(listener) << describe(listener.error());
  const auto limit = std::chrono::seconds(30);
  const auto reached = probeConnection("127.0.0.1", (*listener)->port(), "lockstep-node 1 ab", limit);
  ASSERT_TRUE(reached) << describe(reached.error());
  EXPECT_GE(*reached, 0);
  const auto other = probeConnection("127.0.0.1", (*listener)->port(), "lockstep-node 2 cd", limit);
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().code, ErrorCode::DataLoss);
  const auto port = MasterPort::choose(0);
  ASSERT_TRUE(port);
  EXPECT_EQ(probeConnection("127.0.0.1", port->port(), "x", limit).error().code, ErrorCode::Unavailable);
  EXPECT_EQ(probeConnection("no address", 1, "x", limit).error().code, ErrorCode::InvalidArgument);
}

TEST_F(Nodes, ReachIsTestedInBothDirectionsAndWrittenDown) {
  auto zero = settingsOf(0), one = settingsOf(1);
  zero.nodeCount = one.nodeCount = 2;
  zero.timeout = one.timeout = std::chrono::seconds(60);
  ConnectivityCheck first(store_, zero, "main", "127.0.0.1"), second(store_, one, "worker_0", "127.0.0.1");
  Result<std::vector<ReachFinding>> ofFirst, ofSecond;
  {
    const std::jthread other([&] {
      SystemClock clock;
      EXPECT_TRUE(second.open(clock, {}));
      ofSecond = second.run(clock, {});
      EXPECT_TRUE(second.awaitOthers(clock, {}));
    });
    EXPECT_TRUE(first.open(clock_, {}));
    ofFirst = first.run(clock_, {});
    EXPECT_TRUE(first.awaitOthers(clock_, {}));
  }
  ASSERT_TRUE(ofFirst) << describe(ofFirst.error());
  ASSERT_TRUE(ofSecond) << describe(ofSecond.error());
  ASSERT_EQ(ofFirst->size(), 1U);
  EXPECT_TRUE(ofFirst->at(0).ms);
  EXPECT_EQ(ofFirst->at(0).name, "worker_0");
  ASSERT_EQ(ofSecond->size(), 1U);
  EXPECT_EQ(ofSecond->at(0).name, "main");
  const auto written = nlohmann::json::parse(*store_->get(layout::reachFile("job1", 1), {}));
  EXPECT_EQ(written["peers"][0]["node"], 0);
  EXPECT_EQ(written["peers"][0]["reached"], true);
}

// What a cluster listens on is what has to be open; a port of one's own choice says nothing about it.
TEST_F(Nodes, ThePortsOfTheClusterAreTested) {
  auto zero = settingsOf(0), one = settingsOf(1);
  zero.nodeCount = one.nodeCount = 2;
  zero.timeout = one.timeout = std::chrono::seconds(60);
  const auto port = MasterPort::choose(0, 0);
  ASSERT_TRUE(port);
  ConnectivityCheck first(store_, zero, "main", "127.0.0.1"),
      second(store_, one, "worker_0", "127.0.0.1", {port->port(), 0});
  ASSERT_TRUE(first.open(clock_, {}));
  ASSERT_TRUE(second.open(clock_, {}));
  const auto findings = first.run(clock_, {});
  ASSERT_TRUE(findings) << describe(findings.error());
  ASSERT_EQ(findings->size(), 2U);
  EXPECT_EQ(findings->at(0).port, port->port());
  EXPECT_TRUE(findings->at(0).fixed);
  EXPECT_TRUE(findings->at(0).ms) << findings->at(0).cause;
  EXPECT_FALSE(findings->at(1).fixed);
  ConnectivityCheck third(store_, settingsOf(2), "worker_1", "127.0.0.1", {port->port()});
  const auto taken = third.open(clock_, {});
  ASSERT_FALSE(taken);
  EXPECT_EQ(taken.error().code, ErrorCode::AlreadyExists);
  EXPECT_NE(taken.error().what.find(std::to_string(port->port())), std::string::npos);
}

// The announcement points to a port where nobody listens, as a closed way would look.
TEST_F(Nodes, AWayThatIsClosedIsNamed) {
  auto settings = settingsOf(0);
  settings.nodeCount = 2;
  settings.timeout = std::chrono::seconds(60);
  const auto closed = MasterPort::choose(0);
  ASSERT_TRUE(closed);
  ASSERT_TRUE(store_->put(layout::nodeFile("job1", 1),
                          nlohmann::json{{"node", "worker_0"},
                                         {"address", "127.0.0.1"},
                                         {"port", closed->port()},
                                         {"answer", "lockstep-node 1 x"},
                                         {"config", "x"},
                                         {"time", toRfc3339(clock_.now())}}
                              .dump(),
                          {}));
  ConnectivityCheck test(store_, settings, "main", "127.0.0.1");
  ASSERT_TRUE(test.open(clock_, {}));
  const auto findings = test.run(clock_, {});
  ASSERT_TRUE(findings) << describe(findings.error());
  ASSERT_EQ(findings->size(), 1U);
  EXPECT_FALSE(findings->at(0).ms);
  EXPECT_NE(findings->at(0).cause.find("refused"), std::string::npos) << findings->at(0).cause;
}

// Who can write to the work dir could let a node try a million ports, or one that no number holds.
TEST_F(Nodes, AnAnnouncementThatNoNodeMakesIsNone) {
  auto settings = settingsOf(0);
  settings.nodeCount = 2;
  settings.timeout = std::chrono::seconds(2);
  for (const auto& ports : {nlohmann::json(1e300), nlohmann::json::array({1e300}), nlohmann::json::array({0}),
                            nlohmann::json(std::vector<int>(1'000, 9))}) {
    nlohmann::json announced{{"node", "worker_0"},
                             {"address", "127.0.0.1"},
                             {"answer", "lockstep-node 1 x"},
                             {"config", "x"},
                             {"time", toRfc3339(clock_.now())}};
    announced[ports.is_array() ? "ports" : "port"] = ports;
    ASSERT_TRUE(store_->put(layout::nodeFile("job1", 1), announced.dump(), {}));
    ConnectivityCheck test(store_, settings, "main", "127.0.0.1");
    ASSERT_TRUE(test.open(clock_, {}));
    const auto findings = test.run(clock_, {});
    ASSERT_TRUE(findings) << describe(findings.error());
    EXPECT_TRUE(findings->empty()) << announced.dump().substr(0, 200);
    EXPECT_EQ(test.missing(), std::vector<int>{1});
  }
}

// A node that `ads` runs writes its config and nothing else: nobody waits for its announcement.
TEST_F(Nodes, NodesOfAdsTakeNoPart) {
  auto settings = settingsOf(0);
  settings.nodeCount = 2;
  settings.timeout = std::chrono::seconds(600);
  ASSERT_TRUE(store_->put(layout::workerConfig("job1", "runX"), R"({"OCI__WORKER_IP": "10.0.0.6"})", {}));
  ConnectivityCheck test(store_, settings, "main", "127.0.0.1");
  ASSERT_TRUE(test.open(clock_, {}));
  const auto findings = test.run(clock_, {});
  ASSERT_TRUE(findings) << describe(findings.error());
  EXPECT_TRUE(findings->empty());
  EXPECT_EQ(test.missing(), std::vector<int>{1});
}

// A node at a restart, which may think others lost.
class Restarting {
 public:
  Restarting(std::shared_ptr<ObjectStore> store, const NodeSettings& settings, std::vector<int> members,
             std::set<int> gone = {})
      : board_(std::move(store), settings) {
    stand_.members = std::move(members);
    stand_.address = fmt::format("10.0.0.{}", settings.nodeRank);
    stand_.isLost = stand_.isGone = [gone = std::move(gone)](int node) { return gone.contains(node); };
    stand_.openPort = [port = 30'000 + settings.nodeRank] { return Result<int>(port); };
  }
  Result<AttemptPlan> come(const std::optional<std::string>& failedAlready = {}) {
    SystemClock clock;
    if (auto told = board_.announce(1, {}); !told) return failure(told.error());
    return board_.agree(1, stand_, [failedAlready] { return failedAlready; }, clock, {});
  }

 private:
  RestartAgreement board_;
  RestartAgreement::Stand stand_;
};

class Restarts : public Nodes {
 protected:
  static NodeSettings patient(int rank, int minNodes = 0, int seconds = 60) {
    auto settings = settingsOf(rank);
    settings.restartWait = std::chrono::seconds(seconds);
    settings.minNodes = minNodes;
    return settings;
  }
};

TEST_F(Restarts, TakeThoseThatComeBack) {
  Result<AttemptPlan> ofWorker;
  Result<AttemptPlan> ofMain;
  {
    const std::jthread worker([&] { ofWorker = Restarting(store_, patient(1), {0, 1}).come(); });
    ofMain = Restarting(store_, patient(0), {0, 1}).come();
  }
  ASSERT_TRUE(ofMain) << describe(ofMain.error());
  ASSERT_TRUE(ofWorker) << describe(ofWorker.error());
  for (const auto& plan : {*ofMain, *ofWorker}) {
    EXPECT_EQ(plan.nodes, (std::vector<int>{0, 1}));
    EXPECT_EQ(plan.address, "10.0.0.0");
    EXPECT_EQ(plan.port, 30'000);
  }
}

TEST_F(Restarts, WithoutALostNodeMustBeAllowed) {
  const auto refused = Restarting(store_, patient(0, 0, 1), {0, 1, 2}).come();
  ASSERT_FALSE(refused);
  EXPECT_NE(describe(refused.error()).find("worker_0, worker_1 did not come back"), std::string::npos);
  EXPECT_NE(describe(refused.error()).find("LOCKSTEP_MIN_NODES"), std::string::npos);
  const auto gone = Restarting(store_, patient(0, 2), {0, 1, 2}, {1, 2}).come();
  ASSERT_FALSE(gone);
  EXPECT_NE(describe(gone.error()).find("worker_0, worker_1 are gone"), std::string::npos)
      << describe(gone.error());
  EXPECT_NE(describe(gone.error()).find("1 of 3 nodes are left, and 2 are wanted"), std::string::npos);
  const auto fewer = Restarting(store_, patient(0, 1, 1), {0, 1, 2}).come();
  ASSERT_TRUE(fewer) << describe(fewer.error());
  EXPECT_EQ(fewer->nodes, std::vector<int>{0});
}

TEST_F(Restarts, MakeTheFirstThatIsLeftMainAndLeaveOutWhoComesLate) {
  Result<AttemptPlan> ofSecond;
  Result<AttemptPlan> ofThird;
  {
    const std::jthread third([&] { ofThird = Restarting(store_, patient(2, 1), {0, 1, 2}, {0}).come(); });
    ofSecond = Restarting(store_, patient(1, 1), {0, 1, 2}, {0}).come();
  }
  // Both may have come too late for the other's plan, but never is there more than one.
  ASSERT_TRUE(ofSecond) << describe(ofSecond.error());
  ASSERT_TRUE(ofThird) << describe(ofThird.error());
  EXPECT_EQ(ofSecond->nodes, (std::vector<int>{1, 2}));
  EXPECT_EQ(ofSecond->address, "10.0.0.1");
  EXPECT_EQ(ofThird->nodes, ofSecond->nodes);
  EXPECT_EQ(ofThird->port, ofSecond->port);
  const auto late = Restarting(store_, patient(0, 1), {0, 1, 2}).come();
  ASSERT_TRUE(late);
  EXPECT_EQ(late->nodes, ofSecond->nodes) << "the lost main changes nothing";
}

// Neither hears the other: the plan of one of them stands for both.
TEST_F(Restarts, HaveOnePlanEvenIfTheNodesAreOfTwoMinds) {
  std::vector<Result<AttemptPlan>> plans(4);
  {
    std::vector<std::jthread> nodes;
    for (int node = 0; node < 4; ++node) {
      nodes.emplace_back([&, node] {
        std::set<int> others{0, 1, 2, 3};
        others.erase(node);
        plans[static_cast<std::size_t>(node)] =
            Restarting(store_, patient(node, 1), {0, 1, 2, 3}, others).come();
      });
    }
  }
  for (const auto& plan : plans) {
    ASSERT_TRUE(plan) << describe(plan.error());
    EXPECT_EQ(plan->nodes, plans[0]->nodes);
    EXPECT_EQ(plan->port, plans[0]->port);
  }
}

TEST_F(Restarts, EndForAllWhenOneHasFailed) {
  const auto told = Restarting(store_, patient(1), {0, 1}).come("main could not start its ranks");
  ASSERT_FALSE(told);
  EXPECT_EQ(told.error().code, ErrorCode::FailedPrecondition);
  EXPECT_EQ(told.error().what, "main could not start its ranks");
}

TEST_F(Nodes, AFailureOfAnAttemptIsNotOneOfTheRun) {
  auto settings = settingsOf(1);
  settings.maxRestarts = 2;
  RendezvousFiles board(store_, settings);
  board.beginAttempt(0);
  ASSERT_TRUE(
      board.reportFailure({1, "worker_0", "run1", "rank 1 was killed", 9, 0, true}, clock_.now(), {}));
  ASSERT_TRUE(*board.failure({}));
  EXPECT_TRUE((*board.failure({}))->restart);
  board.beginAttempt(1);
  EXPECT_FALSE(*board.failure({}));
  EXPECT_FALSE(store_->get(layout::failureFile("job1"), {}));
  ASSERT_TRUE(
      board.reportFailure({1, "worker_0", "run1", "rank 1 is out of data", 0, 16, false}, clock_.now(), {}));
  EXPECT_FALSE((*board.failure({}))->restart);
  EXPECT_TRUE(store_->get(layout::failureFile("job1"), {}));
}

TEST(ArtifactSync, KeepsWhatIsNewOrChanged) {
  TempDir dir;
  std::filesystem::create_directories(dir.path() / "a");
  ASSERT_TRUE(writeFileAtomically(dir.path() / "a" / "model.pt", "one"));
  std::map<std::string, std::string> sent;
  int count = 0;
  bool broken = false;
  ArtifactSync sync(dir.path(), std::chrono::hours(1),
                    [&](const std::filesystem::path& file, const std::string& name,
                        const std::stop_token&) -> Result<void> {
                      if (broken) return failure(ErrorCode::Unavailable, "no way");
                      ++count;
                      sent[name] = *readFile(file);
                      return {};
                    });
  ASSERT_TRUE(sync.syncNow({}));
  ASSERT_TRUE(sync.syncNow({}));
  EXPECT_EQ(count, 1);
  EXPECT_EQ(sent["a/model.pt"], "one");
  ASSERT_TRUE(writeFileAtomically(dir.path() / "a" / "model.pt", "longer"));
  ASSERT_TRUE(writeFileAtomically(dir.path() / "log", "x"));
  broken = true;
  EXPECT_FALSE(sync.syncNow({}));
  broken = false;
  ASSERT_TRUE(sync.syncNow({}));
  EXPECT_EQ(count, 3);
  EXPECT_EQ(sent["a/model.pt"], "longer");
  EXPECT_EQ(sync.filesKept(), 2);
}

TEST(CodeSource, PythonPathIsBelowTheCode) {
  auto environment = workerEnvironment();
  environment["OCI__CODE_DIR"] = "/c";
  const auto settings = *nodeSettingsFrom(environment, 0);
  EXPECT_EQ(pythonPath(settings, {{"OCI__RUNTIME_PYTHON_PATH", "src:lib/more"}, {"PYTHONPATH", "/x"}}),
            "/c/src:/c/lib/more:/x");
  EXPECT_EQ(pythonPath(settings, {{"PYTHONPATH", "/x"}}), "/x");
  EXPECT_EQ(pythonPath(settings, {}), "");
}

TEST(CodeSource, RefusesWhatItCannotFetch) {
  const auto settings = *nodeSettingsFrom(workerEnvironment(), 0);
  EXPECT_TRUE(fetchCode(settings, {}, {}));
  EXPECT_NE(describe(fetchCode(settings, {{"OCI__RUNTIME_TYPE", "remote"}}, {}).error()).find("'remote'"),
            std::string::npos);
  EXPECT_NE(
      describe(fetchCode(settings, {{"OCI__RUNTIME_TYPE", "git"}}, {}).error()).find("OCI__RUNTIME_URI"),
      std::string::npos);
}

}  // namespace
}  // namespace lockstep::node
