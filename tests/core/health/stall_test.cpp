// SPDX-License-Identifier: GPL-3.0-or-later
#include "health/stall.h"

#include <gtest/gtest.h>

#include "health/health_text.h"

namespace lockstep {
namespace {

using namespace std::chrono_literals;

const TimePoint kNow(std::chrono::sys_days(std::chrono::year(2026) / 11 / 22) + 10h);
const SteadyPoint kHeard(1000s);

RankHeartbeat beat(int rank, const char* word, long long collectives, std::chrono::seconds lasting) {
  RankHeartbeat one;
  one.rank = Rank(rank);
  one.word = word;
  one.phase = rankPhaseNamed(word);
  one.step = 17;
  one.collectives = collectives;
  one.host = "vm-" + std::to_string(rank);
  one.pid = 40 + rank;
  one.since = kNow - lasting;
  return one;
}

RunHealth healthOf(std::vector<RankHeartbeat> ranks, std::vector<Rank> waitingFor) {
  RunHealth health;
  health.heartbeat = Heartbeat{kNow, std::move(ranks), std::move(waitingFor)};
  health.heard = kHeard;
  return health;
}

TEST(Stalls, ARankThatOthersWaitForIsNamedWithWhatItDoes) {
  const auto health = healthOf({beat(0, "waiting for peers", 118, 20s),
                                beat(1, "waiting for peers", 118, 20s), beat(2, "data", 117, 22s)},
                               {Rank(2)});
  const auto found = findStalls(health, kHeard + 3s);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].kind, Stall::Kind::RankBehind);
  EXPECT_EQ(found[0].beat.rank, Rank(2));
  EXPECT_EQ(found[0].waiting, 2);
  EXPECT_EQ(found[0].collective, 118);
  EXPECT_EQ(found[0].lasting, 22s) << "as rank 0 said";
  const std::string line = oneLineOf(findingOf(found[0]));
  EXPECT_EQ(
      line,
      "rank 2 (host vm-2, pid 42) keeps 2 ranks waiting in collective 118: data at step 17 for 22 s: its "
      "data "
      "come slowly or not at all; look at the disk or bucket that it reads from, and try more --workers");
}

TEST(Stalls, WhoIsBehindForAMomentHoldsNobodyUp) {
  const auto lasting = [](std::chrono::seconds time) {
    return healthOf({beat(0, "waiting for peers", 118, time), beat(1, "backward", 117, time)}, {Rank(1)});
  };
  EXPECT_TRUE(findStalls(lasting(2s), kHeard).empty());
  EXPECT_TRUE(findStalls(lasting(2s), kHeard + kLongStanding).empty())
      << "what became of it since is not known";
  EXPECT_FALSE(findStalls(lasting(kLongStanding), kHeard).empty());
}

TEST(Stalls, ALongStepOfAllRanksIsNone) {
  EXPECT_TRUE(
      findStalls(healthOf({beat(0, "forward", 117, 90s), beat(1, "forward", 117, 90s)}, {}), kHeard).empty());
  EXPECT_TRUE(
      findStalls(healthOf({beat(0, "forward", 117, 90s), beat(1, "data", 116, 90s)}, {Rank(1)}), kHeard)
          .empty())
      << "nobody waits for it yet";
}

TEST(Stalls, ACollectiveThatDoesNotEndIsTheNetworks) {
  const auto health =
      healthOf({beat(0, "waiting for peers", 118, 30s), beat(1, "waiting for peers", 118, 40s)}, {});
  const auto found = findStalls(health, kHeard);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].kind, Stall::Kind::NobodyBehind);
  EXPECT_EQ(found[0].lasting, 30s);
  EXPECT_NE(findingOf(found[0]).what.find("all 2 ranks have been in collective 118 for 30 s"),
            std::string::npos);
  EXPECT_TRUE(findStalls(healthOf({beat(0, "waiting for peers", 118, 30s)}, {}), kHeard).empty()) << "alone";
}

TEST(Stalls, SilenceOfRankZeroComesBeforeAllElse) {
  const auto health =
      healthOf({beat(0, "waiting for peers", 118, 20s), beat(1, "data", 117, 20s)}, {Rank(1)});
  const auto found = findStalls(health, kHeard + kOldHeartbeat);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].kind, Stall::Kind::NoHeartbeat);
  EXPECT_EQ(found[0].beat.rank, Rank(0));
}

// What a time-out ends names the rank that noticed; who was waited for is in the last heartbeat.
TEST(Stalls, AFailedRunSaysWhomItWaitedForUntilItGaveUp) {
  const auto health =
      healthOf({beat(0, "waiting for peers", 118, 115s), beat(1, "data", 117, 118s)}, {Rank(1)});
  const auto found = findingsIn(health, RunStage::Failed, kHeard + 3600s);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].code, "rank-behind");
  EXPECT_TRUE(found[0].what.starts_with("when the run failed: rank 1 (host vm-1")) << found[0].what;
  EXPECT_TRUE(findingsIn(health, RunStage::Over, kHeard + 3600s).empty());
  const auto quick = healthOf({beat(0, "waiting for peers", 118, 1s), beat(1, "data", 117, 2s)}, {Rank(1)});
  EXPECT_TRUE(findingsIn(quick, RunStage::Failed, kHeard).empty()) << "a rank that was killed held nobody up";
}

TEST(Stalls, WithoutTimesNobodyIsBlamed) {
  auto health =
      healthOf({beat(0, "waiting for peers", 118, 0s), beat(1, "data", 117, 0s)}, {Rank(1), Rank(7)});
  for (RankHeartbeat& one : health.heartbeat->ranks) one.since.reset();
  EXPECT_TRUE(findStalls(health, kHeard + 20s).empty()) << "an older trainer does not say since when";
  EXPECT_TRUE(findStalls({}, kHeard).empty());
}

TEST(HealthText, SaysWhereRanksAre) {
  EXPECT_EQ(describe(beat(3, "waiting for peers", 118, 0s)), "waiting for peers in collective 118");
  EXPECT_EQ(describe(beat(3, "backward", 118, 0s)), "backward at step 17");
  EXPECT_EQ(lastingText(59s), "59 s");
  EXPECT_EQ(lastingText(185s), "3 min 5 s");
  EXPECT_EQ(lastingText(7500s), "2 h 5 min");
}

TEST(HealthText, FindingsNameBothNodesThePortAndTheWayOut) {
  RunHealth health;
  NodeFindings zero{0,   "main", "10.0.0.2", {{1, "worker_0", "10.0.0.3", 4711, false, {}, "timed out"}},
                    {2}, {}};
  NodeFindings one{1, "worker_0", "10.0.0.3", {{0, "main", "10.0.0.2", 4710, true, 0.4, ""}}, {2}, {}};
  health.nodes = {zero, one};
  const auto found = findingsIn(health, RunStage::Running, kHeard);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(
      oneLineOf(found[0]),
      "main cannot reach worker_0 at 10.0.0.3:4711: timed out; worker_0 does reach main, so one direction is "
      "closed; allow TCP into worker_0 and out of main on all ports (security list or NSG of the subnet)");
  EXPECT_EQ(found[1].code, "node-silent");
  EXPECT_NE(found[1].what.find("node 2"), std::string::npos);
}

}  // namespace
}  // namespace lockstep
