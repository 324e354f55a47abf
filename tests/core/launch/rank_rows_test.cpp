// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/rank_rows.h"

#include <gtest/gtest.h>

#include <string>

namespace lockstep {
namespace {

TrainingRun runOf(int workers, int servers = 0) {
  TrainingRun run;
  for (int i = 0; i < workers + servers; ++i) {
    NodeRun node;
    node.role = i == 0 ? NodeRole::Main : i < workers ? NodeRole::Worker : NodeRole::ParameterServer;
    node.displayName = "node " + std::to_string(i);
    node.nodeRank = i;
    node.state = i == 1 ? JobRunState::Failed : JobRunState::InProgress;
    run.nodes.push_back(node);
  }
  return run;
}

std::set<Rank> ranksBelow(int count) {
  std::set<Rank> ranks;
  for (int rank = 0; rank < count; ++rank) ranks.insert(Rank(rank));
  return ranks;
}

MetricStore losses(int ranks) {
  MetricStore metrics;
  for (int rank = 0; rank < ranks; ++rank)
    metrics.add({std::string(metric::kLoss), Rank(rank), {{rank, TimePoint{}, 1.0 * rank}}});
  return metrics;
}

TEST(RankPlaces, TwoNodesOfFourRanksEach) {
  const TrainingRun run = runOf(2);
  const auto places = nodesOfRanks(run, ranksBelow(8));
  ASSERT_EQ(places.size(), 8U);
  for (int rank = 0; rank < 8; ++rank) {
    const NodeOfRank& place = places[static_cast<std::size_t>(rank)];
    EXPECT_EQ(place.rank, Rank(rank));
    EXPECT_EQ(place.node, &run.nodes[rank < 4 ? 0 : 1]) << rank;
  }
  EXPECT_FALSE(onlyRankOf(run, ranksBelow(8), run.nodes[1])) << "it has four";
}

TEST(RankPlaces, OneRankOnEachNode) {
  const TrainingRun run = runOf(3, 1);
  const auto places = nodesOfRanks(run, ranksBelow(3));
  ASSERT_EQ(places.size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(places[i].node, &run.nodes[i]);
  EXPECT_EQ(places[2].rank, Rank(2));
  EXPECT_FALSE(places[3].rank) << "a parameter server";
  EXPECT_EQ(onlyRankOf(run, ranksBelow(3), run.nodes[1]), Rank(1));
  EXPECT_FALSE(onlyRankOf(run, ranksBelow(3), run.nodes[3]));
}

TEST(RankPlaces, WhileNoRankIsKnownANodeHasOne) {
  const TrainingRun run = runOf(2);
  const auto places = nodesOfRanks(run, {});
  ASSERT_EQ(places.size(), 2U);
  EXPECT_EQ(places[1].rank, Rank(1));
  EXPECT_EQ(places[1].node, &run.nodes[1]);
  EXPECT_TRUE(nodesOfRanks({}, {}).empty());
}

TEST(RankPlaces, ANodeOfWhichNoRankHasReportedHasItsRanksAllTheSame) {
  const TrainingRun run = runOf(2);
  const auto places = nodesOfRanks(run, {Rank(0), Rank(7)});
  ASSERT_EQ(places.size(), 8U);
  EXPECT_EQ(places[4].node, &run.nodes[1]);
  EXPECT_EQ(places[6].rank, Rank(6));
}

TEST(RankPlaces, RanksWithoutANodeStandBehindThoseWithOne) {
  const TrainingRun run = runOf(1);
  const auto places = nodesOfRanks(run, {Rank(0), Rank(2'000'000'000)});
  ASSERT_EQ(places.size(), 2U);
  EXPECT_EQ(places[1].rank, Rank(2'000'000'000));
  EXPECT_EQ(places[1].node, nullptr);
  ASSERT_EQ(nodesOfRanks({}, ranksBelow(2)).size(), 2U) << "a run whose nodes are not known yet";
}

TEST(RankRows, AreThePlacesWithTheirNewestValues) {
  const auto rows = rankRows(runOf(2, 1), losses(4));
  ASSERT_EQ(rows.size(), 5U);
  EXPECT_EQ(rows[1].node, "node 0");
  EXPECT_EQ(rows[2].node, "node 1");
  EXPECT_EQ(rows[2].state, JobRunState::Failed);
  EXPECT_EQ(rows[3].step, 3);
  EXPECT_EQ(rows[3].value(metric::kLoss), 3.0);
  EXPECT_FALSE(rows[4].rank);
  EXPECT_EQ(rows[4].node, "node 2");
  EXPECT_EQ(meanLoss(rows), 1.5);
  EXPECT_FALSE(totalRate(rows));
}

}  // namespace
}  // namespace lockstep
