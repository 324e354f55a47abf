// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/run_follower.h"

#include <gtest/gtest.h>

#include <thread>

#include "follower_fixture.h"
#include "memory_object_store.h"
#include "metrics/metric_writer.h"
#include "metrics/segments/metric_index.h"

using namespace lockstep;
using namespace std::chrono_literals;

TEST_F(RunFollowerTest, OneFailingSourceDoesNotStopTheOthers) {
  RunFollower f = follower();
  launcher->broken = true;
  logs->next = {line("hello")};
  RunUpdate update = f.poll({});
  ASSERT_EQ(update.problems.size(), 1u);
  EXPECT_EQ(update.problems[0].what, "the service is away");
  ASSERT_EQ(update.lines.size(), 1u);
  launcher->broken = false;
  logs->broken = true;
  update = f.poll({});
  EXPECT_EQ(update.problems[0].what, "the log is away");
  EXPECT_EQ(stateOf(update.run), RunState::Running);
}

TEST_F(RunFollowerTest, EndsAFewSecondsAfterTheLastLateLine) {
  RunFollower f = follower();
  EXPECT_FALSE(f.poll({}).ended);
  launcher->state = JobRunState::Succeeded;
  EXPECT_FALSE(f.poll({}).ended);
  clock->skip(kLateDataTimeout / 2);
  logs->next = {line("late")};
  EXPECT_FALSE(f.poll({}).ended);
  clock->skip(kLateDataTimeout * 3 / 4);
  EXPECT_FALSE(f.poll({}).ended);
  clock->skip(kLateDataTimeout);
  EXPECT_TRUE(f.poll({}).ended);
}

// Rank 0 writes the index and may end first: what others store after that is part of the run, too.
TEST_F(RunFollowerTest, ReadsWhatTheIndexDoesNotNameOnceTheRunIsOver) {
  const auto store = std::make_shared<MemoryObjectStore>();
  const auto record = [&](int rank, Step step) {
    MetricWriter writer(store, "m", Rank(rank), 2);
    writer.record(step, clock->now(), {{"loss", 1.0}});
    ASSERT_TRUE(writer.flush(5s));
  };
  record(0, 1);
  record(1, 1);
  ASSERT_TRUE(store->put("m/index.json", toText({1, {1, 1}}), {}));
  RunFollower f(run, launcher, nullptr, std::make_unique<MetricReader>(store, "m"), clock);
  std::size_t samples = 0;
  const auto look = [&] {
    const RunUpdate update = f.poll({});
    for (const auto& batch : update.metrics) samples += batch.points.size();
    return update;
  };
  EXPECT_FALSE(look().ended);
  EXPECT_EQ(samples, 2u);
  record(1, 2);
  EXPECT_FALSE(look().ended);
  EXPECT_EQ(samples, 2u) << "while it runs, the index is believed";
  launcher->state = JobRunState::Succeeded;
  for (bool ended = false; !ended; clock->skip(kLateDataTimeout)) ended = look().ended;
  EXPECT_EQ(samples, 3u);
}

// The page of a run of last week must not say for seconds that it still loads.
TEST_F(RunFollowerTest, OneThatWasOverLongAgoEndsWithItsLastLine) {
  launcher->state = JobRunState::Succeeded;
  for (NodeRun& node : run.nodes) node.state = JobRunState::Succeeded;
  run.finished = clock->now() - kLongOver;
  RunFollower f = follower();
  logs->next = {line("old")};
  EXPECT_FALSE(f.poll({}).ended);
  EXPECT_TRUE(f.poll({}).ended);
  run.finished = clock->now();
  EXPECT_FALSE(follower().poll({}).ended);
}

TEST_F(RunFollowerTest, ASourceThatStaysBrokenDoesNotKeepItForEver) {
  RunFollower f = follower();
  launcher->state = JobRunState::Failed;
  logs->broken = true;
  EXPECT_FALSE(f.poll({}).ended);
  clock->skip(kLateDataTimeout * 2);
  EXPECT_FALSE(f.poll({}).ended);
  clock->skip(kLateDataLimit);
  EXPECT_TRUE(f.poll({}).ended);
}

// However long that takes: it is not late, it is long.
TEST_F(RunFollowerTest, ARunThatIsOverIsReadToItsEnd) {
  const auto store = std::make_shared<MemoryObjectStore>();
  constexpr std::uint64_t kSegments = 70;
  for (std::uint64_t sequence = 0; sequence < kSegments; ++sequence) {
    MetricSegment segment;
    segment.sequence = sequence;
    segment.append(static_cast<Step>(sequence), TimePoint(1s * sequence), {{"loss", 1.0}});
    store->set("m/" + segmentName(Rank(0), sequence), encodeSegment(segment));
  }
  store->failGet = [](const std::string&) -> std::optional<Error> {
    std::this_thread::sleep_for(100ms);  // a poll reads for three seconds: these take three
    return std::nullopt;
  };
  launcher->state = JobRunState::Succeeded;
  RunFollower f{run, launcher, nullptr, std::make_unique<MetricReader>(store, "m"), clock};
  std::size_t samples = 0;
  RunUpdate update;
  while (!update.ended) {
    update = f.poll({});
    for (const MetricSeriesBatch& batch : update.metrics) samples += batch.points.size();
    clock->skip(kLateDataLimit);  // as looks behind a slow link do
  }
  EXPECT_EQ(samples, kSegments);
  EXPECT_EQ(update.segmentsRead, kSegments);
}

TEST_F(RunFollowerTest, WhatIsTornIsTriedAgainAndCountedBeforeTheEnd) {
  const auto store = std::make_shared<MemoryObjectStore>();
  store->set("m/" + segmentName(Rank(0), 0), "torn");
  for (NodeRun& node : run.nodes) node.state = JobRunState::Succeeded;
  launcher->state = JobRunState::Succeeded;
  run.finished = clock->now() - kLongOver;
  RunFollower f{run, launcher, nullptr, std::make_unique<MetricReader>(store, "m"), clock};
  RunUpdate update;
  for (int looks = 0; looks < 10 && !update.ended; ++looks) update = f.poll({});
  EXPECT_TRUE(update.ended);
  EXPECT_EQ(update.unreadableSegments, 1);
}

// As one that has 200,000 lines to bring: nothing else waits for it, and nothing of it is lost.
TEST_F(RunFollowerTest, ASlowLogHoldsNothingElseUp) {
  const auto store = std::make_shared<MemoryObjectStore>();
  const auto put = [&](std::uint64_t sequence) {
    MetricSegment segment;
    segment.sequence = sequence;
    segment.append(static_cast<Step>(sequence), TimePoint(1s), {{"loss", 1.0}});
    store->set("m/" + segmentName(Rank(0), sequence), encodeSegment(segment));
  };
  logs->next = {line("at last")};
  logs->isHeld = true;
  RunFollower f{run, launcher, std::make_unique<ScriptedLogs>(logs),
                std::make_unique<MetricReader>(store, "m"), clock};
  for (std::uint64_t look = 0; look < 3; ++look) {
    put(look);
    const RunUpdate update = f.poll({});
    EXPECT_EQ(update.metrics.size(), 1u) << look;
    EXPECT_TRUE(update.lines.empty());
    EXPECT_TRUE(update.isWaiting && update.areLinesAwaited);
    EXPECT_FALSE(update.areSamplesAwaited);
    EXPECT_FALSE(update.isBehind()) << "who looks at it need not hurry";
  }
  launcher->state = JobRunState::Succeeded;
  for (int looks = 0; looks < 3; ++looks) {
    clock->skip(kLateDataLimit * 2);
    EXPECT_FALSE(f.poll({}).ended) << "its lines are still on their way";
  }
  logs->isHeld = false;
  std::vector<LogLine> lines;
  RunUpdate update;
  for (int looks = 0; looks < 1000 && !update.ended; ++looks) {
    update = f.poll({});
    lines.insert(lines.end(), update.lines.begin(), update.lines.end());
    clock->skip(kLateDataTimeout / 8);
    std::this_thread::sleep_for(1ms);
  }
  EXPECT_TRUE(update.ended);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0].text, "at last");
}

TEST_F(RunFollowerTest, NewLinesDoNotWaitForWhatIsSlower) {
  launcher->delay = 3s;
  logs->next = {line("now")};
  RunFollower f = follower();
  const auto begin = std::chrono::steady_clock::now();
  RunUpdate update = f.poll({});
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 2500ms);
  ASSERT_EQ(update.lines.size(), 1u);
  ASSERT_TRUE(update.nextLines) << "the state is still on its way";
  EXPECT_LT(*update.nextLines, 1s);
  for (int looks = 0; looks < 1000 && update.nextLines && update.isWaiting; ++looks) {
    std::this_thread::sleep_for(5ms);
    update = f.pollLines({});
  }
  EXPECT_FALSE(update.isWaiting) << "and comes before the next whole look";
}

TEST_F(RunFollowerTest, ASourceOfLinesThatAnswersAtOnceIsAskedBetweenTwoLooks) {
  RunFollower f = follower();
  RunUpdate update = f.poll({});
  EXPECT_TRUE(update.lines.empty());
  ASSERT_TRUE(update.nextLines);
  logs->next = {line("soon")};
  EXPECT_TRUE(f.pollLines({}).lines.empty()) << "not before it is time";
  clock->skip(*update.nextLines);
  update = f.pollLines({});
  ASSERT_EQ(update.lines.size(), 1u);
  EXPECT_EQ(update.lines[0].text, "soon");
  EXPECT_FALSE(update.ended);
  logs->delay = 15ms;
  clock->skip(1s);
  (void)f.poll({});
  clock->skip(kLinesInterval + 10ms);
  logs->next = {line("later")};
  EXPECT_TRUE(f.pollLines({}).lines.empty()) << "asking takes a tenth of its time at most";
  clock->skip(1s);
  EXPECT_EQ(f.pollLines({}).lines.size(), 1u);
  logs->delay = kQuickAnswer + 20ms;
  clock->skip(1s);
  EXPECT_FALSE(f.poll({}).nextLines) << "services count the calls";
}

TEST_F(RunFollowerTest, BetweenTwoLooksWhatCannotBeReadIsStillSaid) {
  launcher->broken = true;
  RunFollower f = follower();
  const RunUpdate update = f.poll({});
  ASSERT_EQ(update.problems.size(), 1u);
  clock->skip(1s);
  ASSERT_EQ(f.pollLines({}).problems.size(), 1u);
  launcher->broken = false;
  EXPECT_TRUE(f.poll({}).problems.empty());
  clock->skip(1s);
  EXPECT_TRUE(f.pollLines({}).problems.empty());
}

// Whichever of the two is still being asked anew in a look: that it answered since is enough.
TEST_F(RunFollowerTest, SourcesThatAreAlwaysSlowDoNotKeepItForEver) {
  launcher->state = JobRunState::Succeeded;
  launcher->delay = 600ms;
  logs->delay = 900ms;
  logs->next = {line("old")};
  for (NodeRun& node : run.nodes) node.state = JobRunState::Succeeded;
  run.finished = clock->now() - kLongOver;
  RunFollower f = follower();
  std::size_t lines = 0;
  RunUpdate update;
  for (int looks = 0; looks < 20 && !update.ended; ++looks) {
    update = f.poll({});
    lines += update.lines.size();
    clock->skip(1s);
    std::this_thread::sleep_for(100ms);
  }
  EXPECT_TRUE(update.ended);
  EXPECT_EQ(lines, 1u);
}

TEST_F(RunFollowerTest, ItsEndStopsASourceThatDoesNotAnswer) {
  logs->isHeld = true;
  {
    RunFollower f = follower();
    EXPECT_TRUE(f.poll({}).isWaiting);
  }
  EXPECT_TRUE(logs->wasStopped);
}

TEST_F(RunFollowerTest, HowMuchWasLoadedIsNotForgottenWhenTheStoreFails) {
  const auto store = std::make_shared<MemoryObjectStore>();
  MetricSegment segment;
  segment.append(0, TimePoint(1s), {{"loss", 1.0}});
  store->set("m/" + segmentName(Rank(0), 0), encodeSegment(segment));
  RunFollower f{run, launcher, nullptr, std::make_unique<MetricReader>(store, "m"), clock};
  EXPECT_EQ(f.poll({}).segmentsRead, 1u);
  store->set("m/" + segmentName(Rank(0), 1), "torn");
  store->failGet = [](const std::string&) { return Error{ErrorCode::Unavailable, "away", {}, {}, {}, {}}; };
  const RunUpdate update = f.poll({});
  ASSERT_EQ(update.problems.size(), 1u);
  EXPECT_EQ(update.segmentsRead, 1u);
}

TEST_F(RunFollowerTest, TheLagIsThatOfTheNewestDatum) {
  RunFollower f = follower();
  EXPECT_EQ(f.poll({}).dataLag.count(), 0);
  logs->next = {line("x")};
  f.poll({});
  clock->skip(std::chrono::seconds(7));
  EXPECT_GE(f.poll({}).dataLag, std::chrono::seconds(7));
}

TEST_F(RunFollowerTest, ACalendarThatIsSetNeitherEndsItNorAgesItsData) {
  RunFollower f = follower();
  logs->next = {line("x")};
  f.poll({});
  for (const auto set : {1h, -2h, 1h}) {
    clock->stepCalendar(set);
    EXPECT_LT(f.poll({}).dataLag, std::chrono::minutes(1));
  }
  launcher->state = JobRunState::Succeeded;
  EXPECT_FALSE(f.poll({}).ended);
  clock->stepCalendar(1h);
  EXPECT_FALSE(f.poll({}).ended) << "late lines are still waited for";
  clock->stepCalendar(-2h);
  f.poll({});
  clock->skip(kLateDataTimeout * 2);
  EXPECT_TRUE(f.poll({}).ended) << "and not for an hour";
}

TEST_F(RunFollowerTest, TellsWhatInTheMetricsIsNoneOfTheRun) {
  const auto store = std::make_shared<MemoryObjectStore>();
  store->set("m/rank-30000000/raw/0000000000.lsm", "x");
  RunFollower f{run,     launcher,
                nullptr, std::make_unique<MetricReader>(store, "m"),
                clock,   std::make_unique<HealthReader>(store, "job", clock)};
  RunUpdate update = f.poll({});
  ASSERT_TRUE(update.health);
  ASSERT_EQ(update.health->unreadable.size(), 1u);
  EXPECT_NE(update.health->unreadable[0].what.find("rank-30000000"), std::string::npos);
  EXPECT_FALSE(f.poll({}).health) << "once";
  store->set("job/lockstep/heartbeat.json",
             R"({"time":"2026-11-22T10:00:10Z","ranks":[{"rank":0,"activity":"data"}],"waitingFor":[]})");
  clock->skip(kHealthInterval);
  update = f.poll({});
  ASSERT_TRUE(update.health);
  EXPECT_TRUE(update.health->heartbeat);
  EXPECT_EQ(update.health->unreadable.size(), 1u) << "and it is not over because something else is new";
}

TEST_F(RunFollowerTest, BringsWhatRanksPublishAndSaysWhenItCannotBeRead) {
  const auto store = std::make_shared<MemoryObjectStore>();
  store->set("job/lockstep/heartbeat.json",
             R"({"time":"2026-11-22T10:00:10Z","ranks":[{"rank":0,"activity":"data"}],"waitingFor":[]})");
  RunFollower f{run, launcher, nullptr, nullptr, clock, std::make_unique<HealthReader>(store, "job", clock)};
  RunUpdate update = f.poll({});
  ASSERT_TRUE(update.health);
  EXPECT_EQ(update.health->heartbeat->ranks.at(0).phase, RankPhase::Data);
  EXPECT_FALSE(f.poll({}).health) << "nothing new";
  store->failGet = [](const std::string&) { return Error{ErrorCode::Unavailable, "away", {}, {}, {}, {}}; };
  clock->skip(kHealthInterval);
  update = f.poll({});
  ASSERT_EQ(update.problems.size(), 1u);
  EXPECT_EQ(update.problems[0].what, "away");
  EXPECT_EQ(stateOf(update.run), RunState::Running);
}
