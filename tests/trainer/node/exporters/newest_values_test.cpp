// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/node/exporters/newest_values.h"

#include <gtest/gtest.h>

#include <thread>

namespace lockstep::node {
namespace {

using namespace std::chrono_literals;

const TimePoint kTime(1'800'000'000s);

TEST(NewestValues, HasTheNewestOfEachQuantity) {
  NewestValues newest("job", "main", "run");
  newest.begin({4, 5});
  newest.note(4, 10, kTime, {{"loss", 0.5}, {"own", 1}});
  newest.note(4, std::nullopt, kTime + 1s, {{"gpu_percent", 87}});
  newest.note(4, 11, kTime + 2s, {{"loss", 0.4}});
  newest.note(4, std::nullopt, kTime - 1s, {{"own", 99}});
  newest.note(6, 1, kTime, {{"loss", 7}});
  const ExportedRun run = newest.newest();
  EXPECT_EQ(run.run, "job");
  ASSERT_EQ(run.ranks.size(), 2U) << "rank 6 is none of this node";
  const ExportedRank& rank = run.ranks[0];
  EXPECT_EQ(rank.rank, Rank(4));
  EXPECT_EQ(rank.node, "main");
  EXPECT_EQ(rank.jobRun, "run");
  EXPECT_EQ(rank.step, 11);
  EXPECT_EQ(rank.newest, kTime + 2s);
  EXPECT_EQ(rank.values.at("loss").value, 0.4);
  EXPECT_EQ(rank.values.at("own").value, 1) << "what is older changes nothing";
  EXPECT_EQ(rank.values.at("gpu_percent").time, kTime + 1s);
  EXPECT_TRUE(run.ranks[1].values.empty());
  newest.begin({4});
  EXPECT_TRUE(newest.newest().ranks[0].values.empty()) << "of another attempt";
}

TEST(NewestValues, ManyMayAskWhileOneTells) {
  NewestValues newest("job", "main", "run");
  newest.begin({0});
  std::jthread teller([&](const std::stop_token& stop) {
    for (int i = 0; !stop.stop_requested(); ++i)
      newest.note(0, i, kTime + std::chrono::seconds(i), {{"a", i}, {"b", i}});
  });
  for (int i = 0; i < 2000; ++i) {
    const ExportedRank rank = newest.newest().ranks[0];
    if (rank.values.empty()) continue;
    ASSERT_EQ(rank.values.at("a").value, rank.values.at("b").value) << "never half of a row";
  }
}

}  // namespace
}  // namespace lockstep::node
