// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/folder/run_folder.h"

#include <gtest/gtest.h>

#include <fstream>

#include "base/time_text.h"
#include "fake_clock.h"
#include "launch/folder/folder_launcher.h"
#include "launch/folder/open_run_folder.h"
#include "memory_object_store.h"
#include "metrics/metric_writer.h"
#include "temp_dir.h"
#include "workdir/file_object_store.h"

using namespace lockstep;
using namespace std::chrono_literals;
namespace fs = std::filesystem;

namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

Error refusalOf(const std::string& reference) {
  const auto opened = openRunFolder(reference, {}, RetryMode::OneLook, {});
  EXPECT_FALSE(opened) << reference;
  return opened ? Error{} : opened.error();
}

/// What a run leaves, as docs/formats has it.
struct FolderRun : testing::Test {
  FolderRun() {
    set("run.json", R"({"nodes":2,"ranksPerNode":1,"worldSize":2,"started":")" + ago(1min) + R"("})");
  }
  void set(const std::string& name, const std::string& text) {
    store->set("Undefined/lockstep/" + name, text);
  }
  std::string ago(std::chrono::nanoseconds age) const { return toRfc3339(clock->now() - age); }
  void beat(std::chrono::nanoseconds age) {
    set("heartbeat.json",
        R"({"time":")" + ago(age) + R"(","ranks":[{"rank":0,"activity":"data"}],"waitingFor":[]})");
  }
  TrainingRun look() {
    auto run = launcher.refresh(runAt(*parseRunFolder("file:///w/Undefined")), {});
    EXPECT_TRUE(run) << (run ? "" : describe(run.error()));
    return run ? *run : TrainingRun{};
  }
  RunState state() { return stateOf(look()); }

  std::shared_ptr<MemoryObjectStore> store = std::make_shared<MemoryObjectStore>();
  std::shared_ptr<FakeClock> clock = std::make_shared<FakeClock>();
  FolderLauncher launcher{store, "Undefined", clock};
};

}  // namespace

TEST(RunFolder, ComesFromUrisAndPaths) {
  const auto folderOf = [](const std::string& text) { return parseRunFolder(text).value(); };
  EXPECT_EQ(folderOf("file:///work/Undefined").uri(), "file:///work/Undefined");
  EXPECT_EQ(folderOf("/work//dir/./x/../Undefined/").uri(), "file:///work/dir/Undefined");
  EXPECT_EQ(folderOf("/Undefined").uri(), "file:///Undefined");
  EXPECT_EQ(folderOf("/Undefined").workDir.prefix, "/");
  EXPECT_EQ(folderOf("some/Undefined").uri(), "file://" + (fs::current_path() / "some/Undefined").string());
  EXPECT_EQ(folderOf("oci://b@n/runs/ocid1.x").workDir.toString(), "oci://b@n/runs");
  EXPECT_EQ(folderOf("oci://b@n/ocid1.x/").uri(), "oci://b@n/ocid1.x");
}

TEST(RunFolder, WhatIsNoneIsRefusedWithTheForms) {
  for (const char* text : {"", "/", "oci://b@n", "oci://b/x", "file://x/y", "http://x/y", "a/\nb"}) {
    const auto folder = parseRunFolder(text);
    ASSERT_FALSE(folder) << text;
    EXPECT_EQ(folder.error().code, ErrorCode::InvalidArgument) << text;
    EXPECT_TRUE(contains(folder.error().remedy, "oci://BUCKET@NAMESPACE")) << text;
    EXPECT_FALSE(folder.error().cause.empty()) << text;
  }
}

TEST(RunFolder, AWordIsAnId) {
  EXPECT_FALSE(namesRunFolder("cifar-ddp-7d05"));
  EXPECT_FALSE(namesRunFolder("last"));
  EXPECT_FALSE(namesRunFolder("ocid1.datasciencejob.oc1.iad.x"));
  EXPECT_TRUE(namesRunFolder("work/nothing-there"));
  EXPECT_TRUE(namesRunFolder("oci://b@n/x"));
  EXPECT_TRUE(namesRunFolder("."));
  const TempDir dir;
  std::ofstream(dir.path() / "info.yaml") << "x";
  EXPECT_FALSE(namesRunFolder((dir.path() / "info.yaml").string())) << "an info file is a file";
}

TEST(RunFolder, SaysWhatAFolderIsInTheStead) {
  const TempDir dir;
  const std::string there = dir.path().string();
  const Error missing = refusalOf(there + "/none");
  EXPECT_EQ(missing.code, ErrorCode::NotFound);
  EXPECT_TRUE(contains(missing.what, there + "/none"));
  EXPECT_EQ(missing.cause, "there is no such folder");

  fs::create_directories(dir.path() / "empty");
  const Error empty = refusalOf(there + "/empty");
  EXPECT_TRUE(contains(empty.cause, "lockstep/run.json, lockstep/metrics/")) << empty.cause;

  std::ofstream(dir.path() / "file") << "x";
  EXPECT_EQ(refusalOf("file://" + there + "/file").cause, "it is a file, and no folder");

  fs::create_directories(dir.path() / "work/Undefined/lockstep");
  fs::create_directories(dir.path() / "work/other");
  const Error workDir = refusalOf(there + "/work");
  EXPECT_EQ(workDir.cause, "it is a work dir, in which runs lie");
  EXPECT_TRUE(contains(workDir.remedy, there + "/work/Undefined")) << workDir.remedy;
  EXPECT_FALSE(contains(workDir.remedy, "other"));
}

TEST(RunFolder, GarbageIsNoRun) {
  const TempDir dir;
  fs::create_directories(dir.path() / "g/lockstep/metrics/rank-00000");
  fs::create_directories(dir.path() / "g/lockstep/run.json");  // a folder of that name
  std::ofstream(dir.path() / "g/lockstep.txt") << "x";
  EXPECT_EQ(refusalOf((dir.path() / "g").string()).code, ErrorCode::NotFound);
}

TEST(RunFolder, IsReadAsItsWriterLeftItAndChangesNothing) {
  const TempDir dir;
  {
    MetricWriter writer(openFolder(dir.path()), layout::metricsFolder("Undefined"), Rank(0), 1);
    for (Step step = 0; step < 10; ++step)
      writer.record(step, TimePoint(1000h + step * 1s), {{metric::kLoss, 1.0}, {metric::kTotalSteps, 10.0}});
    ASSERT_TRUE(writer.flush(10s));
  }
  std::size_t files = 0;
  const auto count = [&dir] {
    return std::distance(fs::recursive_directory_iterator(dir.path()), fs::recursive_directory_iterator());
  };
  files = static_cast<std::size_t>(count());
  const auto opened = openRunFolder((dir.path() / "Undefined").string(), {}, RetryMode::OneLook, {});
  ASSERT_TRUE(opened) << describe(opened.error());
  EXPECT_TRUE(isReadOnly(opened->run));
  EXPECT_EQ(opened->run.id.value, "file://" + (dir.path() / "Undefined").string());
  EXPECT_EQ(opened->run.name, dir.path().filename().string() + "/Undefined");
  EXPECT_EQ(opened->run.created, TimePoint(1000h)) << "its first sample";
  EXPECT_EQ(stateOf(opened->run), RunState::Silent);

  auto services = servicesOfFolder(opened->run, {}, RetryMode::OneLook);
  ASSERT_TRUE(services) << describe(services.error());
  auto follower = services->follow(opened->run);
  ASSERT_TRUE(follower);
  const RunUpdate update = (*follower)->poll({});
  EXPECT_TRUE(update.problems.empty());
  EXPECT_EQ(update.segmentsRead, update.segmentsKnown);
  EXPECT_FALSE(update.metrics.empty());
  EXPECT_EQ(services->launcher()->cancel(opened->run, {}).error().code, ErrorCode::FailedPrecondition);
  EXPECT_EQ(static_cast<std::size_t>(count()), files);
}

TEST_F(FolderRun, RunsWhileItsHeartbeatIsFresh) {
  beat(3s);
  const TrainingRun run = look();
  EXPECT_EQ(stateOf(run), RunState::Running);
  EXPECT_EQ(run.nodes.front().nodes, 2);
  EXPECT_EQ(run.created, parseRfc3339(ago(1min)));
  EXPECT_FALSE(run.finished);
}

TEST_F(FolderRun, ASilentOneIsNeitherDoneNorFailed) {
  beat(1h);
  const TrainingRun run = look();
  EXPECT_EQ(stateOf(run), RunState::Silent);
  EXPECT_TRUE(run.failure.empty());
  ASSERT_TRUE(run.finished);
}

// A clock that is an hour behind ours: what changes while we look is alive.
TEST_F(FolderRun, AHeartbeatThatChangesIsALifeWhateverItsClock) {
  beat(1h);
  EXPECT_EQ(state(), RunState::Silent);
  clock->advance(5s);
  beat(1h);
  EXPECT_EQ(state(), RunState::Running);
  clock->advance(FolderLauncher::kSilence + 1s);
  EXPECT_EQ(state(), RunState::Silent);
}

TEST_F(FolderRun, NodesWithoutAHeartbeatOfRanksTellThatItRuns) {
  clock->advance(1h);
  EXPECT_EQ(state(), RunState::Silent);
  set("alive/0.json", "{}");
  EXPECT_EQ(state(), RunState::Running);
  clock->advance(FolderLauncher::kSilence + 1s);
  EXPECT_EQ(state(), RunState::Silent);
}

TEST_F(FolderRun, OneThatHasJustBegunWaits) {
  EXPECT_EQ(state(), RunState::Waiting);
}

TEST_F(FolderRun, StopIsASuccessUnlessThereIsAFailure) {
  beat(30s);
  store->set("Undefined/stop", "stop");
  const TrainingRun done = look();
  EXPECT_EQ(stateOf(done), RunState::Succeeded);
  EXPECT_EQ(done.finished, parseRfc3339(ago(30s)));
  set("failure.json",
      R"({"rank":1,"node":"worker_0","exitCode":3,"what":"x","signal":0,"time":")" + ago(20s) + R"("})");
  const TrainingRun failed = look();
  EXPECT_EQ(stateOf(failed), RunState::Failed);
  EXPECT_EQ(failed.failure, "rank 1 on worker_0 ended with exit code 3");
  EXPECT_EQ(failed.finished, parseRfc3339(ago(20s)));
  ASSERT_TRUE(store->remove("Undefined/lockstep/failure.json", {}));
  EXPECT_EQ(state(), RunState::Succeeded) << "begun anew in the same folder";
  store->set("Undefined/stop_fail", "stop");
  EXPECT_EQ(state(), RunState::Failed);
}

TEST_F(FolderRun, ARunWithoutAHeartbeatTookAsLongAsItsSamples) {
  MetricSegment segment;
  segment.sequence = 7;
  segment.append(100, clock->now() - 15s, {{metric::kLoss, 1.0}});
  segment.append(99, clock->now() - 20s, {{metric::kLoss, 1.0}});
  set("metrics/" + segmentName(Rank(0), 7), encodeSegment(segment));
  set("metrics/rank-00000/raw/notes.txt", "none of the run's");
  store->set("Undefined/stop", "stop");
  const TrainingRun run = look();
  EXPECT_EQ(stateOf(run), RunState::Succeeded);
  EXPECT_EQ(run.created, parseRfc3339(ago(1min)));
  EXPECT_EQ(run.finished, clock->now() - 15s);
  const int lists = store->lists;
  EXPECT_EQ(look().finished, clock->now() - 15s);
  EXPECT_EQ(store->lists - lists, 4) << "its segments are listed once";
}

TEST_F(FolderRun, HostileDocumentsAreBoundedAndMakeNoState) {
  set("run.json", R"({"nodes":1e18,"started":"3000-01-01T00:00:00Z"})");
  set("heartbeat.json", std::string(8 << 20, 'x'));
  set("failure.json", "[]");
  store->gets = 0;
  const TrainingRun run = look();
  EXPECT_EQ(stateOf(run), RunState::Failed);
  EXPECT_TRUE(contains(run.failure, "failure.json cannot be read")) << run.failure;
  EXPECT_EQ(run.nodes.front().nodes, 1);
  EXPECT_EQ(store->gets, 2) << "what is too large is not fetched";
}

TEST_F(FolderRun, AStoreThatFailsIsSaid) {
  beat(1s);
  store->failGet = [](const std::string&) { return Error{ErrorCode::Unavailable, "away", {}, {}, {}, {}}; };
  const auto run = launcher.refresh(runAt(*parseRunFolder("file:///w/Undefined")), {});
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().what, "away");
}
