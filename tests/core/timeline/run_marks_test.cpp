// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/run_marks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "drawn_run.h"

namespace lockstep {
namespace {

using namespace std::chrono_literals;

RunTimeline withAccuracy(const DrawnRun& run, int rank, const std::vector<MetricPoint>& points) {
  MetricStore store;
  const auto samples = run.samples();
  for (const Rank one : samples->ranks()) {
    std::vector<MetricSeriesBatch> batches{{"step_ms", one, samples->series("step_ms", one)}};
    if (one == Rank(rank)) batches.push_back({std::string(metric::kAccuracy), one, points});
    store.add(batches);
  }
  return RunTimeline(store.snapshot());
}

TEST(RunMarks, RestartsAndEvaluationsStandInTheirOrder) {
  DrawnRun run(2);
  run.attempt(0, 100, 100ms, 2ms);
  const MetricPoint first{99, run.now() + 30ms, 71.5};
  run.pause(20s);
  const TimePoint again = run.now();
  run.attempt(60, 100, 100ms, 2ms);
  const MetricPoint second{159, run.now() + 30ms, 84.25};
  const auto marks = marksIn(withAccuracy(run, 0, {first, second}));
  ASSERT_EQ(marks.size(), 3U);
  EXPECT_EQ(marks[0].kind, RunMark::Kind::Evaluation);
  EXPECT_EQ(marks[0].value, 71.5);
  EXPECT_EQ(marks[0].step, 99);
  EXPECT_EQ(marks[1].kind, RunMark::Kind::Restart);
  EXPECT_EQ(marks[1].attempt, 1);
  EXPECT_EQ(marks[1].step, 60) << "where it went on, not where it had come to";
  EXPECT_LE(marks[1].time - again, 110ms);
  EXPECT_EQ(marks[2].value, 84.25);
}

TEST(RunMarks, EvaluationsAreKnownWhereTheStoreIsCoarse) {
  const auto marksOf = [](Step apart) {
    std::vector<MetricSeriesBatch> batches{{"step_ms", Rank(0), {}, {0, 10}},
                                           {std::string(metric::kAccuracy), Rank(0), {}, {0, 10}}};
    for (Step i = 0; i < 9000; ++i) {
      const TimePoint time = DrawnRun::kBegin + i * 100ms;
      batches[0].points.push_back({i, time, 100});
      if (i % apart == 7 % apart) batches[1].points.push_back({i, time, static_cast<double>(i)});
    }
    MetricStore store;
    store.add(batches);
    store.keepWithin(0, {});
    EXPECT_TRUE(store.isCoarse(Rank(0), 0, 8000));
    return evaluationsIn(RunTimeline(store.snapshot()));
  };
  const auto marks = marksOf(1000);
  ASSERT_EQ(marks.size(), 9U);
  for (std::size_t i = 0; i < marks.size(); ++i) {
    const Step step = static_cast<Step>(i) * 1000 + 7;
    EXPECT_EQ(marks[i].step, step);
    EXPECT_EQ(marks[i].value, static_cast<double>(step));
    EXPECT_LE(std::chrono::abs(marks[i].time - (DrawnRun::kBegin + step * 100ms)), 1ms);
  }
  EXPECT_FALSE(marksOf(30).empty()) << "300 of 9,000 steps are evaluations";
  EXPECT_TRUE(marksOf(2).empty()) << "those of every other step are a curve, however few buckets they are in";
}

TEST(RunMarks, AnEvaluationIsByTheOneClock) {
  DrawnRun run(2);
  run.clockOf(1, 9s).attempt(0, 100, 100ms, 2ms);
  const auto marks = evaluationsIn(withAccuracy(run, 1, {{50, DrawnRun::kBegin + 5s + 9s, 10.0}}));
  ASSERT_EQ(marks.size(), 1U);
  EXPECT_LE(std::chrono::abs(marks[0].time - (DrawnRun::kBegin + 5s)), 5ms);
}

TEST(RunMarks, AnAccuracyOfEveryStepIsACurve) {
  DrawnRun run(1);
  run.attempt(0, 2000, 10ms, 0ms);
  std::vector<MetricPoint> points;
  for (const DrawnStep& one : run.steps()) points.push_back({one.step, one.time, 50.0});
  EXPECT_TRUE(marksIn(withAccuracy(run, 0, points)).empty());
  points.resize(60);
  EXPECT_EQ(marksIn(withAccuracy(run, 0, points)).size(), 60U) << "so few are marks";
}

TEST(RunMarks, OfVeryManyEvaluationsTheNewestAreMarks) {
  DrawnRun run(1);
  run.attempt(0, 8000, 10ms, 0ms);
  std::vector<MetricPoint> points;
  for (const DrawnStep& one : run.steps())
    if (one.step % 5 == 4) points.push_back({one.step, one.time, static_cast<double>(one.step)});
  const auto marks = evaluationsIn(withAccuracy(run, 0, points));
  ASSERT_EQ(marks.size(), kMaxMarks);
  EXPECT_EQ(marks.back().step, 7999);
  EXPECT_EQ(marks.front().step, 7999 - 5 * (static_cast<Step>(kMaxMarks) - 1));
}

TEST(RunMarks, CheckpointsStandAtTheirOwnStepAndWhenTheyWereStored) {
  DrawnRun run(2);
  run.clockOf(1, 9s).attempt(0, 100, 100ms, 2ms);
  MetricStore store;
  const auto samples = run.samples();
  for (const Rank one : samples->ranks()) {
    std::vector<MetricSeriesBatch> batches{{"step_ms", one, samples->series("step_ms", one)}};
    if (one == Rank(1))
      batches.push_back({std::string(metric::kCheckpointStep),
                         one,
                         {{52, DrawnRun::kBegin + 5250ms + 9s, 50.0},
                          {60, DrawnRun::kBegin + 6050ms + 9s, std::nan("")},
                          {70, DrawnRun::kBegin + 7050ms + 9s, -1e300}}});
    store.add(batches);
  }
  const auto marks = marksIn(RunTimeline(store.snapshot()));
  ASSERT_EQ(marks.size(), 3U);
  EXPECT_EQ(marks[0].kind, RunMark::Kind::Checkpoint);
  EXPECT_EQ(marks[0].step, 50) << "not the one at which it was there";
  EXPECT_LE(std::chrono::abs(marks[0].time - (DrawnRun::kBegin + 5250ms)), 5ms) << "by the one clock";
  EXPECT_FALSE(marks[1].step) << "no number of a step";
  EXPECT_FALSE(marks[2].step);
}

}  // namespace
}  // namespace lockstep
