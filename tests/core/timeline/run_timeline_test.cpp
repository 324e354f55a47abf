// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/run_timeline.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "drawn_run.h"

namespace lockstep {
namespace {

using namespace std::chrono_literals;

/// Two attempts; the second repeats 150 steps. The clock of rank 2 is off.
DrawnRun twoAttempts(unsigned seed) {
  DrawnRun run(5, seed);
  run.clockOf(2, 7s).attempt(0, 400, 80ms, 20ms).pause(40s).attempt(250, 600, 80ms, 20ms);
  return run;
}

TEST(RunTimeline, StepsAndTimesLeadToEachOther) {
  for (unsigned seed = 1; seed <= 10; ++seed) {
    const RunTimeline timeline(twoAttempts(seed).samples());
    for (Step step = 0; step < 850; step += 3) {
      const auto time = timeline.timeOf(step);
      ASSERT_TRUE(time) << step;
      // Of two steps some rank of the later one may be ahead of another by as much as the clocks are known to.
      const auto back = timeline.stepAt(*time);
      ASSERT_TRUE(back);
      EXPECT_GE(*back, step);
      EXPECT_LE(*back, step + 1);
    }
    // Within the first attempt the step that the second one repeated.
    EXPECT_LT(*timeline.timeOf(300, timeline.attempts()[0].end), timeline.attempts()[1].begin);
    EXPECT_GT(*timeline.timeOf(300, timeline.attempts()[1].end), timeline.attempts()[1].begin);
    EXPECT_EQ(timeline.timeOf(600, timeline.attempts()[0].end), timeline.timeOf(600));
    EXPECT_FALSE(timeline.timeOf(850));
    EXPECT_FALSE(timeline.stepAt(DrawnRun::kBegin));
  }
}

TEST(RunTimeline, IsWhatHappenedInTruth) {
  const DrawnRun run = twoAttempts(3);
  const RunTimeline timeline(run.samples());
  std::map<Step, std::vector<TimePoint>> truth;  // of the newest attempt
  for (const DrawnStep& one : run.steps())
    if (one.attempt == 1) truth[one.step].push_back(one.time);
  for (const auto& [step, times] : truth) {
    const auto moment = timeline.momentOf(step);
    ASSERT_TRUE(moment);
    EXPECT_EQ(moment->ranks, 5);
    EXPECT_LE(std::chrono::abs(moment->earliest - *std::ranges::min_element(times)), 20ms);
    EXPECT_LE(std::chrono::abs(moment->latest - *std::ranges::max_element(times)), 20ms);
    EXPECT_LE(moment->earliest, moment->median);
    EXPECT_LE(moment->median, moment->latest);
  }
}

TEST(RunTimeline, IsWhatHappenedToWithinABucketWhereTheStoreIsCoarse) {
  DrawnRun run(4, 9);
  run.clockOf(2, 7s).attempt(0, 6000, 80ms, 20ms).pause(40s).attempt(3000, 9000, 80ms, 20ms);
  const RunTimeline timeline(run.coarseSamples());
  ASSERT_TRUE(timeline.samples().isCoarse(Rank(2), 3000, 7000));
  ASSERT_EQ(timeline.attempts().size(), 2U);
  EXPECT_EQ(timeline.attempts()[0].lastStep, 5999);
  EXPECT_EQ(timeline.attempts()[1].firstStep, 3000);
  // The pace is even, so that within a bucket it is as good as known.
  for (const DrawnStep& one : run.steps()) {
    if (one.step % 37 != 0) continue;
    const auto time = timeline.timeOf(one.step, one.time);
    ASSERT_TRUE(time);
    ASSERT_LE(std::chrono::abs(*time - one.time), 80ms) << one.rank.value << ": " << one.step;
    ASSERT_LE(std::abs(*timeline.stepAt(one.time) - one.step), 1) << one.rank.value << ": " << one.step;
    const auto past = timeline.until(one.time);
    const auto last = past->last("step_ms", one.rank);
    if (one.attempt == 0 && one.step < 256) continue;
    ASSERT_TRUE(last) << one.step;
    ASSERT_LE(last->time, timeline.ownTime(one.rank, one.time));
    ASSERT_TRUE(last->step <= one.step || one.step < 3000 + 256) << one.step;
    ASSERT_GT(last->step + 257, one.step);
  }
}

TEST(RunTimeline, ARanksClockIsMovedBothWays) {
  const DrawnRun run = twoAttempts(4);
  const RunTimeline timeline(run.samples());
  for (const DrawnStep& one : run.steps()) {
    const auto ahead = one.rank == Rank(2) ? 7s : 0s;
    const TimePoint aligned = timeline.aligned(one.rank, one.time + ahead);
    EXPECT_LE(std::chrono::abs(aligned - one.time), 20ms);
    EXPECT_EQ(timeline.ownTime(one.rank, aligned), one.time + ahead);
  }
}

TEST(RunTimeline, AttemptsAreToldApart) {
  const RunTimeline timeline(twoAttempts(5).samples());
  ASSERT_EQ(timeline.attempts().size(), 2U);
  EXPECT_EQ(timeline.attempts()[0].firstStep, 0);
  EXPECT_EQ(timeline.attempts()[0].lastStep, 399);
  EXPECT_EQ(timeline.attempts()[1].firstStep, 250);
  EXPECT_EQ(timeline.attempts()[1].lastStep, 849);
  EXPECT_EQ(timeline.attempts()[1].ranks, 5);
  EXPECT_GT(timeline.attempts()[1].begin - timeline.attempts()[0].end, 39s);
  // Just after the restart, when not all have a step: the one that began says where the run is.
  EXPECT_EQ(timeline.stepAt(timeline.attempts()[1].begin), 250);
  EXPECT_EQ(timeline.stepAt(timeline.attempts()[1].begin - 1s), 399);
}

TEST(RunTimeline, ARankThatComesLateOrVanishesIsNoRestart) {
  DrawnRun run(4);
  run.attempt(0, 3000, 100ms, 10ms);
  MetricStore store;
  const auto samples = run.samples();
  for (int rank = 0; rank < 4; ++rank) {
    MetricSeriesBatch batch{"step_ms", Rank(rank), samples->series("step_ms", Rank(rank))};
    if (rank == 1) batch.points.resize(20);
    if (rank == 3) batch.points.erase(batch.points.begin(), batch.points.begin() + 2500);
    store.add(batch);
  }
  const RunTimeline timeline(store.snapshot());
  ASSERT_EQ(timeline.attempts().size(), 1U);
  EXPECT_EQ(timeline.attempts()[0].ranks, 4);
}

TEST(RunTimeline, ClocksAreComparedAgainWhenMuchIsNew) {
  const auto runOf = [](Step steps, std::chrono::seconds ahead) {
    return DrawnRun(3).clockOf(1, ahead).attempt(0, steps, 100ms, 5ms).samples();
  };
  const RunTimeline before(runOf(100, 4s));
  const auto offset = [](const RunTimeline& timeline) {
    return std::chrono::round<std::chrono::seconds>(timeline.clocks().of(Rank(1), 0));
  };
  ASSERT_EQ(offset(before), 4s);
  EXPECT_EQ(offset(RunTimeline(runOf(150, 9s), before)), 4s) << "little is new";
  EXPECT_EQ(offset(RunTimeline(runOf(250, 9s), before)), 9s);
  EXPECT_EQ(offset(RunTimeline(DrawnRun(4).clockOf(1, 9s).attempt(0, 101, 100ms, 5ms).samples(), before)),
            9s);
  EXPECT_EQ(RunTimeline(runOf(150, 9s), before).stepAt(DrawnRun::kBegin + 1h), 149);
}

TEST(RunTimeline, WithoutSamplesNothingIsKnown) {
  const RunTimeline timeline;
  EXPECT_FALSE(timeline.span());
  EXPECT_FALSE(timeline.momentOf(0));
  EXPECT_FALSE(timeline.timeOf(0));
  EXPECT_FALSE(timeline.stepAt(DrawnRun::kBegin));
  EXPECT_EQ(timeline.aligned(Rank(3), DrawnRun::kBegin), DrawnRun::kBegin);
}

}  // namespace
}  // namespace lockstep
