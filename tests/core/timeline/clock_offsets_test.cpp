// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/clock_offsets.h"

#include <gtest/gtest.h>

#include "drawn_run.h"

namespace lockstep {
namespace {

using namespace std::chrono_literals;

TEST(ClockOffsets, AreFoundToWithinHowFarRanksEndAStepApart) {
  for (unsigned seed = 1; seed <= 40; ++seed) {
    std::mt19937 random(seed);
    const auto drawnMs = [&random](int from, int to) {
      return std::chrono::milliseconds(std::uniform_int_distribution(from, to)(random));
    };
    DrawnRun run(8, seed);
    std::map<int, std::chrono::nanoseconds> truth;
    for (const int rank : {2, 5, 7}) {
      const auto ahead = drawnMs(500, 90'000) * (rank == 5 ? -1 : 1);
      truth[rank] = ahead;
      run.clockOf(rank, ahead);
    }
    const auto samples = run.attempt(0, 5000, drawnMs(20, 400), 9ms).samples();
    const ClockOffsets clocks(*samples);
    ASSERT_EQ(clocks.newest().size(), truth.size()) << "seed " << seed;
    for (const auto& [rank, ahead] : truth) {
      EXPECT_LE(std::chrono::abs(clocks.of(Rank(rank), 0) - ahead), 9ms) << "rank " << rank;
      EXPECT_LE(clocks.newest().at(Rank(rank)).spread, 9ms);
    }
    EXPECT_EQ(clocks.of(Rank(1), 0), 0ns) << "what is not off is not moved";
  }
}

TEST(ClockOffsets, OfEachAttemptItsOwn) {
  DrawnRun run(3);
  run.clockOf(1, 4s).attempt(0, 400, 100ms, 5ms).pause(30s);
  // Rank 1 comes back on another node.
  DrawnRun second = run;
  const auto both = second.attempt(200, 300, 100ms, 5ms).samples();
  MetricStore store;
  for (int rank = 0; rank < 3; ++rank) {
    MetricSeriesBatch batch{"step_ms", Rank(rank), both->series("step_ms", Rank(rank))};
    if (rank == 1)
      for (std::size_t i = 400; i < batch.points.size(); ++i) batch.points[i].time -= 6s;
    store.add(batch);
  }
  const ClockOffsets clocks(store);
  EXPECT_NEAR(std::chrono::duration<double>(clocks.of(Rank(1), 0)).count(), 4.0, 0.01);
  EXPECT_NEAR(std::chrono::duration<double>(clocks.of(Rank(1), 1)).count(), -2.0, 0.01);
  EXPECT_EQ(clocks.of(Rank(1), 7), 0ns);
}

TEST(ClockOffsets, LessThanAStepMayBeTheWayTheRanksWork) {
  const auto samples = DrawnRun(4).clockOf(3, 900ms).attempt(0, 500, 1s, 5ms).samples();
  EXPECT_TRUE(ClockOffsets(*samples).isEmpty());
}

TEST(ClockOffsets, RanksThatDoNotWaitForEachOtherHaveNone) {
  MetricStore store;
  for (int rank = 0; rank < 2; ++rank) {
    MetricSeriesBatch batch{"step_ms", Rank(rank), {}};
    for (Step step = 0; step < 5000; ++step)
      batch.points.push_back({step, DrawnRun::kBegin + step * (rank == 0 ? 100ms : 130ms), 1});
    store.add(batch);
  }
  EXPECT_TRUE(ClockOffsets(store).isEmpty()) << "one is slower: its distance grows with the steps";
}

TEST(ClockOffsets, TimesThatAnybodyMayWriteAreNoClocks) {
  const auto samples = DrawnRun(2).clockOf(1, std::chrono::years(100)).attempt(0, 500, 100ms, 5ms).samples();
  EXPECT_TRUE(ClockOffsets(*samples).isEmpty());
  MetricStore store;
  for (int rank = 0; rank < 2; ++rank) {
    MetricSeriesBatch batch{"step_ms", Rank(rank), {}};
    for (Step step = 0; step < 100; ++step)
      batch.points.push_back({step, TimePoint(std::chrono::years(rank == 0 ? 1 : 2 * step)), 1});
    store.add(batch);
  }
  EXPECT_TRUE(ClockOffsets(store).isEmpty());
}

TEST(ClockOffsets, FewStepsSayNothing) {
  const auto samples =
      DrawnRun(2).clockOf(1, 1h).attempt(0, ClockOffsets::kMinSteps - 1, 100ms, 1ms).samples();
  EXPECT_TRUE(ClockOffsets(*samples).isEmpty());
  EXPECT_TRUE(ClockOffsets(MetricStore()).isEmpty());
}

TEST(ClockOffsets, AreFoundWhereTheStoreIsCoarse) {
  for (unsigned seed = 1; seed <= 3; ++seed) {
    DrawnRun run(4, seed);
    run.clockOf(1, 3s).clockOf(3, -40s).attempt(0, 9000, 80ms, 20ms);
    const auto samples = run.coarseSamples();
    ASSERT_TRUE(samples->isCoarse(Rank(0), 0, 8000));
    const ClockOffsets clocks(*samples);
    EXPECT_LE(std::chrono::abs(clocks.of(Rank(1), 0) - 3s), 30ms);
    EXPECT_LE(std::chrono::abs(clocks.of(Rank(3), 0) + 40s), 30ms);
    EXPECT_EQ(clocks.of(Rank(2), 0), 0s);
  }
}

}  // namespace
}  // namespace lockstep
