// SPDX-License-Identifier: GPL-3.0-or-later
#include "health/health_reader.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/time_text.h"
#include "fake_clock.h"
#include "health/stall.h"
#include "memory_object_store.h"

namespace lockstep {
namespace {

using namespace std::chrono_literals;

constexpr const char* kHeartbeatName = "job/lockstep/heartbeat.json";

struct HealthReaderTest : ::testing::Test {
  void beat(TimePoint time, int step) {
    store->set(
        kHeartbeatName,
        fmt::format(R"({{"time":"{}","ranks":[{{"rank":0,"activity":"data","step":{}}}],"waitingFor":[]}})",
                    toRfc3339(time), step));
  }
  void nodeSays(int node, const std::string& peers, const std::string& missing = "") {
    store->set(fmt::format("job/lockstep/reach/{}.json", node),
               fmt::format(R"({{"node":{},"peers":[{}],"missing":[{}]}})", node, peers, missing));
  }
  std::shared_ptr<const RunHealth> look() {
    const auto health = reader.poll({});
    EXPECT_TRUE(health) << describe(health.error());
    return health.value_or(nullptr);
  }
  std::shared_ptr<const RunHealth> lookLater(std::chrono::seconds time = kHealthInterval) {
    clock->advance(time);
    return look();
  }
  std::shared_ptr<MemoryObjectStore> store = std::make_shared<MemoryObjectStore>();
  std::shared_ptr<FakeClock> clock = std::make_shared<FakeClock>();
  HealthReader reader{store, "job", clock};
};

TEST_F(HealthReaderTest, SaysOnceThatNothingIsPublished) {
  const auto health = look();
  ASSERT_TRUE(health);
  EXPECT_FALSE(health->heartbeat);
  EXPECT_TRUE(health->nodes.empty());
  EXPECT_EQ(lookLater(), nullptr);
}

TEST_F(HealthReaderTest, BringsEachBeatOnce) {
  beat(clock->now(), 3);
  ASSERT_TRUE(look());
  EXPECT_EQ(lookLater(), nullptr);
  beat(clock->now(), 4);
  const auto health = lookLater();
  ASSERT_TRUE(health);
  EXPECT_EQ(health->heartbeat->ranks.at(0).step, 4);
}

// The clocks of two machines differ: what counts is when a beat was new here.
TEST_F(HealthReaderTest, TheAgeIsOfOurOwnClock) {
  beat(clock->now() - 3600s, 3);
  auto health = look();
  EXPECT_EQ(heartbeatAge(*health, clock->steady()), 3600s) << "nothing better is known at the first look";
  beat(clock->now() - 3595s, 4);
  health = lookLater();
  EXPECT_EQ(heartbeatAge(*health, clock->steady()), 0s) << "a clock that is an hour behind";
  EXPECT_EQ(heartbeatAge(*health, clock->steady() + 9s), 9s);
  beat(clock->now() + 3600s, 5);
  health = lookLater();
  EXPECT_EQ(heartbeatAge(*health, clock->steady()), 0s);
}

TEST_F(HealthReaderTest, ACalendarThatIsSetMakesNothingOlderOrYounger) {
  beat(clock->now(), 3);
  auto health = look();
  int step = 4;
  for (const auto set : {3600s, -3600s, -3600s}) {
    clock->stepCalendar(set);
    EXPECT_EQ(heartbeatAge(*health, clock->steady()), 0s);
    EXPECT_TRUE(findStalls(*health, clock->steady()).empty()) << "rank 0 has not fallen silent";
    beat(clock->now(), step++);
    health = lookLater();
    ASSERT_TRUE(health) << "the next look comes as soon as ever";
    EXPECT_EQ(heartbeatAge(*health, clock->steady()), 0s);
  }
  clock->advance(kOldHeartbeat);
  ASSERT_EQ(findStalls(*health, clock->steady()).size(), 1U) << "silence is still noticed";
}

TEST_F(HealthReaderTest, WhatIsNoNodesFindingsCostsNothing) {
  for (const char* name : {"x.json", "-1.json", "4096.json", "99999999999.json", "1x.json", "1"})
    store->set(std::string("job/lockstep/reach/") + name, "garbage");
  nodeSays(0, R"({"node":1,"reached":true})");
  const auto health = look();
  ASSERT_TRUE(health);
  EXPECT_EQ(health->nodes.size(), 1U);
  EXPECT_TRUE(health->unreadable.empty());
}

TEST_F(HealthReaderTest, ManyUnreadableNodesAreToldAFewTimes) {
  for (int node = 0; node < 200; ++node)
    store->set(fmt::format("job/lockstep/reach/{}.json", node), "garbage");
  std::shared_ptr<const RunHealth> health;
  for (int i = 0; i < 10; ++i)
    if (auto next = lookLater()) health = next;
  ASSERT_TRUE(health);
  EXPECT_LE(health->unreadable.size(), 16U);
}

TEST_F(HealthReaderTest, CostsNothingBetweenTwoLooksAndLittleWhenNothingComes) {
  beat(clock->now(), 3);
  nodeSays(0, R"({"node":1,"reached":true})");
  nodeSays(1, R"({"node":0,"reached":true})");
  look();
  EXPECT_EQ(store->lists, 2);
  EXPECT_EQ(store->gets, 3);
  for (int i = 0; i < 100; ++i) look();
  EXPECT_EQ(store->lists, 2);
  EXPECT_EQ(store->gets, 3);
  for (int i = 0; i < 10; ++i) lookLater();
  EXPECT_EQ(store->lists, 12) << "the heartbeat's name; all nodes are known";
  EXPECT_EQ(store->gets, 13) << "nodes are read once";
}

TEST_F(HealthReaderTest, NodesThatNeverWriteAreLookedForLessAndLess) {
  nodeSays(0, "", "1");
  look();
  const int before = store->lists;
  for (int i = 0; i < 200; ++i) lookLater();  // ten minutes, each with a look for the heartbeat
  EXPECT_LT(store->lists - before - 200, 20);
  nodeSays(1, R"({"node":0,"reached":true})");
  std::shared_ptr<const RunHealth> health;
  for (int i = 0; i < 21 && !health; ++i) health = lookLater();
  ASSERT_TRUE(health) << "within a minute";
  EXPECT_EQ(health->nodes.size(), 2U);
}

TEST_F(HealthReaderTest, GarbageIsToldOnceAndCostsNoOtherNode) {
  store->set(kHeartbeatName, "{\"time\":");
  store->set("job/lockstep/reach/0.json", std::string(kMaxFindingsBytes + 1, ' '));
  store->set("job/lockstep/reach/1.json", "\xff\xff");
  nodeSays(2, R"({"node":0,"reached":true})");
  const auto health = look();
  ASSERT_TRUE(health);
  EXPECT_EQ(health->unreadable.size(), 3U);
  EXPECT_EQ(health->nodes.size(), 1U);
  const int gets = store->gets;
  EXPECT_EQ(lookLater(), nullptr);
  EXPECT_EQ(store->gets - gets, 1) << "the heartbeat alone";
  beat(clock->now(), 1);
  EXPECT_EQ(lookLater()->unreadable.size(), 2U) << "the next beat is fine";
}

TEST_F(HealthReaderTest, AHugeHeartbeatIsNotFetched) {
  store->set(kHeartbeatName, std::string(kMaxHeartbeatBytes + 1, 'x'));
  const auto health = look();
  ASSERT_TRUE(health);
  ASSERT_EQ(health->unreadable.size(), 1U);
  EXPECT_FALSE(health->unreadable[0].remedy.empty());
  EXPECT_EQ(store->gets, 0);
  EXPECT_EQ(lookLater(), nullptr) << "told once";
}

TEST_F(HealthReaderTest, AStoreThatFailsIsAFailureAndThenGoesOn) {
  beat(clock->now(), 3);
  store->failGet = [](const std::string&) { return Error{ErrorCode::Unavailable, "away", {}, {}, {}, {}}; };
  EXPECT_FALSE(reader.poll({}));
  store->failGet = nullptr;
  const auto health = lookLater();
  ASSERT_TRUE(health);
  EXPECT_TRUE(health->heartbeat);
}

}  // namespace
}  // namespace lockstep
