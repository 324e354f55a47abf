// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/bounds.h"

#include <gtest/gtest.h>

#include <limits>

namespace lockstep {
namespace {

TEST(Bounds, TextsAreNumbersAsAWholeAndWithinTheBoundsOnly) {
  EXPECT_EQ(integerIn("65535", 0, kMaxRanks - 1), 65'535);
  EXPECT_EQ(integerIn("-3", -3, 3), -3);
  for (const char* text :
       {"", "65536", "-1", "12x", " 12", "0x10", "1e3", "2147483648", "99999999999999999999"})
    EXPECT_FALSE(integerIn(text, 0, kMaxRanks - 1)) << text;
  EXPECT_EQ(integerIn<std::uint64_t>("18446744073709551615", 0, std::numeric_limits<std::uint64_t>::max()),
            std::numeric_limits<std::uint64_t>::max());
}

TEST(Bounds, WhatNoIntegerHoldsIsNone) {
  constexpr auto kMin = std::numeric_limits<std::int64_t>::min();
  constexpr auto kMax = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(integerIn(1234.9, 0, kMax), 1234);
  EXPECT_EQ(integerIn(-9223372036854775808.0, kMin, kMax), kMin);
  EXPECT_FALSE(integerIn(9223372036854775808.0, kMin, kMax));
  EXPECT_FALSE(integerIn(std::numeric_limits<double>::infinity(), kMin, kMax));
  EXPECT_FALSE(integerIn(std::numeric_limits<double>::quiet_NaN(), kMin, kMax));
  EXPECT_FALSE(integerIn(-1.0, 0, kMax));
}

}  // namespace
}  // namespace lockstep
