// SPDX-License-Identifier: GPL-3.0-or-later
#include "logs/store/time_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <random>

namespace lockstep {
namespace {

struct Line {
  std::int64_t time = 0;
  std::uint64_t file = 0, line = 0;
  bool operator==(const Line&) const = default;
};

using Places = std::vector<std::pair<std::uint64_t, std::uint64_t>>;  // file and line

Places linesOf(const LineOrder& order, std::uint64_t firstFile) {
  Places all;
  for (std::size_t part = 0; part < order.partCount(); ++part) {
    const OrderPart lines = order.part(part);
    EXPECT_EQ(lines.first, all.size());
    EXPECT_EQ(lines.first, order.partStart(part));
    for (const LineRun& run : lines.runs)
      for (std::uint64_t i = 0; i < run.count; ++i) all.emplace_back(run.file + firstFile, run.first + i);
    EXPECT_EQ(lines.first + lines.count, all.size());
    if (lines.count > 0) {
      EXPECT_EQ(order.partOf(lines.first), part);
      EXPECT_EQ(order.partOf(all.size() - 1), part);
    }
  }
  EXPECT_EQ(order.size(), all.size());
  return all;
}

/// Every line of the older order is where the newer one has it, and none is left out that is in both.
void expectSame(const std::vector<SameLines>& all, const Places& now, const Places& then) {
  std::uint64_t from = 0, to = 0, count = 0;
  for (const SameLines& same : all) {
    ASSERT_GE(same.older, from);
    ASSERT_GE(same.newer, to);
    for (std::uint64_t i = 0; i < same.count; ++i) ASSERT_EQ(now[same.newer + i], then[same.older + i]);
    from = same.older + same.count;
    to = same.newer + same.count;
    count += same.count;
  }
  Places here = now, there = then, both;
  std::sort(here.begin(), here.end());
  std::sort(there.begin(), there.end());
  std::set_intersection(here.begin(), here.end(), there.begin(), there.end(), std::back_inserter(both));
  ASSERT_EQ(count, both.size());
}

// Against a stable sort of all that came, in batches of any size and lateness, with equal times.
TEST(TimeOrder, IsAStableSortByTime) {
  std::mt19937 random(11);
  for (int round = 0; round < 40; ++round) {
    TimeOrderBuilder builder;
    std::vector<Line> truth;
    const int late = round % 4 == 0 ? 100'000 : static_cast<int>(random() % 300) + 1;
    std::shared_ptr<const TimeOrder> older;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> olderLines;
    for (int batch = 0; batch < 30; ++batch) {
      std::vector<TimedLine> lines;
      const auto count = random() % (round % 3 == 0 ? 3000 : 60);
      for (std::uint32_t i = 0; i < count; ++i) {
        const auto time =
            static_cast<std::int64_t>(truth.size() / 3) - static_cast<std::int64_t>(random() % late);
        lines.push_back({time, 5, truth.size()});
        truth.push_back({time, 5, truth.size()});
      }
      builder.add(lines);
      const auto order = builder.order({5});
      auto sorted = truth;
      std::stable_sort(sorted.begin(), sorted.end(), [](auto& a, auto& b) { return a.time < b.time; });
      const auto got = linesOf(*order, 5);
      ASSERT_EQ(got.size(), sorted.size());
      for (std::size_t i = 0; i < got.size(); ++i) ASSERT_EQ(got[i].second, sorted[i].line) << i;
      if (older) {
        const auto common = order->commonStart(*older);
        ASSERT_TRUE(
            std::equal(got.begin(), got.begin() + static_cast<std::ptrdiff_t>(common), olderLines.begin()));
        if (common < olderLines.size() && common < got.size()) {
          ASSERT_NE(got[common], olderLines[common]) << "the common start is longer";
        }
        ASSERT_EQ(linesOf(*older, 5), olderLines) << "an order has changed";
        expectSame(order->sameLines(*older), got, olderLines);
      }
      older = order;
      olderLines = got;
    }
  }
}

TEST(TimeOrder, AFileThatGoesTakesItsLines) {
  TimeOrderBuilder builder;
  std::vector<TimedLine> lines;
  for (std::uint64_t i = 0; i < 10'000; ++i) lines.push_back({static_cast<std::int64_t>(i), i % 3, i});
  builder.add(lines);
  const auto before = builder.order({0, 1, 2});
  builder.drop(0);
  EXPECT_EQ(builder.size(), 6666U);
  EXPECT_EQ(before->size(), 10'000U);
  for (const auto& [file, line] : linesOf(*builder.order({1, 2}), 1)) EXPECT_EQ(line % 3, file);
  builder.add({{500, 2, 20'000}, {-1, 2, 20'001}, {99'999, 2, 20'002}});
  const auto after = builder.order({1, 2});
  expectSame(after->sameLines(*before), linesOf(*after, 1), linesOf(*before, 0));
  builder.drop(1);
  builder.drop(2);
  EXPECT_EQ(builder.order({})->size(), 0U);
  EXPECT_EQ(builder.order({})->partCount(), 0U);
}

TEST(TimeOrder, AFileInTheMiddleMayGo) {
  TimeOrderBuilder builder;
  std::vector<TimedLine> lines;
  for (std::uint64_t i = 0; i < 9'000; ++i) lines.push_back({static_cast<std::int64_t>(i), 4 + i % 3, i});
  builder.add(lines);
  builder.drop(5);
  const auto order = builder.order({4, 6});
  EXPECT_EQ(order->size(), 6000U);
  for (const auto& [file, line] : linesOf(*order, 0)) EXPECT_EQ(file, line % 3 == 0 ? 0U : 1U) << line;
}

}  // namespace
}  // namespace lockstep
