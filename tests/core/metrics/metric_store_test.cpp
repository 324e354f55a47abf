// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/metric_store.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace lockstep {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

MetricPoint point(Step step, double value, long long nanos = 0) {
  return {step, TimePoint(std::chrono::nanoseconds(nanos)), value};
}
MetricSeriesBatch loss(std::vector<MetricPoint> points, int rank = 0) {
  return {"loss", Rank(rank), std::move(points)};
}

TEST(MetricStore, KeepsStepOrderWithoutDuplicates) {
  MetricStore store;
  store.add(loss({point(5, 5), point(7, 7)}));
  store.add(loss({point(1, 1), point(5, 5), point(6, 6), point(9, 9)}));
  store.add(loss({}));
  std::vector<Step> steps;
  for (const auto& p : store.series("loss", Rank(0))) steps.push_back(p.step);
  EXPECT_EQ(steps, (std::vector<Step>{1, 5, 6, 7, 9}));
  EXPECT_EQ(store.last("loss", Rank(0))->value, 9);
  EXPECT_FALSE(store.last("loss", Rank(1)));
  EXPECT_FALSE(store.last("none", Rank(0)));
  EXPECT_EQ(store.sampleCount(), 5U);
}

TEST(MetricStore, ARepeatedStepAtAnotherTimeIsAnotherSample) {
  MetricStore store;
  store.add(loss({point(5, 1, 10), point(5, 2, 20), point(5, 1, 10)}));
  EXPECT_EQ(store.sampleCount(), 2U);
}

TEST(MetricStore, AnyOrderOfArrivalGivesTheSameSeries) {
  std::mt19937 random(1);
  for (int round = 0; round < 50; ++round) {
    std::vector<MetricPoint> points;
    for (int i = 0; i < 200; ++i) points.push_back(point(i, i));
    std::shuffle(points.begin(), points.end(), random);
    MetricStore store;
    for (std::size_t i = 0; i < points.size();) {
      const std::size_t n = std::min<std::size_t>(random() % 30 + 1, points.size() - i);
      std::vector<MetricPoint> part(points.begin() + static_cast<long>(i),
                                    points.begin() + static_cast<long>(i + n));
      std::sort(part.begin(), part.end(), [](const auto& a, const auto& b) { return a.step < b.step; });
      store.add(loss(part));
      if (random() % 3 == 0) store.add(loss(part));
      i += n;
    }
    const auto series = store.series("loss", Rank(0));
    ASSERT_EQ(series.size(), 200U);
    for (int i = 0; i < 200; ++i) ASSERT_EQ(series[static_cast<std::size_t>(i)].step, i);
  }
}

TEST(MetricStore, NamesAndRanksAreSorted) {
  MetricStore store;
  store.add({"step_ms", Rank(3), {point(0, 1)}});
  store.add({"loss", Rank(3), {point(0, 1)}});
  store.add({"loss", Rank(1), {point(0, 1)}});
  EXPECT_EQ(store.names(), (std::vector<std::string>{"loss", "step_ms"}));
  EXPECT_EQ(store.ranks("loss"), (std::vector<Rank>{Rank(1), Rank(3)}));
  EXPECT_TRUE(store.ranks("none").empty());
}

TEST(MetricStore, DownsamplingKeepsEveryExtreme) {
  MetricStore store;
  std::vector<MetricPoint> points;
  for (Step i = 0; i < 100'000; ++i)
    points.push_back(point(i, i == 54'321 ? 99 : i == 77'777 ? -99 : std::sin(i)));
  store.add(loss(points));
  const auto spans = store.spans("loss", Rank(0), 0, 99'999, 500);
  EXPECT_LE(spans.size(), 1002U);
  EXPECT_GE(spans.size(), 400U);
  EXPECT_EQ(std::max_element(spans.begin(), spans.end(), [](auto& a, auto& b) { return a.max < b.max; })->max,
            99);
  EXPECT_EQ(std::min_element(spans.begin(), spans.end(), [](auto& a, auto& b) { return a.min < b.min; })->min,
            -99);
  EXPECT_TRUE(std::is_sorted(spans.begin(), spans.end(), [](auto& a, auto& b) { return a.x < b.x; }));
  EXPECT_EQ(spans.back().last, std::sin(99'999));
}

TEST(MetricStore, FewPointsComeAsTheyAreWithTheirNeighbors) {
  MetricStore store;
  store.add(loss({point(0, 1), point(10, 2), point(20, 3), point(30, 4), point(40, 5)}));
  const auto spans = store.spans("loss", Rank(0), 15, 25, 100);
  ASSERT_EQ(spans.size(), 3U);
  EXPECT_EQ(spans[0].x, 10);
  EXPECT_EQ(spans[1].last, 3);
  EXPECT_EQ(spans[2].x, 30);
}

TEST(MetricStore, NotANumberIsAGap) {
  MetricStore store;
  store.add(
      loss({point(0, 1), point(1, kNaN), point(2, 3), point(3, std::numeric_limits<double>::infinity())}));
  const auto spans = store.spans("loss", Rank(0), 0, 3, 100);
  ASSERT_EQ(spans.size(), 4U);
  EXPECT_EQ(spans[0].last, 1);
  EXPECT_TRUE(std::isnan(spans[1].last));
  EXPECT_EQ(spans[2].last, 3);
  EXPECT_TRUE(std::isnan(spans[3].last));
  const auto coarse = store.spans("loss", Rank(0), 0, 3, 1);
  EXPECT_LE(coarse.size(), 3U);
  EXPECT_TRUE(std::any_of(coarse.begin(), coarse.end(), [](auto& s) { return std::isnan(s.last); }));
}

TEST(MetricStore, StrangeRangesGiveNothingOrOneColumn) {
  MetricStore store;
  store.add(loss({point(0, 1), point(1, 2)}));
  EXPECT_TRUE(store.spans("loss", Rank(0), 5, 1, 100).empty());
  EXPECT_TRUE(store.spans("loss", Rank(0), 0, 1, 0).empty());
  EXPECT_TRUE(store.spans("loss", Rank(0), kNaN, 1, 10).empty());
  EXPECT_FALSE(store.spans("loss", Rank(0), 0, 0, 10).empty());
}

TEST(MetricStore, TheNewestByAStepAreOfThatAttempt) {
  MetricStore store;
  MetricSeriesBatch batch{"loss", Rank(2), {}};
  for (Step step = 0; step < 10'000; ++step)
    batch.points.push_back({step, TimePoint(std::chrono::seconds(1000 + step)), static_cast<double>(step)});
  for (Step step = 50; step < 60; ++step)
    batch.points.push_back({step, TimePoint(std::chrono::seconds(20'000 + step)), -1.0});
  store.add(batch);
  const auto points = store.newest("loss", Rank(2), 3, {0, 5000});
  ASSERT_EQ(points.size(), 3U);
  EXPECT_EQ(points.front().step, 4998);
  EXPECT_EQ(points.back().value, 5000);
  EXPECT_EQ(store.newest("loss", Rank(2), 100, {1, 54}).size(), 5U) << "none of the attempt before";
  EXPECT_TRUE(store.newest("loss", Rank(2), 3, {2, 5000}).empty());
  EXPECT_TRUE(store.newest("loss", Rank(2), 3, {-1, 5000}).empty());
  EXPECT_TRUE(store.newest("nothing", Rank(2), 3, {0, 5000}).empty());
}

}  // namespace
}  // namespace lockstep
