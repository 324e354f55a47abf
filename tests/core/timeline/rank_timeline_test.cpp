// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/rank_timeline.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace lockstep {
namespace {

using namespace std::chrono_literals;
using Random = std::mt19937_64;

const TimePoint kBegin(1'700'000'000s);

int drawn(Random& random, int from, int to) {
  return std::uniform_int_distribution(from, to)(random);
}

/// Attempts of one rank, whose steps go back by two at least; some steps leave no row, and beside them a thread records.
std::vector<std::vector<RowKey>> drawnAttempts(Random& random) {
  std::vector<std::vector<RowKey>> attempts;
  TimePoint time = kBegin;
  Step step = drawn(random, 0, 3);
  for (int count = drawn(random, 1, 4); count > 0; --count) {
    std::vector<RowKey> rows;
    for (int i = drawn(random, 3, 9000); i > 0; --i, ++step) {
      time += std::chrono::nanoseconds(drawn(random, 1, 90'000'000));
      if (i > 1 && !rows.empty() && drawn(random, 0, 9) == 0) continue;
      rows.push_back({step, time});
      if (drawn(random, 0, 9) == 0)
        rows.push_back({step, time + std::chrono::nanoseconds(drawn(random, 0, 1))});
    }
    attempts.push_back(rows);
    step = std::max<Step>(0, rows.back().step - drawn(random, 2, 500));
    time += std::chrono::seconds(drawn(random, 1, 60));
  }
  return attempts;
}

MetricStore storeOf(const std::vector<std::vector<RowKey>>& attempts, const SegmentSpan& segments = {}) {
  MetricSeriesBatch batch{"loss", Rank(2), {}, segments};
  for (const auto& rows : attempts)
    for (const RowKey& row : rows) batch.points.push_back({row.step, row.time, 0.5});
  MetricStore store;
  store.add(batch);
  return store;
}

/// The same, by looking at every row.
std::optional<Step> stepAtSlowly(const std::vector<std::vector<RowKey>>& attempts, TimePoint time) {
  std::optional<Step> step;
  for (const auto& rows : attempts)
    for (const RowKey& row : rows)
      if (row.time <= time) step = row.step;
  return step;
}

std::optional<TimePoint> timeOfSlowly(const std::vector<std::vector<RowKey>>& attempts, Step step) {
  for (auto rows = attempts.rbegin(); rows != attempts.rend(); ++rows) {
    if (step < rows->front().step || step > rows->back().step) continue;
    const auto row = std::ranges::find_if(*rows, [step](const RowKey& one) { return one.step >= step; });
    return row->time;
  }
  return std::nullopt;
}

TEST(RankTimeline, SaysWhatLookingAtEveryRowSays) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Random random(seed);
    const auto attempts = drawnAttempts(random);
    const MetricStore store = storeOf(attempts);
    const RankTimeline timeline(store, Rank(2));
    ASSERT_EQ(timeline.attemptCount(), attempts.size()) << "seed " << seed;
    const auto [begin, end] = timeline.span();
    EXPECT_EQ(begin, attempts.front().front().time);
    EXPECT_EQ(end, attempts.back().back().time);
    for (int i = 0; i < 300; ++i) {
      const auto span = static_cast<double>((end - begin).count());
      const TimePoint time = begin + std::chrono::nanoseconds(static_cast<std::int64_t>(
                                         std::uniform_real_distribution(-0.05, 1.05)(random) * span));
      ASSERT_EQ(timeline.stepAt(time), stepAtSlowly(attempts, time)) << "seed " << seed << ", look " << i;
      const Step step = drawn(random, -5, static_cast<int>(attempts.back().back().step) + 600);
      ASSERT_EQ(timeline.timeOf(step), timeOfSlowly(attempts, step)) << "seed " << seed << ", step " << step;
    }
  }
}

TEST(RankTimeline, AStepIsFinishedByTheTimeThatIsSaidOfIt) {
  Random random(7);
  const auto attempts = drawnAttempts(random);
  const MetricStore store = storeOf(attempts);
  const RankTimeline timeline(store, Rank(2));
  for (Step step = attempts.back().front().step; step <= attempts.back().back().step; ++step) {
    const auto time = timeline.timeOf(step);
    ASSERT_TRUE(time) << step;
    EXPECT_GE(timeline.stepAt(*time), step);
    if (step > attempts.back().front().step) {
      EXPECT_LT(timeline.stepAt(*time - 1ns).value_or(-1), step);
    }
  }
}

/// Only the last rows of each attempt are in memory; of the others there are buckets.
MetricStore coarseStoreOf(const std::vector<std::vector<RowKey>>& attempts) {
  MetricStore store = storeOf(attempts, {0, 10});
  store.keepWithin(0, {});
  return store;
}

/// The bucket that a step of an attempt is in; where the rows are here, the row itself.
CoarseBlock::Bucket aroundStep(const Attempt& attempt, const RowKey& row) {
  for (const auto& chunk : attempt.chunks)
    for (const auto& bucket : chunk->buckets())
      if (bucket.first.step <= row.step && row.step <= bucket.last.step) return bucket;
  return {row, row};
}

TEST(RankTimeline, WhereTheStoreIsCoarseItIsWithinABucketOfTheTruth) {
  int coarse = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Random random(300 + seed);
    const auto attempts = drawnAttempts(random);
    const MetricStore store = coarseStoreOf(attempts);
    if (store.hasCoarse()) ++coarse;
    const RankTimeline timeline(store, Rank(2));
    ASSERT_EQ(timeline.attemptCount(), attempts.size());
    const auto [begin, end] = timeline.span();
    EXPECT_EQ(begin, attempts.front().front().time);
    EXPECT_EQ(end, attempts.back().back().time);
    for (int i = 0; i < 200; ++i) {
      const auto number = static_cast<std::size_t>(drawn(random, 0, static_cast<int>(attempts.size()) - 1));
      const auto& rows = attempts[number];
      const RowKey row = rows[static_cast<std::size_t>(drawn(random, 0, static_cast<int>(rows.size()) - 1))];
      const auto [first, last] = aroundStep(store.attempts(Rank(2))[number], row);
      const auto step = timeline.stepAt(row.time);
      const auto time = timeline.timeOf(row.step, number);
      ASSERT_TRUE(step && time) << "seed " << seed << ", step " << row.step;
      ASSERT_TRUE(first.step <= *step && *step <= last.step) << "seed " << seed << ", step " << row.step;
      // The first of rows with the same step may stand before this one.
      ASSERT_TRUE(first.time - 1ns <= *time && *time <= last.time)
          << "seed " << seed << ", step " << row.step;
    }
  }
  EXPECT_GT(coarse, 30) << "of those that this is about";
}

TEST(RankTimeline, StepsAndTimesOfABucketLeadToEachOther) {
  Random random(7);
  std::vector<RowKey> rows;
  TimePoint time = kBegin;
  for (Step step = 0; step < 20'000; step += 1 + drawn(random, 0, 1)) {
    time += std::chrono::nanoseconds(drawn(random, 1, 90'000'000));
    rows.push_back({step, time});
  }
  const MetricStore store = coarseStoreOf({rows});
  ASSERT_TRUE(store.isCoarse(Rank(2), 0, 100));
  const RankTimeline timeline(store, Rank(2));
  for (Step step = 0; step <= rows.back().step; ++step) {
    const auto when = timeline.timeOf(step);
    ASSERT_TRUE(when) << step;
    ASSERT_GE(timeline.stepAt(*when), step);
    ASSERT_LT(timeline.stepAt(*when - 1ns).value_or(-1), step);
    ASSERT_LE(timeline.timeOf(step - 1), when);
  }
}

TEST(RankTimeline, OfARankWithoutRowsNothingIsKnown) {
  const MetricStore store;
  const RankTimeline timeline(store, Rank(0));
  EXPECT_TRUE(timeline.isEmpty());
  EXPECT_FALSE(timeline.timeOf(3));
  EXPECT_FALSE(timeline.stepAt(kBegin));
}

TEST(RankTimeline, RowsThatThreadsRecordSideBySideCostAStepAtTheMost) {
  std::vector<RowKey> rows;
  for (Step step = 0; step < 20'000; ++step) {
    rows.push_back({step, kBegin + step * 10ms});
    // Recorded by a thread that had seen the step before.
    if (step % 3 == 0 && step > 0) rows.push_back({step - 1, kBegin + step * 10ms + 2ms});
  }
  std::ranges::sort(rows);
  const MetricStore store = storeOf({rows});
  const RankTimeline timeline(store, Rank(2));
  ASSERT_EQ(timeline.attemptCount(), 1U);
  for (Step step = 1; step < 20'000; step += 7) {
    const auto found = timeline.stepAt(kBegin + step * 10ms + 3ms);
    ASSERT_TRUE(found);
    EXPECT_LE(std::abs(*found - step), 1) << step;
  }
}

}  // namespace
}  // namespace lockstep
