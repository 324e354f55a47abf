// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/grid/value_scale.h"

#include <gtest/gtest.h>

#include <cmath>

#include "drawn_metrics.h"

namespace lockstep {
namespace {

constexpr const char* kName = "quantity";

MetricStore waves(double spike) {
  MetricStore store;
  for (int rank = 0; rank < 8; ++rank) {
    MetricSeriesBatch batch{kName, Rank(rank), {}};
    for (Step i = 0; i < 1000; ++i)
      batch.points.push_back(
          {i, TimePoint(std::chrono::milliseconds(i)), 80 + 4 * std::sin(0.7 * static_cast<double>(i))});
    if (rank == 5 && spike != 0) batch.points[812].value = spike;
    store.add(batch);
  }
  return store;
}

TEST(ValueScale, OneOutlierLeavesTheOthersTheirColours) {
  const MetricStore calm = waves(0), spiky = waves(90'000);
  const ValueScale before = valueScale(calm, kName, calm.ranks()),
                   after = valueScale(spiky, kName, spiky.ranks());
  EXPECT_NEAR(before.min, 76, 0.01);
  EXPECT_NEAR(before.max, 84, 0.01);
  EXPECT_FALSE(before.hasAbove());
  EXPECT_EQ(after.max, 90'000);
  EXPECT_LT(after.high, 110);
  EXPECT_GT(after.position(84) - after.position(76), 0.2) << "the waves can still be told apart";
  EXPECT_EQ(after.position(90'000), 1);
  EXPECT_GE(after.position(90'000) - after.position(84), ValueScale::kShareBeyond)
      << "and the spike from them";
}

TEST(ValueScale, ASpikeDownHasItsColour) {
  const MetricStore store = waves(-500);
  const ValueScale scale = valueScale(store, kName, store.ranks());
  EXPECT_TRUE(scale.hasBelow());
  EXPECT_EQ(scale.position(-500), 0);
  EXPECT_GE(scale.position(76), ValueScale::kShareBeyond);
}

TEST(ValueScale, PositionsAscendAndComeBack) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    std::mt19937_64 random(seed);
    const MetricStore store = storeOf(drawSamples(random, 4, 600), kName);
    const ValueScale scale = valueScale(store, kName, store.ranks());
    ASSERT_FALSE(scale.isEmpty);
    double last = -1;
    for (int i = 0; i <= 100; ++i) {
      const double value = scale.min + (scale.max - scale.min) * i / 100, at = scale.position(value);
      ASSERT_GE(at, last);
      ASSERT_LE(at, 1);
      last = at;
      ASSERT_NEAR(scale.valueAt(at), value, 1e-6 * (scale.max - scale.min)) << seed;
    }
    EXPECT_EQ(last, 1);
  }
}

TEST(ValueScale, OneAmongEqualsIsSeen) {
  MetricStore store;
  MetricSeriesBatch batch{kName, Rank(0), {}};
  for (Step i = 0; i < 5000; ++i)
    batch.points.push_back({i, TimePoint(std::chrono::milliseconds(i)), i == 77 ? 3.0 : 0.0});
  store.add(batch);
  const ValueScale scale = valueScale(store, kName, store.ranks());
  EXPECT_EQ(scale.position(0), 0);
  EXPECT_EQ(scale.position(3), 1);
}

TEST(ValueScale, HoldsWhateverTheValuesAre) {
  EXPECT_TRUE(valueScale(MetricStore(), kName, {}).isEmpty);
  MetricStore one;
  one.add({kName, Rank(0), {{0, {}, 5}}});
  EXPECT_EQ(valueScale(one, kName, one.ranks()).position(5), 0.5);
  MetricStore none;
  none.add({kName, Rank(0), {{0, {}, std::nan("")}}});
  EXPECT_TRUE(valueScale(none, kName, none.ranks()).isEmpty);
  MetricStore wide;
  wide.add({kName, Rank(0), {{0, {}, -1.7e308}, {1, {}, 1.7e308}, {2, {}, 0}}});
  const ValueScale scale = valueScale(wide, kName, wide.ranks());
  for (const double value : {-1.7e308, 0.0, 1.7e308}) {
    EXPECT_GE(scale.position(value), 0);
    EXPECT_LE(scale.position(value), 1);
  }
  EXPECT_TRUE(std::isfinite(scale.valueAt(0.5)));
}

}  // namespace
}  // namespace lockstep
