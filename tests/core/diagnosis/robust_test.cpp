// SPDX-License-Identifier: GPL-3.0-or-later
#include "diagnosis/detectors/robust.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace lockstep {
namespace {

TEST(Robust, MediansAndQuantiles) {
  EXPECT_TRUE(std::isnan(medianOf({})));
  EXPECT_EQ(medianOf({3}), 3);
  EXPECT_EQ(medianOf({4, 1, 3, 2}), 2.5);
  EXPECT_EQ(quantileOf({4, 1, 3, 2, 5}, 0.25), 2);
  EXPECT_EQ(quantileOf({1, 2}, 1), 2);
  EXPECT_EQ(spreadAround(std::vector<double>{1, 2, 3, 100}, 2), 1.4826);
}

TEST(Robust, TheMedianOfOthersIsThatOfTheListWithoutTheOne) {
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    std::vector<double> values(std::uniform_int_distribution<std::size_t>(1, 9)(random));
    for (double& value : values) value = std::uniform_int_distribution<int>(0, 5)(random);
    const MedianOfOthers others(values);
    for (std::size_t i = 0; i < values.size(); ++i) {
      std::vector<double> rest = values;
      rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
      const double expected = medianOf(rest);
      if (rest.empty())
        EXPECT_TRUE(std::isnan(others.without(values[i])));
      else
        EXPECT_EQ(others.without(values[i]), expected);
    }
  }
  const std::vector<double> gaps{std::nan(""), 1, 3};
  EXPECT_EQ(MedianOfOthers(gaps).without(std::nan("")), 2);
}

TEST(Robust, ATrendIsALineWithItsFit) {
  const std::vector<double> x{0, 1, 2, 3}, y{1, 3, 5, 7};
  const Trend trend = trendOf(x, y);
  EXPECT_DOUBLE_EQ(trend.perUnit, 2);
  EXPECT_DOUBLE_EQ(trend.fit, 1);
  EXPECT_DOUBLE_EQ(trend.atEnd, 7);
  EXPECT_DOUBLE_EQ(trend.reach, 3);
  EXPECT_EQ(trendOf(std::vector<double>{1}, std::vector<double>{1}).perUnit, 0);
  EXPECT_EQ(trendOf(std::vector<double>{1, 1}, std::vector<double>{1, 2}).perUnit, 0) << "no time has passed";
}

}  // namespace
}  // namespace lockstep
