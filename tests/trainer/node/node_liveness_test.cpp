// SPDX-License-Identifier: GPL-3.0-or-later
// How nodes notice that one of them is lost.
#include <gtest/gtest.h>

#include <atomic>
#include <nlohmann/json.hpp>
#include <thread>

#include "memory_object_store.h"
#include "node_world.h"
#include "trainer/node/liveness/failure_words.h"
#include "trainer/node/liveness/node_liveness.h"
#include "trainer/node/settings/master_port.h"
#include "workdir/work_dir_uri.h"

namespace lockstep::node {
namespace {

class Beats : public NodeWorld {
 protected:
  static NodeSettings hasty(int rank) {
    auto settings = settingsOf(rank);
    settings.nodeSilence = std::chrono::seconds(5);
    settings.maxRestarts = 1;
    return settings;
  }
  // What a node of that number would write.
  void sign(int node, int port, long long count, bool started = true, int attempt = 0) {
    const nlohmann::json json = {{"node", node},       {"name", "worker_0"},     {"jobRun", "run1"},
                                 {"port", port},       {"address", "127.0.0.1"}, {"answer", "here I am"},
                                 {"attempt", attempt}, {"started", started},     {"count", count}};
    ASSERT_TRUE(store_->put(layout::aliveFolder("job1") + std::to_string(node) + ".json", json.dump(), {}));
  }
  template <class Condition>
  static bool comesTrue(const Condition& condition) {
    const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (!condition() && std::chrono::steady_clock::now() < limit)
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    return condition();
  }
  // The watch has looked, so that what changes from now on is a heartbeat.
  void awaitFirstLook() {
    const std::string own = layout::aliveFolder("job1") + "0.json";
    ASSERT_TRUE(comesTrue([&] {
      const auto text = store_->get(own, {});
      return text && nlohmann::json::parse(*text)["count"] >= 2;
    }));
  }
};

TEST_F(Beats, ANodeThatFallsSilentAndRefusesConnectionsIsLost) {
  const auto closed = MasterPort::choose(0);
  ASSERT_TRUE(closed);
  NodeLiveness beats(store_, hasty(0), "main", "127.0.0.1");
  ASSERT_TRUE(beats.start());
  beats.beginAttempt(0, {0, 1});
  awaitFirstLook();
  sign(1, closed->port(), 1);
  ASSERT_TRUE(comesTrue([&] { return beats.loss().has_value(); }));
  const NodeLoss loss = *beats.loss();
  EXPECT_EQ(loss.last.node, 1);
  EXPECT_GE(loss.silence.count(), 5);
  EXPECT_TRUE(beats.isGone(1));
  const std::string text = lossText(loss);
  for (const char* part : {"worker_0 was lost while its ranks ran", "127.0.0.1:", "refused", "look whether"})
    EXPECT_NE(text.find(part), std::string::npos) << text;
  beats.beginAttempt(1, {0});
  EXPECT_FALSE(beats.loss()) << "it is no member any more";
}

TEST_F(Beats, InAHurryARefusedConnectionIsEnough) {
  const auto closed = MasterPort::choose(0);
  ASSERT_TRUE(closed);
  auto settings = hasty(0);
  settings.nodeSilence = std::chrono::hours(1);
  NodeLiveness beats(store_, settings, "main", "127.0.0.1");
  ASSERT_TRUE(beats.start());
  beats.beginAttempt(0, {0, 1});
  awaitFirstLook();
  sign(1, closed->port(), 1);
  beats.expedite();
  EXPECT_TRUE(comesTrue([&] { return beats.loss().has_value(); }));
}

TEST_F(Beats, OneThatAnswersIsNotLostHoweverSilent) {
  const auto listener = ProbeListener::open("here I am");
  ASSERT_TRUE(listener);
  NodeLiveness beats(store_, hasty(0), "main", "127.0.0.1");
  ASSERT_TRUE(beats.start());
  beats.beginAttempt(0, {0, 1});
  awaitFirstLook();
  sign(1, (*listener)->port(), 1);
  beats.expedite();
  std::optional<std::string> note;
  ASSERT_TRUE(comesTrue([&] {
    if (!note) note = beats.popNote();
    return note.has_value();
  }));
  EXPECT_NE(note->find("worker_0 answers, but its heartbeats have not reached the work dir"),
            std::string::npos)
      << *note;
  EXPECT_FALSE(beats.loss());
  EXPECT_FALSE(beats.isLost(1));
}

TEST_F(Beats, WhatAnEarlierClusterLeftIsNotWatched) {
  const auto closed = MasterPort::choose(0);
  ASSERT_TRUE(closed);
  sign(1, closed->port(), 1);
  NodeLiveness beats(store_, hasty(0), "main", "127.0.0.1");
  ASSERT_TRUE(beats.start());
  beats.beginAttempt(0, {0, 1});
  beats.expedite();
  awaitFirstLook();
  awaitFirstLook();
  EXPECT_FALSE(beats.loss());
}

TEST_F(Beats, ANodeThatEndsByItselfIsGoneAndNotLost) {
  NodeLiveness beats(store_, hasty(0), "main", "127.0.0.1");
  ASSERT_TRUE(beats.start());
  beats.beginAttempt(0, {0, 1});
  awaitFirstLook();
  {
    NodeLiveness other(store_, hasty(1), "worker_0", "127.0.0.1");
    ASSERT_TRUE(other.start());
    std::this_thread::sleep_for(2 * NodeLiveness::kInterval);
  }
  EXPECT_FALSE(store_->get(layout::aliveFolder("job1") + "1.json", {}));
  EXPECT_TRUE(comesTrue([&] { return beats.isGone(1); }));
  EXPECT_FALSE(beats.loss());
}

TEST_F(Beats, ANodeThatIsStartedAgainFindsTheRunGoingOn) {
  EXPECT_FALSE(*NodeLiveness(store_, hasty(1), "worker_0", "a").runsWithoutUs(clock_, {}));
  const auto closed = MasterPort::choose(0);
  ASSERT_TRUE(closed);
  sign(0, closed->port(), 1);
  EXPECT_FALSE(*NodeLiveness(store_, hasty(1), "worker_0", "a").runsWithoutUs(clock_, {}))
      << "it is late for the first meeting";
  sign(1, closed->port(), 1);
  EXPECT_FALSE(*NodeLiveness(store_, hasty(1), "worker_0", "a").runsWithoutUs(clock_, {}))
      << "both died with their cluster";
  {
    const auto listener = ProbeListener::open("here I am");
    ASSERT_TRUE(listener);
    sign(0, (*listener)->port(), 1);
    EXPECT_TRUE(*NodeLiveness(store_, hasty(1), "worker_0", "a").runsWithoutUs(clock_, {})) << "it answers";
  }
  std::atomic<bool> done{false};
  std::jthread living([&] {
    for (int count = 2; !done; ++count) {
      sign(0, closed->port(), count);
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
  });
  EXPECT_TRUE(*NodeLiveness(store_, hasty(1), "worker_0", "a").runsWithoutUs(clock_, {})) << "it writes";
  done = true;
}

TEST(FailureWords, TellWhatWouldComeAgain) {
  EXPECT_TRUE(wouldFailAgain({.exitCode = 2, .signal = 0}));
  EXPECT_FALSE(wouldFailAgain({.exitCode = 12, .signal = 0}));
  EXPECT_FALSE(wouldFailAgain({.exitCode = 2, .signal = 9}));
  EXPECT_EQ(reportDelayFor({.exitCode = 0, .signal = 9}).count(), 0);
  EXPECT_GT(reportDelayFor({.exitCode = 12, .signal = 0}),
            NodeLiveness::kExpeditedSilence + NodeLiveness::kProbeLimit);
}

}  // namespace
}  // namespace lockstep::node
