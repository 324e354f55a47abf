// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/oci_launcher.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "fake_region.h"
#include "temp_dir.h"

using namespace lockstep;
using nlohmann::json;

namespace {

LaunchRequest threeNodes() {
  LaunchRequest request;
  request.name = "CIFAR ddp!";
  request.trainYaml = "kind: distributed\n";
  request.trainFile = "/home/me/train.yaml";
  request.codeFolder = "/home/me/code";
  request.image = "iad.ocir.io/t/i:1";
  request.plan.workDir = "oci://bucket@ns/work";
  request.plan.requests.push_back(
      {"CreateJob",
       {{"projectId", "p"},
        {"compartmentId", "c"},
        {"displayName", "CIFAR ddp!"},
        {"jobLogConfigurationDetails", {{"enableLogging", true}, {"logGroupId", "g"}, {"logId", "l"}}}}});
  const std::vector<std::string> names{"main", "worker_0", "worker_1"};
  for (std::size_t i = 0; i < names.size(); ++i) {
    request.plan.nodes.push_back({i == 0 ? NodeRole::Main : NodeRole::Worker, names[i], static_cast<int>(i)});
    request.plan.requests.push_back(
        {"CreateJobRun",
         {{"projectId", "p"}, {"compartmentId", "c"}, {"jobId", "${job}"}, {"displayName", names[i]}}});
  }
  return request;
}

struct OciLauncherTest : testing::Test {
  TempDir dir;
  FakeRegion region;
  std::shared_ptr<FastClock> clock = std::make_shared<FastClock>();
  std::shared_ptr<RunStore> store = std::make_shared<RunStore>(*RunStore::open(dir.path() / "runs.sqlite"));
  OciLauncher launcher{region.client(clock), store, clock};

  TrainingRun launched() {
    auto run = launcher.launch(threeNodes(), {}, {});
    EXPECT_TRUE(run) << (run ? "" : describe(run.error()));
    return *run;
  }
  void writeFailureFile(const json& file) {
    const std::lock_guard lock(region.mutex);
    region.objects["bucket/work/" + region.jobId + "/lockstep/failure.json"] = file.dump();
  }
  /// One whose answer the launcher never got.
  [[nodiscard]] FakeRegion::Run strayRun(const std::string& name) const {
    FakeRegion::Run run;
    run.id = "ocid1.datasciencejobrun.oc1.test.r9";
    run.jobId = region.jobId;
    run.name = name;
    return run;
  }
  TrainingRun refreshed(const TrainingRun& run) {
    auto now = launcher.refresh(run, {});
    EXPECT_TRUE(now) << (now ? "" : describe(now.error()));
    return *now;
  }
};

}  // namespace

TEST_F(OciLauncherTest, CreatesTheJobThenItsRunsMainFirst) {
  std::vector<std::string> doing;
  auto run = launcher.launch(threeNodes(), [&](const LaunchProgress& p) { doing.push_back(toText(p)); }, {});
  ASSERT_TRUE(run);
  EXPECT_TRUE(run->launchComplete);
  EXPECT_EQ(run->jobId.value, region.jobId);
  EXPECT_EQ(run->logId, "l");
  EXPECT_EQ(stateOf(*run), RunState::Waiting);
  EXPECT_EQ(run->id.value.rfind("cifar-ddp-", 0), 0u) << run->id.value;
  ASSERT_EQ(region.createdBodies.size(), 4u);
  EXPECT_EQ(region.createdBodies[1].at("jobId"), region.jobId);
  EXPECT_EQ(region.createdBodies[1].at("displayName"), "main");
  ASSERT_EQ(doing.size(), 5u);  // each request, and that it is done
  EXPECT_EQ(doing.front(), "creating job 'CIFAR ddp!'");
  EXPECT_EQ(doing.at(1), "creating job run 'main'");
  EXPECT_EQ(doing.back(), "launched");
  const auto kept = store->find("last");
  EXPECT_EQ(kept->trainYaml, "kind: distributed\n");
  EXPECT_EQ(kept->trainFile, "/home/me/train.yaml");
  EXPECT_EQ(kept->codeFolder, "/home/me/code");
  EXPECT_EQ(kept->image, "iad.ocir.io/t/i:1");
}

TEST_F(OciLauncherTest, EveryIdIsStoredBeforeTheNextRequest) {
  std::vector<std::size_t> storedAtCreate;
  region.onCreateRun = [&](int) {
    const TrainingRun known = *store->find("last");
    EXPECT_EQ(known.jobId.value, region.jobId);
    EXPECT_FALSE(known.launchComplete);
    storedAtCreate.push_back(static_cast<std::size_t>(std::count_if(
        known.nodes.begin(), known.nodes.end(), [](const NodeRun& n) { return !n.id.empty(); })));
  };
  launched();
  EXPECT_EQ(storedAtCreate, (std::vector<std::size_t>{0, 1, 2}));
}

TEST_F(OciLauncherTest, RetryTokensAreStoredAndSent) {
  const TrainingRun run = launched();
  for (const NodeRun& node : run.nodes) {
    EXPECT_FALSE(node.retryToken.empty());
    EXPECT_EQ(region.runNamed(node.displayName).retryToken, node.retryToken);
    EXPECT_LE(node.retryToken.size(), 64u);
  }
  EXPECT_NE(run.nodes[0].retryToken, run.nodes[1].retryToken);
}

TEST_F(OciLauncherTest, ARefusedCreateTakesBackWhatWasCreatedAndSaysSo) {
  region.failCreateRunAt = 2;
  const auto run = launcher.launch(threeNodes(), {}, {});
  ASSERT_FALSE(run);
  EXPECT_EQ(region.cancelled.size(), 2u);
  const std::string text = describe(run.error());
  for (const char* part :
       {"worker_1", "no more GPUs", "LimitExceeded", "cancelled again: main, worker_0", "TEST/1"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << " in " << text;
  }
  const TrainingRun known = *store->find("last");
  EXPECT_EQ(stateOf(known), RunState::Failed);
  EXPECT_NE(known.failure.find("worker_1"), std::string::npos);
}

TEST_F(OciLauncherTest, ARollbackThatFailsNamesWhatIsLeft) {
  region.failCreateRunAt = 1;
  region.refuseCancelWith = 403;
  const auto run = launcher.launch(threeNodes(), {}, {});
  ASSERT_FALSE(run);
  EXPECT_NE(run.error().cause.find("could not be cancelled: main"), std::string::npos)
      << describe(run.error());
  EXPECT_NE(run.error().remedy.find("lockstep cancel cifar-ddp-"), std::string::npos);
}

TEST_F(OciLauncherTest, ACreateWhoseAnswerWasLostIsFoundAndTakenBack) {
  region.loseAnswerOfRunAt = 1;
  const auto run = launcher.launch(threeNodes(), {}, {});
  ASSERT_FALSE(run);
  EXPECT_EQ(region.cancelled.size(), 2u);
  EXPECT_EQ(region.runNamed("worker_0").state, "CANCELED");
  EXPECT_EQ(store->find("last")->nodes[1].id.value, region.runNamed("worker_0").id);
}

TEST_F(OciLauncherTest, AStoppedLaunchTakesBackWhatWasCreated) {
  std::stop_source stop;
  region.onCreateRun = [&](int index) {
    if (index == 1) stop.request_stop();
  };
  const auto run = launcher.launch(threeNodes(), {}, stop.get_token());
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().code, ErrorCode::Cancelled);
  const std::lock_guard lock(region.mutex);
  for (const auto& created : region.runs) EXPECT_EQ(created.state, "CANCELED") << created.name;
  EXPECT_LE(region.runs.size(), 2u);
}

TEST_F(OciLauncherTest, ALaunchThatWasKilledIsFoundOutAndRolledBackFromTheStore) {
  TrainingRun run = launched();
  // As if the process had died after worker_0's create went out and before its answer was stored.
  TrainingRun torn = run;
  torn.id = RunId("torn-1");
  torn.launchComplete = false;
  torn.nodes[1].id = {};
  torn.nodes[2].id = {};
  torn.nodes[2].displayName = "worker_never_sent";
  ASSERT_TRUE(store->save(torn));
  const TrainingRun now = refreshed(*store->find("torn-1"));
  EXPECT_EQ(now.nodes[1].id, run.nodes[1].id);
  EXPECT_TRUE(now.nodes[2].id.empty());
  EXPECT_EQ(stateOf(now), RunState::Failed);
  EXPECT_EQ(region.runNamed("worker_0").state, "CANCELED");
  const auto ended = launcher.cancel(now, {});
  ASSERT_TRUE(ended);
  EXPECT_TRUE(allNodesEnded(*ended));
}

TEST_F(OciLauncherTest, RefreshFollowsTheService) {
  const TrainingRun run = launched();
  for (const char* name : {"main", "worker_0", "worker_1"})
    region.setState(name, "IN_PROGRESS", "in progress");
  TrainingRun now = refreshed(run);
  EXPECT_EQ(stateOf(now), RunState::Running);
  EXPECT_EQ(stateOf(*store->find("last")), RunState::Running);
  for (const char* name : {"main", "worker_0", "worker_1"}) region.setState(name, "SUCCEEDED");
  region.runNamed("main").finished = "2026-01-01T00:10:00Z";
  now = refreshed(now);
  EXPECT_EQ(stateOf(now), RunState::Succeeded);
  ASSERT_TRUE(now.finished);
}

TEST_F(OciLauncherTest, AStateThatWeDoNotKnowIsNoEnd) {
  const TrainingRun run = launched();
  region.setState("main", "HIBERNATING");
  EXPECT_EQ(refreshed(run).nodes[0].state, JobRunState::Unknown);
}

TEST_F(OciLauncherTest, AFailedRankIsNamedWithItsSignal) {
  const TrainingRun run = launched();
  writeFailureFile({{"rank", 1},
                    {"node", 1},
                    {"jobRun", run.nodes[1].id.value},
                    {"what", "rank 1 died"},
                    {"signal", 9},
                    {"exitCode", 0}});
  region.setState("worker_0", "FAILED", "Job run artifact execution failed with exit code 137.");
  const TrainingRun now = refreshed(run);
  EXPECT_EQ(stateOf(now), RunState::Failed);
  EXPECT_EQ(now.failure, "rank 1 on worker_0 was ended by signal 9 (Killed)");
  EXPECT_EQ(store->find("last")->failure, now.failure);
}

TEST_F(OciLauncherTest, NumbersOfAFailureFileThatNobodyHasAreNotBelieved) {
  const TrainingRun run = launched();
  writeFailureFile({{"rank", 4294967297},
                    {"node", 1e300},
                    {"signal", 4294967305},
                    {"exitCode", 9223372036854775808U},
                    {"what", std::string(100'000, 'x')}});
  region.setState("worker_0", "FAILED", "");
  const TrainingRun now = refreshed(run);
  EXPECT_TRUE(now.failure.starts_with("the node agent failed: xxx")) << now.failure.substr(0, 100);
  EXPECT_LT(now.failure.size(), 500U);
}

TEST_F(OciLauncherTest, WithoutAFailureFileTheServicesWordsExplain) {
  const TrainingRun run = launched();
  region.setState("worker_1", "FAILED", "Job run artifact execution failed with exit code 139.");
  EXPECT_EQ(refreshed(run).failure,
            "worker_1 failed: Job run artifact execution failed with exit code 139., signal 11 (Segmentation "
            "fault)");
}

TEST_F(OciLauncherTest, PeersOfAFailedNodeAreCancelledAfterAGrace) {
  const TrainingRun run = launched();
  region.setState("worker_0", "FAILED", "exit code 1");
  TrainingRun now = refreshed(run);
  EXPECT_TRUE(region.cancelled.empty());  // their agents get the chance to end them
  clock->skip(std::chrono::seconds(11));
  now = refreshed(now);
  EXPECT_EQ(region.cancelled.size(), 2u);
  now = refreshed(now);
  EXPECT_TRUE(allNodesEnded(now));
  EXPECT_EQ(stateOf(now), RunState::Failed);
  EXPECT_TRUE(now.finished);
}

TEST_F(OciLauncherTest, CancelEndsEveryNodeAndWaits) {
  const auto run = launcher.cancel(launched(), {});
  ASSERT_TRUE(run);
  EXPECT_EQ(stateOf(*run), RunState::Canceled);
  EXPECT_EQ(region.cancelled.size(), 3u);
  EXPECT_TRUE(store->find("last")->cancelRequested);
}

TEST_F(OciLauncherTest, CancelOfAFinishedRunIsFine) {
  const TrainingRun run = launched();
  region.setState("main", "SUCCEEDED");
  region.refuseCancelWith = 0;
  auto now = launcher.cancel(run, {});
  ASSERT_TRUE(now);
  EXPECT_EQ(region.cancelled.size(), 2u);  // the finished one is not asked
  EXPECT_EQ(stateOf(*now), RunState::Canceled);
  now = launcher.cancel(*now, {});
  ASSERT_TRUE(now);
  EXPECT_EQ(region.cancelled.size(), 2u);
}

TEST_F(OciLauncherTest, ANodeThatEndsWhileItIsBeingCancelledIsFine) {
  const TrainingRun run = launched();
  region.refuseCancelWith = 409;
  std::stop_source stop;
  for (const char* name : {"main", "worker_0", "worker_1"}) region.setState(name, "IN_PROGRESS");
  std::jthread ends([&] {
    while (true) {
      const std::lock_guard lock(region.mutex);
      if (region.cancelled.size() < 3) continue;
      for (auto& r : region.runs) r.state = "SUCCEEDED";
      return;
    }
  });
  const auto now = launcher.cancel(run, {});
  ASSERT_TRUE(now) << describe(now.error());
  EXPECT_TRUE(allNodesEnded(*now));
}

TEST_F(OciLauncherTest, CancelThatIsRefusedSaysWhatIsLeft) {
  const TrainingRun run = launched();
  region.refuseCancelWith = 403;
  const auto now = launcher.cancel(run, {});
  ASSERT_FALSE(now);
  EXPECT_NE(now.error().what.find("main (ACCEPTED), worker_0 (ACCEPTED)"), std::string::npos)
      << describe(now.error());
  EXPECT_EQ(region.cancelled.size(), 3u);  // all were tried
}

TEST_F(OciLauncherTest, ARefusedListingChangesNothing) {
  const TrainingRun run = launched();
  region.refuseLists = true;
  const auto now = launcher.refresh(run, {});
  ASSERT_FALSE(now);
  EXPECT_NE(describe(now.error()).find("ListJobRuns"), std::string::npos) << describe(now.error());
  EXPECT_EQ(stateOf(*store->find("last")), RunState::Waiting);
}

TEST_F(OciLauncherTest, ADeletedJobRunIsNoticedOnceListingsCannotLagAnyMore) {
  const TrainingRun run = launched();
  {
    const std::lock_guard lock(region.mutex);
    region.runs.pop_back();
  }
  EXPECT_EQ(refreshed(run).nodes[2].state, JobRunState::Accepted);
  clock->skip(std::chrono::minutes(3));
  EXPECT_EQ(refreshed(run).nodes[2].state, JobRunState::Deleted);
}

namespace {

/// One job run for four nodes in two groups.
LaunchRequest oneRunForFourNodes() {
  LaunchRequest request = threeNodes();
  request.plan.layout = "nodes";
  request.plan.requests.resize(2);
  request.plan.requests[1].body["displayName"] = "CIFAR ddp!";
  request.plan.nodes.push_back({NodeRole::Worker, "worker_2", 3});
  return request;
}

}  // namespace

TEST_F(OciLauncherTest, LaunchesOneJobRunForAllNodes) {
  const auto run = launcher.launch(oneRunForFourNodes(), {}, {});
  ASSERT_TRUE(run) << describe(run.error());
  EXPECT_EQ(region.createdBodies.size(), 2u);
  ASSERT_EQ(run->nodes.size(), 1u);
  EXPECT_EQ(labelOf(run->nodes[0]), "CIFAR ddp! (4 nodes)");
  EXPECT_EQ(store->find("last")->nodes[0].nodes, 4);
  EXPECT_TRUE(run->launchComplete);
}

TEST_F(OciLauncherTest, TellsTheStatesOfTheNodeGroups) {
  const auto run = launcher.launch(oneRunForFourNodes(), {}, {});
  ASSERT_TRUE(run);
  region.runs[0].nodeGroups = {
      {{"name", "main"}, {"lifecycleState", "ACTIVE"}},
      {{"name", "worker"}, {"lifecycleState", "FAILED"}, {"lifecycleDetails", "no room"}}};
  const TrainingRun now = refreshed(*run);
  EXPECT_EQ(now.nodes[0].details.rfind("[main ACTIVE, worker FAILED: no room] ", 0), 0u)
      << now.nodes[0].details;
}

TEST_F(OciLauncherTest, RefusesAPlanThatItCannotCarryOut) {
  LaunchRequest request = threeNodes();
  request.plan.launchRefusal = failure(ErrorCode::FailedPrecondition, "no", "needs driver files").value();
  const auto run = launcher.launch(request, {}, {});
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().cause, "needs driver files");
  EXPECT_TRUE(region.createdBodies.empty());
}

namespace {

struct Death : std::exception {};

/// Launches until the process would die: just before request number `at`. What is stored is all that is left.
struct CutShortLaunch : OciLauncherTest {
  TrainingRun diesBefore(int at) {
    const auto die = [at](const LaunchProgress& p) {
      if (p.done == at) throw Death();
    };
    EXPECT_THROW(static_cast<void>(launcher.launch(threeNodes(), die, {})), Death);
    return *store->find("last");
  }
};

}  // namespace

TEST_F(CutShortLaunch, BeforeItsJobWasKnownFindsItByTheRetryTokenAndDeletesIt) {
  const TrainingRun run = diesBefore(0);
  EXPECT_EQ(stateOf(run), RunState::Launching);
  const TrainingRun settled = refreshed(run);
  EXPECT_EQ(stateOf(settled), RunState::Failed);
  EXPECT_EQ(region.createdBodies.at(0), json(threeNodes().plan.requests[0].body));
  EXPECT_EQ(region.jobTokens, std::vector{run.jobRetryToken});
  EXPECT_EQ(region.deletedJobs, std::vector{region.jobId});
  EXPECT_NE(settled.failure.find("cut short"), std::string::npos) << settled.failure;
  EXPECT_FALSE(*store->keptJobRequest(run.id));
}

TEST_F(CutShortLaunch, BetweenItsJobRunsIsRolledBack) {
  const TrainingRun settled = refreshed(diesBefore(2));
  EXPECT_EQ(region.cancelled.size(), 1u);
  EXPECT_EQ(stateOf(settled), RunState::Failed);
  EXPECT_NE(settled.failure.find("1 of 3 job runs"), std::string::npos) << settled.failure;
  EXPECT_EQ(region.jobTokens.size(), 1u);
  EXPECT_TRUE(region.deletedJobs.empty());
}

TEST_F(CutShortLaunch, WithAJobRunWhoseAnswerWasNotStoredFindsItToo) {
  TrainingRun run = diesBefore(3);
  region.runs.push_back(strayRun("worker_1"));
  const TrainingRun now = refreshed(run);
  EXPECT_TRUE(now.launchComplete);  // all there: it goes on
  EXPECT_EQ(stateOf(now), RunState::Waiting);
  EXPECT_TRUE(region.cancelled.empty());
}

TEST_F(CutShortLaunch, ThatIsADayOldIsNotRepeated) {
  const TrainingRun run = diesBefore(0);
  clock->skip(std::chrono::hours(25));
  EXPECT_EQ(stateOf(refreshed(run)), RunState::Failed);
  EXPECT_TRUE(region.createdBodies.empty());
}

TEST_F(OciLauncherTest, ALaunchThatGoesOnIsLeftAlone) {
  std::optional<TrainingRun> seen;
  const auto run = launcher.launch(threeNodes(),
                                   [&](const LaunchProgress& p) {
                                     if (p.done != 2) return;
                                     OciLauncher other(region.client(clock), store, clock);
                                     auto now = other.refresh(*store->find("last"), {});
                                     ASSERT_TRUE(now);
                                     seen = *now;
                                   },
                                   {});
  ASSERT_TRUE(run);
  EXPECT_EQ(stateOf(*seen), RunState::Launching);
  EXPECT_TRUE(region.cancelled.empty());
}

TEST_F(OciLauncherTest, AJobRunThatTurnsUpAfterTheRollbackIsCancelled) {
  region.failCreateRunAt = 1;
  ASSERT_FALSE(launcher.launch(threeNodes(), {}, {}));
  {
    const std::lock_guard lock(region.mutex);
    region.runs.push_back(strayRun("worker_0"));
  }
  const TrainingRun now = refreshed(*store->find("last"));
  EXPECT_EQ(region.cancelled.back(), "ocid1.datasciencejobrun.oc1.test.r9");
  EXPECT_EQ(stateOf(now), RunState::Failed);
}
