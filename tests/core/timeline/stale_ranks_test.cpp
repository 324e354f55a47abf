// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/stale_ranks.h"

#include <gtest/gtest.h>

#include "drawn_run.h"

namespace lockstep {
namespace {

using namespace std::chrono_literals;

TEST(StaleRanks, TheOneThatFellSilentIsNamedWithSinceWhen) {
  DrawnRun run(3);
  run.attempt(0, 100, 200ms, 5ms).silence(1);
  const TimePoint silent = run.now();
  run.attempt(100, 500, 200ms, 5ms);
  const auto stale = staleRanks(RunTimeline(run.samples()));
  ASSERT_EQ(stale.size(), 1U);
  EXPECT_EQ(stale[0].rank, Rank(1));
  EXPECT_LE(std::chrono::abs(stale[0].since - silent), 210ms);
  EXPECT_NEAR(std::chrono::duration<double>(stale[0].behind).count(), 100.0, 0.3);
  EXPECT_GE(stale[0].lastStep, 98);
}

TEST(StaleRanks, AsTheyWereAtSomeTime) {
  DrawnRun run(3);
  run.attempt(0, 100, 200ms, 5ms).silence(1);
  const TimePoint silent = run.now();
  run.attempt(100, 500, 200ms, 5ms);
  const RunTimeline timeline(run.samples());
  EXPECT_TRUE(staleRanks(timeline, *timeline.until(silent + 10s)).empty());
  const auto stale = staleRanks(timeline, *timeline.until(silent + 40s));
  ASSERT_EQ(stale.size(), 1U);
  EXPECT_NEAR(std::chrono::duration<double>(stale[0].behind).count(), 40.0, 0.3);
}

TEST(StaleRanks, AClockThatIsBehindIsNoSilence) {
  const auto samples = DrawnRun(3).clockOf(2, -5min).attempt(0, 600, 200ms, 5ms).samples();
  EXPECT_TRUE(staleRanks(RunTimeline(samples)).empty());
}

TEST(StaleRanks, TenSlowStepsAreWaitedFor) {
  DrawnRun run(2);
  run.attempt(0, 50, 10s, 5ms).silence(1).attempt(50, 8, 10s, 5ms);
  EXPECT_TRUE(staleRanks(RunTimeline(run.samples())).empty());
  run.attempt(58, 4, 10s, 5ms);
  EXPECT_EQ(staleRanks(RunTimeline(run.samples())).size(), 1U);
}

TEST(StaleRanks, WritersOfManyRanksTakeTurns) {
  const auto staleOf = [](int ranks) {
    DrawnRun run(ranks);
    run.attempt(0, 100, 100ms, 5ms).silence(1).attempt(100, 600, 100ms, 5ms);
    return staleRanks(RunTimeline(run.samples())).size();
  };
  EXPECT_EQ(staleOf(64), 1U) << "a minute is long for 64";
  EXPECT_EQ(staleOf(512), 0U) << "who shares 20 objects a second with 511 others has its turn every 26 s";
}

TEST(StaleRanks, WhereAllStopNobodyIs) {
  EXPECT_TRUE(staleRanks(RunTimeline(DrawnRun(4).attempt(0, 100, 1s, 5ms).samples())).empty());
  EXPECT_TRUE(staleRanks(RunTimeline()).empty());
}

}  // namespace
}  // namespace lockstep
