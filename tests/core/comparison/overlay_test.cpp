// SPDX-License-Identifier: GPL-3.0-or-later
#include "comparison/overlay.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace lockstep;
using namespace std::chrono_literals;

namespace {

const TimePoint kBegin(1'800'000'000s);

MetricStore stepsAt(Step steps, std::chrono::nanoseconds each, std::chrono::nanoseconds pauseAtHalf = 0ns) {
  MetricStore store;
  MetricSeriesBatch batch{std::string(metric::kLoss), Rank(0), {}};
  for (Step step = 0; step < steps; ++step)
    batch.points.push_back(
        {step, kBegin + step * each + (step >= steps / 2 ? pauseAtHalf : 0ns), static_cast<double>(step)});
  store.add(batch);
  return store;
}

}  // namespace

TEST(Overlay, ByStepsEachColumnIsOneValue) {
  const MetricStore store = stepsAt(10'000, 10ms);
  const auto extent = overlayExtent(store, metric::kLoss, OverlayAxis::Steps);
  ASSERT_TRUE(extent);
  EXPECT_EQ(*extent, (std::pair{0.0, 9999.0}));
  const auto points = overlayOf(store, metric::kLoss, OverlayAxis::Steps, 0, 9999, 100);
  EXPECT_EQ(points.size(), 100u);
  EXPECT_TRUE(std::is_sorted(points.begin(), points.end(), [](auto& a, auto& b) { return a.x < b.x; }));
  EXPECT_EQ(points.back().x, 9999);
  EXPECT_EQ(points.back().max, 9999);
  EXPECT_EQ(points.front().min, 0);
}

TEST(Overlay, AZoomReachesTheSteps) {
  const MetricStore store = stepsAt(10'000, 10ms);
  const auto points = overlayOf(store, metric::kLoss, OverlayAxis::Steps, 500, 509, 100);
  ASSERT_EQ(points.size(), 10u);
  EXPECT_EQ(points.front().value, 500);
  EXPECT_EQ(points.back().value, 509);
}

TEST(Overlay, ByTimeAPauseIsThere) {
  const MetricStore store = stepsAt(1000, 100ms, 60s);
  const auto extent = overlayExtent(store, metric::kLoss, OverlayAxis::Time);
  ASSERT_TRUE(extent);
  EXPECT_NEAR(extent->first, 0, 1e-6);
  EXPECT_NEAR(extent->second, 99.9 + 60, 1e-6);
  const auto points = overlayOf(store, metric::kLoss, OverlayAxis::Time, extent->first, extent->second, 200);
  EXPECT_LE(points.size(), 200u);
  double widest = 0;
  for (std::size_t i = 1; i < points.size(); ++i) widest = std::max(widest, points[i].x - points[i - 1].x);
  EXPECT_GT(widest, 59);
  const auto half = overlayOf(store, metric::kLoss, OverlayAxis::Time, 0, 20, 200);
  ASSERT_FALSE(half.empty());
  EXPECT_LE(half.back().x, 20.0 + 1e-6);
}

TEST(Overlay, WhatIsNotThereIsNoCurve) {
  const MetricStore store = stepsAt(10, 1s);
  EXPECT_FALSE(overlayExtent(store, "other", OverlayAxis::Steps));
  EXPECT_TRUE(overlayOf(store, "other", OverlayAxis::Time, 0, 1, 10).empty());
  EXPECT_TRUE(overlayOf(store, metric::kLoss, OverlayAxis::Steps, 5, 2, 10).empty());
  EXPECT_TRUE(overlayOf(MetricStore(), metric::kLoss, OverlayAxis::Time, 0, 1, 10).empty());
}
