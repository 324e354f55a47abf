// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/grid/step_times.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace lockstep {
namespace {

void add(MetricStore& store, std::string_view name, int rank, double value) {
  store.add(
      {std::string(name),
       Rank(rank),
       {{0, TimePoint(std::chrono::seconds(0)), value}, {1, TimePoint(std::chrono::seconds(1)), value}}});
}

TEST(StepTimes, AreTheMeansOfTheStepsAskedFor) {
  std::mt19937_64 random(1);
  std::vector<double> values;
  MetricStore store;
  MetricSeriesBatch batch{std::string(metric::kForwardMs), Rank(0), {}};
  for (Step i = 0; i < 6000; ++i) {
    values.push_back(std::uniform_real_distribution(5.0, 9.0)(random));
    batch.points.push_back({i, TimePoint(std::chrono::milliseconds(i)), values.back()});
  }
  store.add(batch);
  for (const auto& [from, to] : {std::pair<Step, Step>{0, 5999}, {17, 4133}, {4096, 4096}, {5900, 9000}}) {
    double sum = 0;
    for (Step i = from; i <= std::min<Step>(to, 5999); ++i) sum += values[static_cast<std::size_t>(i)];
    const double count = static_cast<double>(std::min<Step>(to, 5999) - from + 1);
    const StepTimes times = stepTimes(store, Rank(0), from, to);
    ASSERT_TRUE(times.parts[2]);
    EXPECT_NEAR(*times.parts[2], sum / count, 1e-4) << from;
    EXPECT_FALSE(times.step);
    EXPECT_FALSE(times.parts[3]) << "not measured is not 0";
  }
  EXPECT_TRUE(stepTimes(store, Rank(0), 7000, 8000).isEmpty());
  EXPECT_EQ(stepsOfStepTimes(store), (std::pair<Step, Step>{0, 5999}));
}

TEST(StepTimes, WhatNoPartTellsIsLeft) {
  MetricStore store;
  add(store, metric::kStepMs, 0, 100);
  add(store, metric::kForwardMs, 0, 30);
  add(store, metric::kBackwardMs, 0, 50);
  add(store, metric::kOtherMs, 0, -2);
  const StepTimes times = stepTimes(store, Rank(0), 0, 1);
  EXPECT_DOUBLE_EQ(times.sumOfParts(), 80);
  EXPECT_DOUBLE_EQ(times.untold(), 20);
  EXPECT_DOUBLE_EQ(*times.parts[7], -2);
}

TEST(StepTimes, OfManyRanksTheSlowestAndTheMedian) {
  MetricStore store;
  std::vector<Rank> ranks;
  for (int rank = 0; rank < 65; ++rank) {
    ranks.emplace_back(rank);
    add(store, metric::kStepMs, rank, 100);
    add(store, metric::kWaitMs, rank, rank == 17 ? 0 : 90 - rank);
  }
  const auto few = stepTimesOf(store, std::span(ranks).first(32), 0, 1, 32);
  ASSERT_EQ(few.size(), 32U);
  EXPECT_EQ(few[5].rank, Rank(5));
  EXPECT_FALSE(few.back().isMedian);
  const auto some = stepTimesOf(store, ranks, 0, 1, 32);
  ASSERT_EQ(some.size(), 32U);
  EXPECT_TRUE(some[0].isMedian);
  EXPECT_EQ(some[0].rank, Rank(33)) << "32 are slower, 32 faster";
  EXPECT_EQ(some[1].rank, Rank(17));
  EXPECT_EQ(some[2].rank, Rank(64));
  EXPECT_EQ(some[31].rank, Rank(35));
  EXPECT_FALSE(some[31].isMedian);
  EXPECT_EQ(stepTimesOf(store, ranks, 50, 60, 32).size(), 0U);
}

}  // namespace
}  // namespace lockstep
