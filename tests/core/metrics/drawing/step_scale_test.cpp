// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/drawing/step_scale.h"

#include <gtest/gtest.h>

#include <cmath>

namespace lockstep {
namespace {

constexpr auto kBegin = TimePoint(std::chrono::seconds(1'700'000'000));

/// Two ranks, 100 steps of two seconds; 32 samples a rank and step; ten steps an epoch.
MetricStore run() {
  MetricStore store;
  for (int rank = 0; rank < 2; ++rank) {
    std::vector<MetricSeriesBatch> batches;
    const auto add = [&](std::string_view name, auto value) {
      MetricSeriesBatch batch{std::string(name), Rank(rank), {}};
      for (Step i = 0; i < 100; ++i)
        batch.points.push_back(
            {i, kBegin + std::chrono::seconds(2 * i) + std::chrono::milliseconds(rank), value(i)});
      batches.push_back(std::move(batch));
    };
    add(metric::kLoss, [](Step) { return 1.0; });
    add(metric::kStepMs, [](Step) { return 2000.0; });
    add(metric::kSamplesPerSecond, [](Step) { return 16.0; });
    if (rank == 0) add(metric::kEpoch, [](Step i) { return std::floor(static_cast<double>(i) / 10); });
    store.add(batches);
  }
  return store;
}

std::shared_ptr<const MetricStore> onlyLoss(TimePoint begin) {
  MetricStore store;
  store.add({"loss", Rank(0), {{0, begin, 1.0}, {1, begin, 2.0}}});
  return store.snapshot();
}

}  // namespace

TEST(StepScale, SaysWhatIsReachedAtAStep) {
  MetricStore store = run();
  const auto samples = store.snapshot();
  const auto value = [&](StepUnit unit, double step) {
    return StepScale::make(unit, samples, "loss")->valueAt(step);
  };
  EXPECT_EQ(value(StepUnit::Steps, 7.5), 7.5);
  EXPECT_EQ(value(StepUnit::Epoch, 25), 2);
  EXPECT_DOUBLE_EQ(value(StepUnit::RelativeTime, 30), 60);
  EXPECT_DOUBLE_EQ(value(StepUnit::WallTime, 30), 1'700'000'060);
  EXPECT_DOUBLE_EQ(value(StepUnit::Samples, 9), 640) << "ten steps of two ranks";
}

TEST(StepScale, TicksAreRoundAndStandWhereTheyAreReached) {
  MetricStore store = run();
  const auto samples = store.snapshot();
  for (const auto unit : {StepUnit::Epoch, StepUnit::RelativeTime, StepUnit::WallTime, StepUnit::Samples}) {
    const auto scale = StepScale::make(unit, samples, "loss");
    double apart = 0;
    const auto ticks = scale->ticks(5, 95, 5, 0, &apart);
    ASSERT_GE(ticks.size(), 3U) << static_cast<int>(unit);
    ASSERT_LE(ticks.size(), 7U);
    double before = 0;
    for (const auto& tick : ticks) {
      EXPECT_NEAR(std::remainder(tick.value, apart), 0, 1e-6);
      EXPECT_GE(tick.step, std::max(5.0, before));
      EXPECT_LE(tick.step, 95);
      EXPECT_GE(scale->valueAt(tick.step) + 1e-6, tick.value);
      EXPECT_LT(scale->valueAt(tick.step - 1.01), tick.value) << "a step earlier it was not reached";
      before = tick.step;
    }
  }
}

TEST(StepScale, LocalTimesAreRound) {
  MetricStore store = run();
  const auto scale = StepScale::make(StepUnit::WallTime, store.snapshot(), "loss");
  const double ahead = 1234;
  double apart = 0;
  for (const auto& tick : scale->ticks(0, 99, 4, ahead, &apart))
    EXPECT_NEAR(std::remainder(tick.value + ahead, apart), 0, 1e-6);
}

TEST(StepScale, WhatWasNotMeasuredIsNotOffered) {
  const auto samples = onlyLoss(kBegin);
  EXPECT_TRUE(StepScale::make(StepUnit::WallTime, samples, "loss"));
  EXPECT_FALSE(StepScale::make(StepUnit::Epoch, samples, "loss"));
  EXPECT_FALSE(StepScale::make(StepUnit::Samples, samples, "loss"));
  EXPECT_FALSE(StepScale::make(StepUnit::Steps, samples, "accuracy_percent"));
  EXPECT_FALSE(StepScale::make(StepUnit::WallTime, onlyLoss(TimePoint{}), "loss"));
}

TEST(StepScale, WhatARestartRepeatsCountsWhenItWasDoneLast) {
  MetricStore store;
  MetricSeriesBatch batch{"loss", Rank(0), {}};
  for (Step i = 0; i < 100; ++i) batch.points.push_back({i, kBegin + std::chrono::seconds(i), 1.0});
  for (Step i = 60; i < 120; ++i) batch.points.push_back({i, kBegin + std::chrono::seconds(200 + i), 1.0});
  store.add(batch);
  const auto scale = StepScale::make(StepUnit::RelativeTime, store.snapshot(), "loss");
  EXPECT_DOUBLE_EQ(scale->valueAt(59), 59);
  EXPECT_DOUBLE_EQ(scale->valueAt(60), 260);
  double before = -1;
  for (const auto& tick : scale->ticks(0, 119, 10)) {
    EXPECT_GE(tick.step, before);
    before = tick.step;
  }
}

TEST(StepScale, TimesAreKnownWhereTheStoreIsCoarse) {
  MetricSeriesBatch batch{"loss", Rank(0), {}, {0, 10}};
  for (Step i = 0; i < 9000; ++i) batch.points.push_back({i, kBegin + std::chrono::seconds(2 * i), 1.0});
  MetricStore store;
  store.add(batch);
  store.keepWithin(0, {});
  ASSERT_TRUE(store.isCoarse(Rank(0), 0, 8000));
  const auto scale = StepScale::make(StepUnit::RelativeTime, store.snapshot(), "loss");
  for (Step step = 0; step < 9000; step += 7)
    ASSERT_NEAR(scale->valueAt(static_cast<double>(step)), static_cast<double>(2 * step), 1e-6);
  const auto ticks = scale->ticks(100, 8900, 5);
  ASSERT_GE(ticks.size(), 3U);
  for (const auto& tick : ticks) EXPECT_NEAR(tick.step * 2, tick.value, 3);
}

TEST(StepScale, AnEmptyRangeHasNoTicks) {
  const auto scale = StepScale::make(StepUnit::WallTime, onlyLoss(kBegin), "loss");
  EXPECT_TRUE(scale->ticks(5, 5, 4).empty());
  EXPECT_TRUE(scale->ticks(0, 1, 0).empty());
}

}  // namespace lockstep
