// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/health_marks.h"

#include <gtest/gtest.h>

namespace lockstep {
namespace {

using namespace std::chrono_literals;

const TimePoint kNow(1'700'000'000s);
const SteadyPoint kHeard(1000s);

RankHeartbeat beat(int rank, RankPhase phase, Step step, std::chrono::nanoseconds lasting) {
  RankHeartbeat one;
  one.rank = Rank(rank);
  one.phase = phase;
  one.step = step;
  one.since = kNow - lasting;
  return one;
}

RunHealth healthAt(std::chrono::seconds later, std::vector<RankHeartbeat> ranks) {
  RunHealth health;
  health.heartbeat = Heartbeat{kNow + later, std::move(ranks), {}};
  health.heard = kHeard + later;
  return health;
}

bool note(HealthMarks& marks, const RunHealth& health, SteadyPoint now) {
  return marks.note(health, findStalls(health, now));
}

TEST(HealthMarks, ACheckpointIsOneMarkHoweverOftenAndByWhomItIsSeen) {
  HealthMarks marks;
  const auto saving =
      healthAt(0s, {beat(0, RankPhase::Saving, 400, 2s), beat(1, RankPhase::Saving, 400, 1s)});
  EXPECT_TRUE(note(marks, saving, kHeard));
  EXPECT_FALSE(note(marks, saving, kHeard + 1s));
  ASSERT_EQ(marks.marks().size(), 1U);
  EXPECT_EQ(marks.marks()[0].kind, RunMark::Kind::Checkpoint);
  EXPECT_EQ(marks.marks()[0].time, kNow - 2s);
  EXPECT_EQ(marks.marks()[0].step, 400);
  EXPECT_TRUE(note(marks, healthAt(90s, {beat(0, RankPhase::Saving, 800, -80s)}), kHeard + 90s));
  EXPECT_EQ(marks.marks().size(), 2U);
}

TEST(HealthMarks, WhatHoldsTheRunUpIsOneMarkFromWhereItBegan) {
  HealthMarks marks;
  auto waiting = beat(0, RankPhase::Waiting, 17, 20s);
  waiting.collectives = 118;
  auto late = beat(1, RankPhase::Data, 17, 22s);
  late.collectives = 117;
  RunHealth health = healthAt(0s, {waiting, late});
  health.heartbeat->waitingFor = {Rank(1)};
  EXPECT_TRUE(note(marks, health, kHeard + 1s));
  health.heartbeat->time += 5s;  // five seconds later it is the same
  health.heard += 5s;
  EXPECT_FALSE(note(marks, health, kHeard + 6s));
  ASSERT_EQ(marks.marks().size(), 1U);
  EXPECT_EQ(marks.marks()[0].kind, RunMark::Kind::Alert);
  EXPECT_EQ(marks.marks()[0].rank, Rank(1));
  EXPECT_EQ(marks.marks()[0].time, kNow - 22s);
  EXPECT_EQ(marks.marks()[0].code, "rank-behind");
}

TEST(HealthMarks, NothingThatGoesOnIsAMark) {
  HealthMarks marks;
  EXPECT_FALSE(note(marks, {}, kHeard));
  EXPECT_FALSE(note(marks, healthAt(0s, {beat(0, RankPhase::Forward, 3, 0s)}), kHeard + 1s));
  EXPECT_TRUE(marks.marks().empty());
}

TEST(HealthMarks, AreBounded) {
  HealthMarks marks;
  for (int i = 0; i < 1200; ++i)
    note(marks, healthAt(std::chrono::seconds(i * 100), {beat(0, RankPhase::Saving, i, -i * 100s)}),
         kHeard + i * 100s);
  ASSERT_EQ(marks.marks().size(), kMaxMarks);
  EXPECT_EQ(marks.marks().back().step, 1199) << "the newest stay";
}

}  // namespace
}  // namespace lockstep
