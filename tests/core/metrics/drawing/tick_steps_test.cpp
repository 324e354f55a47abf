// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/drawing/tick_steps.h"

#include <gtest/gtest.h>

#include <limits>

namespace lockstep {

TEST(TickSteps, DecimalOnesAreOneTwoOrFive) {
  EXPECT_DOUBLE_EQ(decimalTickStep(10, 5), 2);
  EXPECT_DOUBLE_EQ(decimalTickStep(11, 5), 5);
  EXPECT_DOUBLE_EQ(decimalTickStep(30, 5), 10);
  EXPECT_DOUBLE_EQ(decimalTickStep(0.4, 4), 0.1);
  EXPECT_DOUBLE_EQ(decimalTickStep(2'000'000, 4), 500'000);
}

TEST(TickSteps, TimesAreThoseOfAClock) {
  EXPECT_DOUBLE_EQ(timeTickStep(60, 5), 15);
  EXPECT_DOUBLE_EQ(timeTickStep(600, 5), 120);
  EXPECT_DOUBLE_EQ(timeTickStep(5 * 3600, 5), 3600);
  EXPECT_DOUBLE_EQ(timeTickStep(3 * 86'400, 5), 86'400);
  EXPECT_DOUBLE_EQ(timeTickStep(100 * 86'400, 5), 20 * 86'400);
  EXPECT_DOUBLE_EQ(timeTickStep(0.5, 5), 0.1);
  EXPECT_DOUBLE_EQ(timeTickStep(4.9, 5), 1);
}

TEST(TickSteps, OddRangesDoNoHarm) {
  for (const double range :
       {0.0, -5.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
    for (const int count : {-1, 0, 5}) {
      EXPECT_GT(decimalTickStep(range, count), 0);
      EXPECT_GT(timeTickStep(range, count), 0);
    }
}

}  // namespace lockstep
