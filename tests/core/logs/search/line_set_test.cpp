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

std::vector<std::uint64_t> drawnLines(std::mt19937& random, std::uint64_t end) {
  std::vector<std::uint64_t> lines;
  const unsigned step = random() % 3 == 0 ? 2 : random() % 2 ? 20 : 5000;
  for (std::uint64_t line = random() % step; line < end; line += 1 + random() % step)
    for (auto run = random() % 50 == 0 ? random() % 3000 : 1; run > 0 && line < end; --run)
      lines.push_back(line++);
  return lines;
}

LineSet setOf(const std::vector<std::uint64_t>& lines) {
  LineSet set;
  for (const std::uint64_t line : lines) set.append(line);
  return set;
}

TEST(LineSet, APieceTakesThePlaceOfAnother) {
  std::mt19937 random(3);
  for (int round = 0; round < 60; ++round) {
    const auto old = drawnLines(random, 300'000), with = drawnLines(random, 300'000);
    const LineSet set = setOf(old), piece = setOf(with);
    // At the borders of what is shared, and anywhere.
    const std::uint64_t grain = round % 2 ? 65'536 : 1;
    const std::uint64_t first = random() % 300'000 / grain * grain;
    const std::uint64_t end = first + random() % 200'000 / grain * grain;
    std::vector<std::uint64_t> truth;
    for (std::uint64_t line : old)
      if (line < first || line >= end) truth.push_back(line);
    for (std::uint64_t line : with)
      if (line >= first && line < end) truth.push_back(line);
    std::sort(truth.begin(), truth.end());
    LineSet made = set.replaced(first, end, piece);
    expectSame(made, truth, random);
    ASSERT_EQ(made.list(0, truth.size() + 5), truth);
    if (truth.size() > 20) {
      ASSERT_EQ(made.list(10, 5), std::vector(truth.begin() + 10, truth.begin() + 15));
    }
    made.append(1'000'000);  // what is shared does not change with it
    expectSame(set, old, random);
    expectSame(piece, with, random);
  }
}

TEST(LineSet, FollowsItsLinesToANewerOrder) {
  std::mt19937 random(5);
  for (int round = 0; round < 30; ++round) {
    const auto old = drawnLines(random, 300'000);
    std::vector<SameLines> same;
    std::vector<std::uint64_t> truth;
    std::uint64_t from = random() % 2 * 65'536, to = 0;
    while (from < 300'000) {
      const std::uint64_t count = 1 + random() % 100'000;
      same.push_back({from, to, count});
      for (const std::uint64_t line : old)
        if (line >= from && line < from + count) truth.push_back(line - from + to);
      from += count + random() % 3;
      to += count + random() % 3;
    }
    expectSame(setOf(old).movedTo(same), truth, random);
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
