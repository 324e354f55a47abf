// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/rank_list.h"

#include <gtest/gtest.h>

#include <string>

#include "metrics/rank_spread.h"

namespace lockstep {
namespace {

std::vector<Rank> ranksOf(std::initializer_list<int> values) {
  std::vector<Rank> ranks;
  for (const int value : values) ranks.emplace_back(value);
  return ranks;
}

TEST(RankList, RanksAndRangesInAnyOrder) {
  EXPECT_EQ(*parseRankList("17, 0-3 2", 64), ranksOf({0, 1, 2, 3, 17}));
  EXPECT_EQ(*parseRankList(" , ", 64), ranksOf({}));
  EXPECT_EQ(*parseRankList("", 0), ranksOf({}));
  EXPECT_EQ(parseRankList("0-1023", 1024)->size(), 1024U);
}

TEST(RankList, TextAndRanksAreTheSame) {
  for (const char* text : {"", "5", "0-3, 17", "0, 2, 4-1023"})
    EXPECT_EQ(rankListText(*parseRankList(text, 1024)), text);
}

TEST(RankList, WhatIsNoRankIsNamed) {
  for (const char* text : {"a", "3-1", "-1", "1-", "1-2-3", "0x1", "1.5", "99999999999999999999"}) {
    const auto ranks = parseRankList(std::string("2, ") + text, 64);
    ASSERT_FALSE(ranks) << text;
    EXPECT_NE(describe(ranks.error()).find(std::string(text).substr(0, 40)), std::string::npos) << text;
  }
  const auto beyond = parseRankList("5, 60-64", 64);
  ASSERT_FALSE(beyond);
  EXPECT_NE(describe(beyond.error()).find("0 to 63"), std::string::npos) << describe(beyond.error());
  EXPECT_FALSE(parseRankList("0-2000000000", 64));
}

TEST(OutlyingRanks, AreFartherFromTheMedianThanTheOthersAreWide) {
  MetricStore store;
  std::vector<Rank> ranks;
  for (int rank = 0; rank < 64; ++rank) {
    ranks.emplace_back(rank);
    const double value = rank == 7 ? 3.0 : rank == 40 ? 0.1 : rank == 50 ? 9.0 : 1 + 0.01 * (rank % 5);
    store.add({"loss", Rank(rank), {{0, {}, 100.0}, {1, {}, value}}});
  }
  EXPECT_EQ(outlyingRanks(store, "loss", ranks, 8), ranksOf({50, 7, 40}));
  EXPECT_EQ(outlyingRanks(store, "loss", ranks, 1), ranksOf({50}));
  EXPECT_TRUE(outlyingRanks(store, "accuracy", ranks, 8).empty());
}

TEST(OutlyingRanks, AllAlikeIsNobodyAndOneUnlikeIsOne) {
  MetricStore store;
  std::vector<Rank> ranks;
  for (int rank = 0; rank < 20; ++rank) {
    ranks.emplace_back(rank);
    store.add({"loss", Rank(rank), {{0, {}, 2.0}}});
  }
  EXPECT_TRUE(outlyingRanks(store, "loss", ranks, 8).empty());
  store.add({"loss", Rank(3), {{1, {}, 2.5}}});
  EXPECT_EQ(outlyingRanks(store, "loss", ranks, 8), ranksOf({3}));
}

}  // namespace
}  // namespace lockstep
