// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/grid/rank_order.h"

#include <gtest/gtest.h>

#include <cmath>

namespace lockstep {
namespace {

void add(MetricStore& store, std::string_view name, int rank, double value) {
  MetricSeriesBatch batch{std::string(name), Rank(rank), {}};
  for (Step i = 0; i < 100; ++i) batch.points.push_back({i, TimePoint(std::chrono::milliseconds(i)), value});
  store.add(batch);
}

std::vector<int> ranksOf(const std::vector<OrderedRank>& rows) {
  std::vector<int> ranks;
  for (const OrderedRank& row : rows) ranks.push_back(row.rank.value);
  return ranks;
}

const std::vector<OrderedRank> kRows{{Rank(3), 1}, {Rank(0), 0}, {Rank(2), 1}, {Rank(1), 0}, {Rank(4), 1}};

TEST(RankOrder, WhoWaitsLeastIsTheSlowest) {
  MetricStore store;
  // All need 100 ms for a step, since they wait for rank 2.
  const double waits[] = {40, 30, 1, 20};
  for (int rank = 0; rank < 4; ++rank) {
    add(store, metric::kStepMs, rank, 100);
    add(store, metric::kWaitMs, rank, waits[rank]);
  }
  EXPECT_EQ(ownStepMs(store, Rank(2), 0, 99), 99);
  EXPECT_EQ(ownStepMs(store, Rank(4), 0, 99), std::nullopt);
  EXPECT_EQ(ranksOf(inOrder(kRows, RankOrder::SlowestFirst, store)), (std::vector{2, 3, 4, 1, 0}));
  EXPECT_EQ(ranksOf(inOrder(kRows, RankOrder::ByRank, store)), (std::vector{0, 1, 2, 3, 4}));
}

TEST(RankOrder, WithoutWaitsTheWholeStepSaysIt) {
  MetricStore store;
  for (int rank = 0; rank < 5; ++rank) add(store, metric::kStepMs, rank, 10 + rank);
  EXPECT_EQ(ranksOf(inOrder(kRows, RankOrder::SlowestFirst, store)), (std::vector{4, 3, 2, 1, 0}));
}

TEST(RankOrder, TheSlowestOfAllAreNamed) {
  MetricStore store;
  const double waits[] = {40, 30, 1, 20, 20};
  for (int rank = 0; rank < 5; ++rank) {
    add(store, metric::kStepMs, rank, 100);
    add(store, metric::kWaitMs, rank, waits[rank]);
  }
  add(store, metric::kLoss, 9, 1);  // measures no step
  EXPECT_EQ(slowestRanks(store, 3), (std::vector{Rank(2), Rank(3), Rank(4)}));
  EXPECT_EQ(slowestRanks(store, 99).size(), 5U);
  EXPECT_TRUE(slowestRanks(MetricStore(), 3).empty());
}

TEST(RankOrder, WithoutStepsItIsByRank) {
  EXPECT_EQ(ranksOf(inOrder(kRows, RankOrder::SlowestFirst, MetricStore())), (std::vector{0, 1, 2, 3, 4}));
}

TEST(RankOrder, RanksOfANodeStayTogetherWhereverTheyAre) {
  const std::vector<OrderedRank> mixed{{Rank(0), 7}, {Rank(1), 2}, {Rank(2), 7}, {Rank(3), -1}, {Rank(4), 2}};
  EXPECT_EQ(ranksOf(inOrder(mixed, RankOrder::ByRank, MetricStore())), (std::vector{0, 2, 1, 4, 3}));
}

TEST(RankOrder, TimesBeyondAllBoundsAreNone) {
  MetricStore store;
  for (int rank = 0; rank < 5; ++rank) {
    add(store, metric::kStepMs, rank, rank == 3 ? 1.7e308 : 10);
    add(store, metric::kWaitMs, rank, rank == 3 ? 1.7e308 : 1);
  }
  EXPECT_EQ(ownStepMs(store, Rank(3), 0, 99), std::nullopt);
  EXPECT_EQ(ranksOf(inOrder(kRows, RankOrder::SlowestFirst, store)).size(), 5U);
}

}  // namespace
}  // namespace lockstep
