// SPDX-License-Identifier: GPL-3.0-or-later
#include "sweep_work.h"

#include <gtest/gtest.h>

#include "temp_dir.h"

using namespace lockstep;
using namespace lockstep::cli;

namespace {

/// A service in which each run ends at the second look.
struct SweepWorkTest : testing::Test {
  TempDir dir;
  std::shared_ptr<RunStore> store = std::make_shared<RunStore>(*RunStore::open(dir.path() / "runs.sqlite"));
  Sweep sweep{"g", "kind: distributed", "/f/train.yaml", "", "", {{"lr", {"1", "2", "3", "4", "5"}}}};
  std::vector<std::size_t> launched;
  std::map<std::string, int> looks;
  std::set<std::size_t> failing;
  std::optional<std::size_t> refused;
  int ended = 0;
  std::size_t mostLive = 0;
  SystemClock clock;

  TrainingRun runOf(std::size_t point) {
    TrainingRun run;
    run.id = RunId("r" + std::to_string(point) + "-" + std::to_string(launched.size()));
    run.jobId = JobId("job-" + run.id.value);
    run.created = TimePoint(std::chrono::seconds(1'000 + static_cast<int>(launched.size())));
    run.launchComplete = true;
    run.sweep = sweep.name;
    run.sweepPoint = static_cast<int>(point);
    NodeRun node;
    node.id = JobRunId("n-" + run.id.value);
    node.state = JobRunState::InProgress;
    run.nodes = {node};
    return run;
  }
  SweepHands hands() {
    SweepHands hands;
    hands.launch = [this](std::size_t point) -> Result<TrainingRun> {
      if (refused == point) return failure(ErrorCode::ResourceExhausted, "no quota");
      launched.push_back(point);
      TrainingRun run = runOf(point);
      if (!store->save(run)) return failure(ErrorCode::Io, "not saved");
      return run;
    };
    hands.refresh = [this](const TrainingRun& run) -> Result<TrainingRun> {
      TrainingRun now = run;
      if (++looks[run.id.value] >= 2) {
        const bool fails = failing.count(static_cast<std::size_t>(run.sweepPoint)) > 0;
        now.nodes.front().state = fails ? JobRunState::Failed : JobRunState::Succeeded;
      }
      if (!store->save(now)) return failure(ErrorCode::Io, "not saved");
      return now;
    };
    hands.ended = [this](const TrainingRun&) { ++ended; };
    hands.show = [this](const std::vector<SweepPoint>& points) {
      std::size_t live = 0;
      for (const SweepPoint& point : points)
        if (point.run && !isTerminal(stateOf(*point.run))) ++live;
      mostLive = std::max(mostLive, live);
    };
    return hands;
  }
  Result<std::vector<SweepPoint>> work(bool failedToo = false, const std::stop_token& stop = {}) {
    return workOn(sweep, *store, hands(), {2, failedToo, std::chrono::milliseconds(1)}, clock, stop);
  }
};

}  // namespace

TEST_F(SweepWorkTest, EveryPointIsLaunchedOnceAndNoMoreThanTheCapGoOn) {
  const auto points = work();
  ASSERT_TRUE(points);
  EXPECT_EQ(launched, (std::vector<std::size_t>{0, 1, 2, 3, 4}));
  EXPECT_EQ(mostLive, 2u);
  EXPECT_EQ(ended, 5);
  for (const SweepPoint& point : *points) EXPECT_EQ(stateOf(*point.run), RunState::Succeeded);
  ASSERT_TRUE(work());
  EXPECT_EQ(launched.size(), 5u);
}

TEST_F(SweepWorkTest, AnInterruptLeavesItWhereItIsAndTheNextCallGoesOn) {
  std::stop_source stop;
  SweepHands stopping = hands();
  stopping.refresh = [&, refresh = stopping.refresh](const TrainingRun& run) {
    if (launched.size() > 2) stop.request_stop();  // two of five have ended, two are under way
    return refresh(run);
  };
  ASSERT_TRUE(
      workOn(sweep, *store, stopping, {2, false, std::chrono::milliseconds(1)}, clock, stop.get_token()));
  EXPECT_EQ(launched.size(), 4u);
  ASSERT_TRUE(work());
  EXPECT_EQ(launched, (std::vector<std::size_t>{0, 1, 2, 3, 4}));
  EXPECT_LE(mostLive, 2u);
}

TEST_F(SweepWorkTest, WhatFailedIsLaunchedAgainWhereThatIsWantedAndOnlyOnce) {
  failing = {1, 3};
  ASSERT_TRUE(work());
  EXPECT_EQ(launched.size(), 5u);
  ASSERT_TRUE(work(true));
  EXPECT_EQ(launched.size(), 7u);
  EXPECT_EQ(launched[5], 1u);
  EXPECT_EQ(launched[6], 3u);
}

TEST_F(SweepWorkTest, ARefusedLaunchEndsItOnceTheOthersHaveEnded) {
  refused = 2;
  const auto points = work();
  ASSERT_FALSE(points);
  EXPECT_EQ(points.error().code, ErrorCode::ResourceExhausted);
  EXPECT_EQ(launched.size(), 2u);
  EXPECT_EQ(ended, 2);
  refused.reset();
  ASSERT_TRUE(work());
  EXPECT_EQ(launched.size(), 5u);
}
