// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/drawing/spread_columns.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace lockstep {
namespace {

const SpreadColumns::IsOver kNever = [] { return false; };
const SpreadColumns::IsOver kAtOnce = [] { return true; };

/// Time for one piece of work.
SpreadColumns::IsOver afterAPiece() {
  return [asked = 0]() mutable { return ++asked > 1; };
}

std::vector<Rank> ranksUpTo(int count) {
  std::vector<Rank> ranks;
  for (int rank = 0; rank < count; ++rank) ranks.emplace_back(rank);
  return ranks;
}

void addRows(MetricStore& store, int ranks, Step from, Step to, unsigned seed = 1) {
  std::mt19937 random(seed);
  for (int rank = 0; rank < ranks; ++rank) {
    MetricSeriesBatch batch{"loss", Rank(rank), {}, {0, 10}};
    for (Step i = from; i < to; ++i)
      batch.points.push_back(
          {i, TimePoint(std::chrono::seconds(i)), std::uniform_real_distribution(0.0, 9.0)(random)});
    store.add(batch);
  }
}

/// The same columns, computed anew.
std::vector<RankSpread> anew(const MetricStore& store, const std::vector<Rank>& ranks,
                             const PixelGrid& grid) {
  const auto width = static_cast<double>(SpreadColumns::widthFor(grid));
  const double first = std::floor(grid.from / width) - 1, end = std::floor(grid.to / width) + 2;
  auto spreads =
      spreadOverRanks(store, "loss", ranks, {first * width, end * width, static_cast<int>(end - first)});
  std::erase_if(spreads,
                [&](const RankSpread& one) { return one.x < first * width || one.x >= end * width; });
  return spreads;
}

void expectSame(const std::vector<RankSpread>& found, const std::vector<RankSpread>& wanted) {
  ASSERT_EQ(found.size(), wanted.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    ASSERT_EQ(found[i].x, wanted[i].x);
    ASSERT_EQ(found[i].min, wanted[i].min);
    ASSERT_EQ(found[i].p10, wanted[i].p10);
    ASSERT_EQ(found[i].median, wanted[i].median);
    ASSERT_EQ(found[i].p90, wanted[i].p90);
    ASSERT_EQ(found[i].max, wanted[i].max);
    ASSERT_EQ(found[i].ranks, wanted[i].ranks);
  }
}

}  // namespace

TEST(SpreadColumns, WidthsAreWholeStepsThatFit) {
  EXPECT_EQ(SpreadColumns::widthFor({0, 10, 300}), 1);
  EXPECT_EQ(SpreadColumns::widthFor({0, 900, 300}), 3);
  EXPECT_EQ(SpreadColumns::widthFor({0, 1190, 300}), 3);
  EXPECT_EQ(SpreadColumns::widthFor({0, 1200, 300}), 4);
  EXPECT_EQ(SpreadColumns::widthFor({0, 1e6, 300}), 3072);
  EXPECT_GE(SpreadColumns::widthFor({-1e300, 1e300, 1}), 1);
  EXPECT_EQ(SpreadColumns::widthFor({0, std::nan(""), 300}), 1);
}

// Moved and zoomed at random, with rows that come in between: always what computing it anew gives.
TEST(SpreadColumns, AreThoseThatAreComputedAnew) {
  for (unsigned seed = 0; seed < 12; ++seed) {
    std::mt19937 random(seed);
    MetricStore store;
    Step end = 2000;
    addRows(store, 20, 0, end, seed);
    SpreadColumns columns;
    std::vector<Rank> ranks = ranksUpTo(20);
    columns.setSource(store.snapshot(), "loss", ranks, {});
    for (int round = 0; round < 40; ++round) {
      if (random() % 6 == 0) {
        addRows(store, 20, end, end + 300, seed + 100);
        end += 300;
      }
      if (random() % 9 == 0) ranks = ranksUpTo(17 + static_cast<int>(random() % 4));
      const auto samples = store.snapshot();
      columns.setSource(samples, "loss", ranks, {});
      const double width = std::exp(std::uniform_real_distribution(2.0, 7.5)(random));
      const double from = std::uniform_real_distribution(-50.0, static_cast<double>(end))(random);
      const PixelGrid grid{from, from + width, 120};
      if (random() % 2 == 0) static_cast<void>(columns.fill(grid, kAtOnce));
      ASSERT_TRUE(columns.fill(grid, kNever));
      auto found = columns.columns(grid);
      const auto wanted = anew(*samples, ranks, grid);
      // What reaches the edges of an empty picture is told below.
      if (!wanted.empty()) std::erase_if(found, [&](const auto& one) { return one.x < wanted.front().x; });
      if (!wanted.empty()) std::erase_if(found, [&](const auto& one) { return one.x > wanted.back().x; });
      if (!wanted.empty()) expectSame(found, wanted);
    }
  }
}

// What is given up for want of memory, and read again, while the picture moves.
TEST(SpreadColumns, AreThoseOfWhatIsCoarseAndOfWhatIsFineAgain) {
  for (unsigned seed = 0; seed < 4; ++seed) {
    std::mt19937 random(seed);
    MetricStore store;
    addRows(store, 5, 0, 12'000, seed);
    const auto whole = store.snapshot();
    SpreadColumns columns;
    const std::vector<Rank> ranks = ranksUpTo(5);
    for (int round = 0; round < 30; ++round) {
      if (random() % 3 == 0) store.keepWithin(0, {});
      const auto parts = store.coarseIn({{}, 0, 12'000, 0});
      if (!parts.empty() && random() % 2 == 0) {
        const CoarseSpan& part = parts[random() % parts.size()];
        store.add(CoarsePart{
            part.rank, part.segments, {}, {{"loss", part.rank, whole->series("loss", part.rank), {0, 10}}}});
      }
      const auto samples = store.snapshot();
      columns.setSource(samples, "loss", ranks, {});
      const double width = std::exp(std::uniform_real_distribution(2.0, 9.5)(random));
      const double from = std::uniform_real_distribution(0.0, 11'000.0)(random);
      const PixelGrid grid{from, from + width, 120};
      ASSERT_TRUE(columns.fill(grid, kNever));
      auto found = columns.columns(grid);
      const auto wanted = anew(*samples, ranks, grid);
      ASSERT_FALSE(wanted.empty());
      std::erase_if(found,
                    [&](const auto& one) { return one.x < wanted.front().x || one.x > wanted.back().x; });
      ASSERT_NO_FATAL_FAILURE(expectSame(found, wanted)) << "seed " << seed << ", round " << round;
    }
  }
}

TEST(SpreadColumns, MovingComputesOnlyWhatIsNew) {
  MetricStore store;
  addRows(store, 20, 0, 100'000);
  SpreadColumns columns;
  columns.setSource(store.snapshot(), "loss", ranksUpTo(20), {});
  int pieces = 0;
  const SpreadColumns::IsOver count = [&pieces] { return ++pieces < 0; };
  ASSERT_TRUE(columns.fill({20'000, 30'000, 400}, count));
  EXPECT_GT(pieces, 20);
  pieces = 0;
  ASSERT_TRUE(columns.fill({20'000, 30'000, 400}, count));
  EXPECT_EQ(pieces, 0) << "nothing is missing";
  ASSERT_TRUE(columns.fill({20'500, 30'500, 400}, count));
  EXPECT_LE(pieces, 2);
  pieces = 0;
  addRows(store, 20, 100'000, 100'010);
  columns.setSource(store.snapshot(), "loss", ranksUpTo(20), {});
  ASSERT_TRUE(columns.fill({20'500, 30'500, 400}, count));
  EXPECT_EQ(pieces, 0) << "what was appended is not in sight";
}

TEST(SpreadColumns, UntilThereIsTimeOtherWidthsStandIn) {
  MetricStore store;
  addRows(store, 20, 0, 40'000);
  SpreadColumns columns;
  columns.setSource(store.snapshot(), "loss", ranksUpTo(20), {});
  ASSERT_TRUE(columns.fill({0, 40'000, 400}, kNever));
  const PixelGrid closer{10'000, 20'000, 400};
  EXPECT_FALSE(columns.fill(closer, kAtOnce));
  const auto found = columns.columns(closer);
  ASSERT_GT(found.size(), 90U) << "of the whole";
  EXPECT_LT(found.size(), 200U);
  for (std::size_t i = 1; i < found.size(); ++i) ASSERT_LT(found[i - 1].x, found[i].x);
  EXPECT_LT(found.front().x, 10'100);
  EXPECT_GT(found.back().x, 19'900);
  EXPECT_FALSE(columns.fill(closer, kAtOnce));
  EXPECT_EQ(columns.columns(closer).size(), found.size()) << "nothing is computed without time";
  int pieces = 1;
  while (!columns.fill(closer, afterAPiece())) ++pieces;
  EXPECT_LT(pieces, 402);
  EXPECT_GT(columns.columns(closer).size(), 390U);
}

TEST(SpreadColumns, WithoutTimeNotEvenAGlanceIsComputedAndThenAllOfItAtOnce) {
  MetricStore store;
  addRows(store, 20, 0, 40'000);
  SpreadColumns columns;
  columns.setSource(store.snapshot(), "loss", ranksUpTo(20), {});
  const PixelGrid grid{0, 40'000, 400};
  EXPECT_FALSE(columns.fill(grid, kAtOnce));
  EXPECT_FALSE(columns.isKnown());
  EXPECT_TRUE(columns.columns(grid).empty());
  int asked = 0;
  EXPECT_FALSE(columns.fill(grid, [&asked] { return asked++ > 0; })) << "time for one thing";
  EXPECT_TRUE(columns.isKnown());
  const auto glance = columns.columns(grid);
  ASSERT_GT(glance.size(), 8U);
  EXPECT_LT(glance.front().x, 4'000);
  EXPECT_GT(glance.back().x, 36'000) << "from end to end";
}

TEST(SpreadColumns, BetweenSamplesALineReachesTheEdges) {
  MetricStore store;
  for (int rank = 0; rank < 20; ++rank)
    store.add({"loss", Rank(rank), {{0, {}, 1.0}, {1000, {}, 2.0}, {2000, {}, 3.0}}});
  SpreadColumns columns;
  columns.setSource(store.snapshot(), "loss", ranksUpTo(20), {});
  const PixelGrid between{1200, 1300, 400};
  ASSERT_TRUE(columns.fill(between, kNever));
  const auto found = columns.columns(between);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].x, 1000);
  EXPECT_EQ(found[1].x, 2000);
}

TEST(SpreadColumns, OfAnEmptyStoreNothingIsLeft) {
  MetricStore store;
  addRows(store, 20, 0, 1000);
  SpreadColumns columns;
  columns.setSource(store.snapshot(), "loss", ranksUpTo(20), {});
  ASSERT_TRUE(columns.fill({0, 1000, 100}, kNever));
  columns.setSource(std::make_shared<const MetricStore>(), "loss", ranksUpTo(20), {});
  EXPECT_TRUE(columns.columns({0, 1000, 100}).empty());
}

TEST(SpreadColumns, OnlySoManyAttemptsCount) {
  MetricStore store;
  for (int rank = 0; rank < 20; ++rank) {
    MetricSeriesBatch batch{"loss", Rank(rank), {}};
    for (Step i = 0; i < 100; ++i) batch.points.push_back({i, TimePoint(std::chrono::seconds(i)), 1.0});
    for (Step i = 50; i < 100; ++i)
      batch.points.push_back({i, TimePoint(std::chrono::seconds(1000 + i)), 7.0});
    store.add(batch);
  }
  SpreadColumns columns;
  columns.setSource(store.snapshot(), "loss", ranksUpTo(20), std::vector<int>(20, 1));
  ASSERT_TRUE(columns.fill({0, 100, 50}, kNever));
  for (const auto& spread : columns.columns({0, 100, 50})) EXPECT_EQ(spread.max, 1);
  columns.setSource(store.snapshot(), "loss", ranksUpTo(20), {});
  ASSERT_TRUE(columns.fill({0, 100, 50}, kNever));
  EXPECT_EQ(columns.columns({0, 100, 50}).back().max, 7);
}

TEST(SpreadColumns, OddRangesDoNoHarm) {
  MetricStore store;
  addRows(store, 20, 0, 100);
  SpreadColumns columns;
  columns.setSource(store.snapshot(), "loss", ranksUpTo(20), {});
  for (const PixelGrid& grid :
       {PixelGrid{5, 4, 10}, PixelGrid{0, std::nan(""), 10}, PixelGrid{-1e300, 1e300, 10},
        PixelGrid{1e18, 1e18 + 1, 10}, PixelGrid{0, 10, 0}, PixelGrid{0, 1e9, 1'000'000}}) {
    EXPECT_TRUE(columns.fill(grid, kNever));
    static_cast<void>(columns.columns(grid));
  }
}

}  // namespace lockstep
