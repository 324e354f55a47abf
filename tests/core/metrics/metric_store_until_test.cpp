// SPDX-License-Identifier: GPL-3.0-or-later
// The past of a store against the plain list of its samples.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "metrics/metric_store.h"

namespace lockstep {
namespace {

using namespace std::chrono_literals;
using Random = std::mt19937_64;

const TimePoint kBegin(1'700'000'000s);
constexpr const char* kNames[] = {"loss", "step_ms", "cpu_percent"};

int drawn(Random& random, int from, int to) {
  return std::uniform_int_distribution(from, to)(random);
}

/// Series of one rank, some of them with holes, values that are none or need 8 bytes; steps go back at a restart.
std::vector<MetricSeriesBatch> drawnBatches(Random& random, Rank rank) {
  std::vector<MetricSeriesBatch> batches;
  for (const char* name : kNames) batches.push_back({name, rank, {}});
  TimePoint time = kBegin;
  Step step = 0;
  const bool isWide = drawn(random, 0, 1) == 0;
  for (int attempt = drawn(random, 1, 3); attempt > 0; --attempt) {
    for (int i = drawn(random, 1, 9000); i > 0; --i, ++step) {
      time += std::chrono::nanoseconds(drawn(random, 1, 50'000'000));
      const double value = drawn(random, 0, 50) == 0 ? std::nan("") : drawn(random, -1000, 1000) / 8.0;
      batches[0].points.push_back({step, time, isWide ? value + 1e-9 : value});
      if (drawn(random, 0, 9) > 0) batches[1].points.push_back({step, time, value * 2});
      if (drawn(random, 0, 99) == 0) batches[2].points.push_back({step, time, value});
    }
    step = std::max<Step>(0, step - drawn(random, 2, 4000));
    time += 20s;
  }
  return batches;
}

bool isSame(const MetricPoint& one, const MetricPoint& other) {
  const bool isSameValue = one.value == other.value || (std::isnan(one.value) && std::isnan(other.value));
  return one.step == other.step && one.time == other.time && isSameValue;
}

void expectPast(const MetricStore& past, const std::vector<MetricSeriesBatch>& all, TimePoint end) {
  for (const MetricSeriesBatch& batch : all) {
    std::vector<MetricPoint> truth;
    for (const MetricPoint& point : batch.points)
      if (point.time <= end) truth.push_back(point);
    const auto found = past.series(batch.name, batch.rank);
    ASSERT_TRUE(std::ranges::equal(found, truth, isSame)) << batch.name << ": " << found.size() << " points";
    std::optional<std::pair<Step, Step>> steps;
    for (const MetricPoint& point : truth)
      steps = std::pair(std::min(steps ? steps->first : point.step, point.step),
                        std::max(steps ? steps->second : point.step, point.step));
    ASSERT_EQ(past.steps(batch.name), steps);
    const auto last = past.last(batch.name, batch.rank);
    ASSERT_EQ(last.has_value(), !truth.empty());
    if (last) {
      EXPECT_TRUE(isSame(*last, truth.back()));
    }
  }
}

/// The extremes of each column of pixels, which come from the pyramid, against those of the samples.
void expectExtremes(const MetricStore& past, const std::vector<MetricPoint>& points, TimePoint end) {
  double least = INFINITY, most = -INFINITY, foundLeast = INFINITY, foundMost = -INFINITY;
  for (const MetricPoint& point : points) {
    if (point.time > end || !std::isfinite(point.value)) continue;
    least = std::min(least, point.value);
    most = std::max(most, point.value);
  }
  for (const PixelSpan& span : past.spans("loss", Rank(1), -1, 1e6, 7)) {
    if (!std::isfinite(span.min)) continue;
    foundLeast = std::min(foundLeast, span.min);
    foundMost = std::max(foundMost, span.max);
  }
  EXPECT_EQ(foundLeast, least);
  EXPECT_EQ(foundMost, most);
}

TEST(MetricStoreUntil, HoldsExactlyWhatWasThereThen) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    Random random(seed);
    const auto batches = drawnBatches(random, Rank(1));
    MetricStore store;
    store.add(batches);
    const auto now = store.snapshot();
    const auto last = batches[0].points.back().time;
    for (int look = 0; look < 8; ++look) {
      const double share = std::uniform_real_distribution(-0.1, 1.1)(random);
      const TimePoint end = kBegin + std::chrono::nanoseconds(static_cast<std::int64_t>(
                                         share * static_cast<double>((last - kBegin).count())));
      const auto past = now->until([end](Rank) { return end; });
      SCOPED_TRACE(testing::Message() << "seed " << seed << ", look " << look);
      expectPast(*past, batches, end);
      expectExtremes(*past, batches[0].points, end);
    }
    const auto whole = now->until([last](Rank) { return last; });
    EXPECT_EQ(whole->sampleCount(), now->sampleCount());
  }
}

/// Of the past of a store that is coarse: whole buckets of it, so all samples but some of the last 256 rows before `end`.
void expectCoarsePast(const MetricStore& past, const MetricSeriesBatch& loss, TimePoint end) {
  std::vector<MetricPoint> truth;
  for (const MetricPoint& point : loss.points)
    if (point.time <= end) truth.push_back(point);
  const std::size_t count = past.sampleCount("loss", Rank(1));
  ASSERT_LE(count, truth.size());
  ASSERT_GT(count + 256, truth.size());
  truth.resize(count);
  std::optional<std::pair<Step, Step>> steps;
  for (const MetricPoint& point : truth)
    steps = std::pair(std::min(steps ? steps->first : point.step, point.step),
                      std::max(steps ? steps->second : point.step, point.step));
  EXPECT_EQ(past.steps("loss"), steps);
  expectExtremes(past, truth, end);
  if (count == 0) return;
  EXPECT_EQ(past.last("loss", Rank(1))->step, truth.back().step);
  EXPECT_EQ(past.times(), std::pair(truth.front().time, truth.back().time));
}

TEST(MetricStoreUntil, OfWhatIsCoarseTheBucketsThatHadEnded) {
  int coarse = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Random random(100 + seed);
    auto batches = drawnBatches(random, Rank(1));
    for (MetricSeriesBatch& batch : batches) batch.segments = {0, 10};
    MetricStore store;
    store.add(batches);
    store.keepWithin(0, {});
    const auto now = store.snapshot();
    const auto last = batches[0].points.back().time;
    for (int look = 0; look < 8; ++look) {
      const double share = std::uniform_real_distribution(-0.1, 1.1)(random);
      const TimePoint end = kBegin + std::chrono::nanoseconds(static_cast<std::int64_t>(
                                         share * static_cast<double>((last - kBegin).count())));
      SCOPED_TRACE(testing::Message() << "seed " << seed << ", look " << look);
      const auto past = now->until([end](Rank) { return end; });
      if (past->hasCoarse()) ++coarse;
      ASSERT_NO_FATAL_FAILURE(expectCoarsePast(*past, batches[0], end));
    }
    const auto whole = now->until([last](Rank) { return last; });
    EXPECT_EQ(whole->sampleCount(), now->sampleCount());
  }
  EXPECT_GT(coarse, 50) << "of those that this is about";
}

TEST(MetricStoreUntil, EachRankHasAnEndOfItsOwnAndNobodyIsThereBeforeItsFirstSample) {
  MetricStore store;
  for (int rank = 0; rank < 3; ++rank) {
    MetricSeriesBatch batch{"loss", Rank(rank), {}};
    for (Step i = 0; i < 100; ++i) batch.points.push_back({i, kBegin + i * 1s, 1.0});
    store.add(batch);
  }
  const auto past = store.snapshot()->until([](Rank rank) { return kBegin + (rank.value * 20 - 10) * 1s; });
  EXPECT_EQ(past->ranks(), (std::vector<Rank>{Rank(1), Rank(2)}));
  EXPECT_EQ(past->last("loss", Rank(1))->step, 10);
  EXPECT_EQ(past->last("loss", Rank(2))->step, 30);
  EXPECT_EQ(past->steps("loss"), (std::pair<Step, Step>(0, 30)));
}

TEST(MetricStoreUntil, StaysAsItIsWhileTheStoreGrows) {
  MetricStore store;
  const auto add = [&store](Step from, Step to) {
    MetricSeriesBatch batch{"loss", Rank(0), {}};
    for (Step i = from; i < to; ++i) batch.points.push_back({i, kBegin + i * 1s, 1.0});
    store.add(batch);
  };
  add(0, 50);
  const auto past = store.snapshot()->until([](Rank) { return kBegin + 1h; });
  add(50, 5000);
  EXPECT_EQ(past->sampleCount(), 50U);
  EXPECT_EQ(store.sampleCount(), 5000U);
}

}  // namespace
}  // namespace lockstep
