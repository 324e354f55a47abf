// SPDX-License-Identifier: GPL-3.0-or-later
#include "history/sweep.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

using namespace lockstep;

namespace {

Sweep grid() {
  return {
      "g", "kind: distributed", "/f/train.yaml", "/f", "", {{"lr", {"0.1", "0.01"}}, {"b", {"1", "2", "3"}}}};
}

TrainingRun runAt(int point, JobRunState state, int age = 0) {
  TrainingRun run;
  run.id = RunId("r" + std::to_string(point));
  run.jobId = JobId("job");
  run.sweepPoint = point;
  run.launchComplete = true;
  run.created = TimePoint(std::chrono::seconds(1000 - age));
  NodeRun node;
  node.id = JobRunId("n");
  node.state = state;
  run.nodes = {node};
  return run;
}

std::vector<std::size_t> next(std::vector<TrainingRun> runs, int atOnce, bool failedToo = false) {
  return nextPoints(pointsOf(grid(), std::move(runs)), atOnce, failedToo);
}

}  // namespace

TEST(SweepAxis, IsAnArgumentWithItsValues) {
  EXPECT_EQ(*parseSweepAxis("lr=0.1,0.01"), (SweepAxis{"lr", {"0.1", "0.01"}}));
  EXPECT_EQ(*parseSweepAxis("lr=0.1"), (SweepAxis{"lr", {"0.1"}}));
  EXPECT_EQ(*parseSweepAxis("layers=1\\,2,3"), (SweepAxis{"layers", {"1,2", "3"}}));
  for (const char* text : {"lr", "lr=", "=1", "lr=1,", "lr=,1", "lr=1,,2", "lr=1,1"})
    EXPECT_FALSE(parseSweepAxis(text)) << text;
}

TEST(Sweep, EachPointHasItsOwnValues) {
  EXPECT_EQ(grid().points(), 6u);
  EXPECT_EQ(grid().labelOf(0), "lr=0.1 b=1");
  EXPECT_EQ(grid().labelOf(1), "lr=0.1 b=2");
  EXPECT_EQ(grid().labelOf(5), "lr=0.01 b=3");
  EXPECT_EQ(grid().changesAt(3), (std::vector<LaunchChange>{{"arg.lr", "0.01"}, {"arg.b", "1"}}));
}

TEST(Sweep, ComesBackAsItIsAndIsBounded) {
  EXPECT_EQ(*sweepFrom(toJson(grid())), grid());
  EXPECT_FALSE(sweepFrom(nlohmann::json()));
  EXPECT_FALSE(sweepFrom(nlohmann::json::parse(R"({"name":"g","axes":[{"name":"a","values":[]}]})")));
  Sweep twice = grid();
  twice.axes[1].name = "lr";
  EXPECT_FALSE(checkSweep(twice));
  Sweep large = grid();
  for (int i = 0; i < 6; ++i)
    large.axes.push_back({"x" + std::to_string(i), std::vector<std::string>(100, "v")});
  EXPECT_EQ(large.points(), kMaxSweepPoints + 1);
  EXPECT_FALSE(checkSweep(large));
  Sweep nameless = grid();
  nameless.name.clear();
  EXPECT_FALSE(checkSweep(nameless));
  EXPECT_TRUE(checkSweep(grid()));
}

TEST(Sweep, NoMoreThanTheCapGoOnAtOnce) {
  EXPECT_EQ(next({}, 2), (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(next({runAt(0, JobRunState::InProgress)}, 2), (std::vector<std::size_t>{1}));
  EXPECT_TRUE(next({runAt(0, JobRunState::InProgress), runAt(1, JobRunState::Accepted)}, 2).empty());
  EXPECT_EQ(next({runAt(0, JobRunState::Succeeded), runAt(1, JobRunState::InProgress)}, 2),
            (std::vector<std::size_t>{2}));
}

TEST(Sweep, GoesOnWhereItWasLeft) {
  std::vector<TrainingRun> runs;
  for (int point = 0; point < 6; ++point) runs.push_back(runAt(point, JobRunState::Succeeded));
  EXPECT_TRUE(next(runs, 6).empty());
  runs[4] = runAt(4, JobRunState::Failed);
  EXPECT_TRUE(next(runs, 6).empty());
  EXPECT_EQ(next(runs, 6, true), (std::vector<std::size_t>{4}));
  runs.push_back(runAt(4, JobRunState::InProgress, -10));  // it was launched again
  EXPECT_TRUE(next(runs, 6, true).empty());
}

TEST(Sweep, ALaunchThatMadeNoJobIsMadeAgain) {
  TrainingRun cut = runAt(0, JobRunState::Accepted);
  cut.nodes.front().id = JobRunId();
  cut.jobId = JobId();
  cut.failure = "no quota";
  EXPECT_EQ(next({cut}, 1), (std::vector<std::size_t>{0}));
}

TEST(Sweep, RunsOfPointsThatAreNotThereDoNotCount) {
  const auto points =
      pointsOf(grid(), {runAt(17, JobRunState::InProgress), runAt(-1, JobRunState::InProgress)});
  EXPECT_EQ(points.size(), 6u);
  for (const SweepPoint& point : points) EXPECT_FALSE(point.run);
}
