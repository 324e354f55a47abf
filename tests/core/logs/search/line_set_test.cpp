// SPDX-License-Identifier: GPL-3.0-or-later
#include "logs/search/line_set.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace lockstep {
namespace {

void expectSame(const LineSet& set, const std::vector<std::uint64_t>& truth, std::mt19937& random) {
  ASSERT_EQ(set.size(), truth.size());
  for (int i = 0; i < 200 && !truth.empty(); ++i) {
    const std::size_t n = random() % truth.size();
    ASSERT_EQ(set.at(n), truth[n]);
    const std::uint64_t line = random() % (truth.back() + 10);
    const auto place = std::lower_bound(truth.begin(), truth.end(), line);
    ASSERT_EQ(set.countBefore(line), static_cast<std::uint64_t>(place - truth.begin())) << line;
    ASSERT_EQ(set.contains(line), place != truth.end() && *place == line);
  }
}

TEST(LineSet, HoldsWhatAListHolds) {
  std::mt19937 random(2);
  for (int round = 0; round < 12; ++round) {
    LineSet set;
    std::vector<std::uint64_t> truth;
    std::uint64_t line = random() % 3 == 0 ? random() % 200'000 : 0;
    const unsigned step = round % 3 == 0 ? 2 : round % 3 == 1 ? 30 : 3000;
    LineSet older;
    std::vector<std::uint64_t> olderTruth;
    for (int i = 0; i < 2000; ++i) {
      line += random() % step;
      const std::uint64_t count = random() % 40 == 0 ? random() % 1500 : 1;
      set.appendRange(line, count);
      for (std::uint64_t n = 0; n < count; ++n) truth.push_back(line++);
      ++line;
      if (i == 1000) {
        older = set;
        olderTruth = truth;
      }
      if (random() % 500 == 0) {
        const std::uint64_t end =
            truth[truth.size() - 1 - random() % std::min<std::size_t>(truth.size(), 9000)];
        set.truncate(end);
        while (!truth.empty() && truth.back() >= end) truth.pop_back();
        line = end;
      }
    }
    expectSame(set, truth, random);
    expectSame(older, olderTruth, random);
    set.truncate(0);
    EXPECT_TRUE(set.isEmpty());
  }
}

TEST(LineSet, IsSmall) {
  const LineSet all = LineSet::all(100'000'000);
  EXPECT_EQ(all.size(), 100'000'000U);
  EXPECT_EQ(all.at(99'999'999), 99'999'999U);
  EXPECT_TRUE(all.contains(77));
  EXPECT_LT(all.memory(), 400'000U);
  LineSet half;
  for (std::uint64_t i = 0; i < 10'000'000; i += 2) half.append(i);
  EXPECT_LT(half.memory(), 10'000'000U / 7);
  LineSet few;
  for (std::uint64_t i = 0; i < 10'000'000; i += 100) few.append(i);
  EXPECT_LT(few.memory(), 100'000U * 5);
}

}  // namespace
}  // namespace lockstep
