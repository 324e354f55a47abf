// SPDX-License-Identifier: GPL-3.0-or-later
#include "workdir/rank_phase.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace lockstep {
namespace {

TEST(RankPhase, EveryOneHasAWordOfItsOwnThatLeadsBack) {
  std::set<std::string> words;
  for (int i = 0; i < static_cast<int>(RankPhase::Other); ++i) {
    const auto phase = static_cast<RankPhase>(i);
    words.insert(toString(phase));
    EXPECT_EQ(rankPhaseNamed(toString(phase)), phase) << toString(phase);
  }
  EXPECT_EQ(words.size(), static_cast<std::size_t>(RankPhase::Other));
}

// Peers of another build of the same version read the number, older health readers the word.
TEST(RankPhase, NumbersAndWordsStayAsTheyArePublished) {
  EXPECT_EQ(static_cast<int>(RankPhase::Starting), 0);
  EXPECT_EQ(static_cast<int>(RankPhase::Waiting), 8);
  EXPECT_EQ(static_cast<int>(RankPhase::Ending), 12);
  EXPECT_STREQ(toString(RankPhase::Preparing), "building the network");
  EXPECT_STREQ(toString(RankPhase::Waiting), "waiting for peers");
}

TEST(RankPhase, AWordOfAnotherVersionIsOther) {
  EXPECT_EQ(rankPhaseNamed("dreaming"), RankPhase::Other);
  EXPECT_EQ(rankPhaseNamed(""), RankPhase::Other);
  EXPECT_EQ(rankPhaseNamed("?"), RankPhase::Other);
  EXPECT_STREQ(toString(RankPhase::Other), "?");
}

}  // namespace
}  // namespace lockstep
