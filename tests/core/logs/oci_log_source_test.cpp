// SPDX-License-Identifier: GPL-3.0-or-later
#include "logs/oci_log_source.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

namespace lockstep {
namespace {

using namespace std::chrono_literals;

class ManualClock final : public Clock {
 public:
  TimePoint time = TimePoint(1'767'225'600s);
  std::chrono::nanoseconds set{};  // by how much the calendar is wrong
  [[nodiscard]] TimePoint now() const override { return time + set; }
  [[nodiscard]] SteadyPoint steady() const override { return SteadyPoint(time.time_since_epoch()); }
  bool sleepFor(std::chrono::nanoseconds duration, const std::stop_token&) override {
    time += duration;
    return true;
  }
};

/// A log whose records become visible some time after they were written.
struct FakeLog {
  static constexpr std::ptrdiff_t kPage = 1000;
  struct Entry {
    oci::LogRecord record;
    TimePoint visibleAt{};
  };
  std::shared_ptr<ManualClock> clock = std::make_shared<ManualClock>();
  TimePoint begin = clock->time;
  std::vector<Entry> entries;
  bool away = false;
  int searches = 0;
  std::size_t returned = 0;
  std::chrono::nanoseconds longest{};

  void write(const std::string& id, const std::string& jobRun, const std::string& message,
             std::chrono::nanoseconds delay = 0s) {
    entries.push_back({{id, clock->time, "ocid1.datasciencejob.x/" + jobRun, message}, clock->time + delay});
  }
  OciLogSource::Search search() {
    return [this](const std::vector<std::string>& jobRuns, TimePoint from, TimePoint to, std::size_t most,
                  const std::stop_token&) -> Result<oci::LogRecords> {
      ++searches;
      longest = std::max(longest, std::chrono::nanoseconds(to - from));
      if (away) return failure(ErrorCode::Unavailable, "the log is away");
      std::vector<oci::LogRecord> found;
      for (const auto& [record, visibleAt] : entries) {
        const bool wanted =
            std::any_of(jobRuns.begin(), jobRuns.end(),
                        [&, &r = record](const std::string& id) { return r.source.ends_with(id); });
        if (wanted && visibleAt <= clock->time && record.time >= from && record.time <= to)
          found.push_back(record);
      }
      std::ranges::stable_sort(found, {}, &oci::LogRecord::time);
      oci::LogRecords some;
      if (found.size() > most && found[most].time > found.front().time) {
        some.rest = found[most].time;
        std::erase_if(found, [&some](const auto& record) { return record.time >= *some.rest; });
      }
      returned += found.size();
      some.records = std::move(found);
      return some;
    };
  }
  /// Of two when there are more than a page holds.
  OciLogSource::NewestSearch newest() {
    return [this](const std::vector<std::string>& jobRuns, TimePoint from, TimePoint to,
                  const std::stop_token& stop) -> Result<oci::LogRecords> {
      auto found = search()(jobRuns, from, to, entries.size(), stop);
      if (!found || found->records.size() <= kPage) return found;
      found->records.erase(found->records.begin(), found->records.end() - kPage);
      found->rest = found->records.front().time;
      return found;
    };
  }
  OciLogSource source() {
    return {search(),
            newest(),
            {{JobRunId("run.main"), "main", Rank(0)},
             {JobRunId("run.w0"), "worker_0", Rank(1)},
             {JobRunId("run.w1"), "worker_1", std::nullopt}},
            begin,
            clock};
  }
};

std::vector<std::string> texts(const Result<std::vector<LogLine>>& lines) {
  std::vector<std::string> all;
  if (!lines) return {describe(lines.error())};
  for (const auto& line : *lines) all.push_back(line.text);
  return all;
}
using Texts = std::vector<std::string>;

TEST(OciLogSource, LabelsLinesByNodeAndRank) {
  FakeLog log;
  auto source = log.source();
  log.write("1", "run.main", "epoch 1\n");
  log.write("2", "run.w0", "[node] started rank 1");
  log.write("3", "run.w1", "[rank 5] ERROR: lost");
  log.write("4", "run.w1", "unprefixed");
  const auto lines = source.poll({});
  ASSERT_TRUE(lines);
  ASSERT_EQ(lines->size(), 4U);
  EXPECT_EQ((*lines)[0].text, "epoch 1");
  EXPECT_EQ((*lines)[0].rank, Rank(0));
  EXPECT_EQ((*lines)[0].node, "main");
  EXPECT_EQ((*lines)[0].jobRun, JobRunId("run.main"));
  EXPECT_FALSE((*lines)[1].rank) << "the agent's own line";
  EXPECT_EQ((*lines)[1].node, "worker_0");
  EXPECT_EQ((*lines)[2].rank, Rank(5));
  EXPECT_EQ((*lines)[2].text, "ERROR: lost");
  EXPECT_EQ((*lines)[2].level, LogLevel::Error);
  EXPECT_FALSE((*lines)[3].rank);
  EXPECT_EQ(log.searches, 1) << "one search for all nodes";
}

TEST(OciLogSource, EachLineOnceHoweverOftenItIsShown) {
  FakeLog log;
  auto source = log.source();
  log.write("1", "run.main", "a");
  EXPECT_EQ(texts(source.poll({})), Texts{"a"});
  log.clock->time += 1s;
  log.write("2", "run.main", "b");
  log.entries.push_back(log.entries.front());  // the service repeats a record
  EXPECT_EQ(texts(source.poll({})), Texts{"b"});
  EXPECT_EQ(texts(source.poll({})), Texts{});
}

TEST(OciLogSource, TheSameTextTwiceIsTwoLines) {
  FakeLog log;
  auto source = log.source();
  log.write("1", "run.main", "same");
  log.write("2", "run.main", "same");
  EXPECT_EQ(texts(source.poll({})), (Texts{"same", "same"}));
}

TEST(OciLogSource, LateRecordsAreFoundAndSortedWithinAPoll) {
  FakeLog log;
  auto source = log.source();
  log.write("late", "run.w0", "late", 100s);
  log.clock->time += 10s;
  log.write("2", "run.main", "early");
  EXPECT_EQ(texts(source.poll({})), Texts{"early"});
  log.clock->time += 95s;
  log.write("3", "run.main", "new");
  EXPECT_EQ(texts(source.poll({})), (Texts{"late", "new"}));
}

TEST(OciLogSource, ASilentTimeDoesNotHideALateRecord) {
  FakeLog log;
  auto source = log.source();
  log.write("1", "run.main", "a");
  log.clock->time += 5s;
  log.write("2", "run.w0", "very late", 3000s);
  for (int i = 0; i < 400; ++i) {
    log.clock->time += 10s;
    if (i < 100) {
      const auto lines = source.poll({});
      ASSERT_TRUE(lines);
    }
  }
  EXPECT_EQ(texts(source.poll({})), Texts{"very late"});
}

TEST(OciLogSource, AFailedPollLosesNothing) {
  FakeLog log;
  auto source = log.source();
  log.write("1", "run.main", "a");
  log.away = true;
  EXPECT_FALSE(source.poll({}));
  log.clock->time += 600s;
  log.away = false;
  EXPECT_EQ(texts(source.poll({})), Texts{"a"});
}

TEST(OciLogSource, SeveralLinesInOneRecordAndCarriageReturns) {
  FakeLog log;
  auto source = log.source();
  log.write("1", "run.w1", "[rank 3] Traceback (most recent call last):\n  File x\r\nValueError: y\n");
  log.write("2", "run.main", " 10%|#\r 50%|#####\r100%|##########");
  log.write("3", "run.main", "bad \xFF byte");
  log.write("4", "run.main", "");
  const auto lines = source.poll({});
  EXPECT_EQ(texts(lines), (Texts{"Traceback (most recent call last):", "  File x", "ValueError: y",
                                 "100%|##########", "bad \xEF\xBF\xBD byte", ""}));
  std::set<std::string> ids;
  for (const auto& line : *lines) ids.insert(line.id);
  EXPECT_EQ(ids.size(), 6U);
  EXPECT_EQ((*lines)[2].rank, Rank(3));
}

TEST(OciLogSource, NodesThatComeLaterAreFollowed) {
  FakeLog log;
  OciLogSource source(log.search(), log.newest(), {{JobRunId("run.main"), "main", Rank(0)}}, log.clock->time,
                      log.clock);
  log.write("1", "run.main", "a");
  log.write("2", "run.w0", "b");
  EXPECT_EQ(texts(source.poll({})), Texts{"a"});
  log.clock->time += 500s;
  EXPECT_EQ(texts(source.poll({})), Texts{});
  source.setNodes({{JobRunId("run.main"), "main", Rank(0)}, {JobRunId("run.w0"), "worker_0", Rank(1)}});
  EXPECT_EQ(texts(source.poll({})), Texts{"b"});
}

TEST(OciLogSource, ACalendarThatIsSetHidesNoLine) {
  for (const auto set : {1h, -1h}) {
    FakeLog log;
    OciLogSource source = log.source();
    EXPECT_TRUE(texts(source.poll({})).empty());
    log.clock->set = set;
    log.clock->time += 1s;
    EXPECT_TRUE(texts(source.poll({})).empty());
    for (const auto pause : {5s, 300s, 1s}) {
      log.clock->time += pause;
      const std::string text = std::to_string(pause.count());
      log.write(text, "run.main", text);
      EXPECT_EQ(texts(source.poll({})), std::vector<std::string>{text}) << set.count();
    }
    log.clock->set = 0s;
    log.clock->time += 5s;
    log.write("last", "run.main", "last");
    EXPECT_EQ(texts(source.poll({})), std::vector<std::string>{"last"}) << set.count();
  }
}

TEST(OciLogSource, WithoutNodesNothingIsAsked) {
  FakeLog log;
  OciLogSource source(log.search(), log.newest(), {}, log.clock->time, log.clock);
  EXPECT_EQ(texts(source.poll({})), Texts{});
  EXPECT_EQ(log.searches, 0);
}

TEST(OciLogSource, ALongPastIsAskedForInPartsThatTheServiceTakes) {
  FakeLog log;
  auto source = log.source();
  log.write("1", "run.main", "old");
  log.clock->time += std::chrono::days(40);
  log.write("2", "run.main", "new");
  EXPECT_EQ(texts(source.poll({})), (Texts{"old", "new"}));
  EXPECT_LE(log.longest, std::chrono::days(14));
}

TEST(OciLogSource, ALongPastComesInPartsTheFirstOfThemSoon) {
  FakeLog log;
  auto source = log.source();
  constexpr int kRecords = 60'000;
  for (int i = 0; i < kRecords; ++i) {
    log.clock->time += 2ms;
    log.write(std::to_string(i), "run.main", std::to_string(i));
  }
  Texts all;
  std::size_t largest = 0;
  for (int polls = 0; all.empty() || source.isBehind(); ++polls) {
    ASSERT_LT(polls, 20);
    const Texts part = texts(source.poll({}));
    if (polls == 0) {
      EXPECT_LE(part.size(), 1000U);
    }
    if (polls == 1) {  // while the past is read, the run goes on; and a record of its beginning is late
      log.write("new", "run.w0", "new");
      log.entries.push_back({{"late", log.clock->time - 100s, "x/run.w1", "late"}, log.clock->time + 30s});
    }
    largest = std::max(largest, part.size());
    all.insert(all.end(), part.begin(), part.end());
  }
  EXPECT_LE(largest, 16'000U);
  ASSERT_EQ(all.size(), kRecords + 1U);
  for (int i = 0; i < kRecords; ++i) ASSERT_EQ(all[static_cast<std::size_t>(i)], std::to_string(i));
  EXPECT_EQ(all.back(), "new");
  Texts rest;
  for (int polls = 0; polls < 12; ++polls) {
    log.clock->time += 10s;
    for (const std::string& text : texts(source.poll({}))) rest.push_back(text);
  }
  EXPECT_EQ(rest, Texts{"late"});
}

TEST(OciLogSource, TheNewestLinesComeBeforeALongPast) {
  FakeLog log;
  auto source = log.source();
  source.startWithNewest({});
  constexpr int kRecords = 30'000;
  for (int i = 0; i < kRecords; ++i) {
    log.clock->time += 2ms;
    log.write(std::to_string(i), "run.main", std::to_string(i));
  }
  const Texts first = texts(source.poll({}));
  ASSERT_EQ(first.size(), static_cast<std::size_t>(FakeLog::kPage));
  EXPECT_EQ(first.back(), std::to_string(kRecords - 1));
  EXPECT_TRUE(source.isBehind());
  EXPECT_FALSE(source.wholeUntil());
  Texts past;
  for (int polls = 0; source.isBehind(); ++polls) {
    ASSERT_LT(polls, 20);
    const Texts part = texts(source.poll({}));
    past.insert(past.end(), part.begin(), part.end());
  }
  ASSERT_EQ(past.size(), kRecords - first.size()) << "the newest come once";
  for (std::size_t i = 0; i < past.size(); ++i) ASSERT_EQ(past[i], std::to_string(i));
  EXPECT_TRUE(source.wholeUntil());
}

TEST(OciLogSource, AShortLogIsReadWithOneSearch) {
  FakeLog log;
  auto source = log.source();
  source.startWithNewest({});
  log.write("1", "run.main", "a");
  EXPECT_EQ(texts(source.poll({})), Texts{"a"});
  EXPECT_FALSE(source.isBehind());
  EXPECT_EQ(log.searches, 1);
}

TEST(OciLogSource, TheNewestLinesOfARunThatEndedLongAgo) {
  FakeLog log;
  auto source = log.source();
  source.startWithNewest({});
  log.write("1", "run.main", "old");
  log.clock->time += std::chrono::days(20);
  log.write("2", "run.main", "last");
  log.clock->time += std::chrono::days(40);
  EXPECT_EQ(texts(source.poll({})), Texts{"last"});
  EXPECT_TRUE(source.isBehind());
  EXPECT_EQ(texts(source.poll({})), Texts{"old"});
  EXPECT_FALSE(source.isBehind());
  EXPECT_LE(log.longest, std::chrono::days(14));
}

TEST(OciLogSource, WhatIsKeptAsAWholeIsNotReadAgain) {
  FakeLog log;
  auto source = log.source();
  for (int i = 0; i < 100; ++i) {
    log.clock->time += 60s;
    log.write(std::to_string(i), "run.main", std::to_string(i));
    ASSERT_TRUE(source.poll({}));
  }
  const auto until = source.wholeUntil();
  ASSERT_TRUE(until);
  const auto linesOf = [&](std::vector<std::string> nodes) {
    auto next = log.source();
    next.startWithNewest(KeptLines{*until, std::move(nodes)});
    return texts(next.poll({}));
  };
  const Texts rest = linesOf({"main", "worker_0", "worker_1"});
  EXPECT_LT(rest.size(), 50U);
  EXPECT_EQ(rest.back(), "99");
  EXPECT_EQ(linesOf({"main"}).size(), 100U) << "of the others nothing is kept";
}

TEST(OciLogSource, ABusyLogIsNotReadAgainAndAgain) {
  FakeLog log;
  auto source = log.source();
  std::size_t lines = 0;
  for (int second = 0; second < 120; ++second) {
    log.clock->time += 1s;
    for (int i = 0; i < 100; ++i)
      log.write(std::to_string(second) + "/" + std::to_string(i), "run.main", "x");
    const auto polled = source.poll({});
    ASSERT_TRUE(polled);
    lines += polled->size();
  }
  EXPECT_EQ(lines, 12'000U);
  EXPECT_LT(log.returned, 12'000U * 40) << "each record is asked for some tens of times, not 120";
}

TEST(OciLogSource, ExactlyOnceUnderLateReorderedAndFailing) {
  FakeLog log;
  auto source = log.source();
  std::mt19937 random(9);
  std::map<std::string, int> seen;
  int written = 0;
  const auto poll = [&] {
    const auto lines = source.poll({});
    if (!lines) return;
    ASSERT_TRUE(
        std::is_sorted(lines->begin(), lines->end(), [](auto& a, auto& b) { return a.time < b.time; }));
    for (const auto& line : *lines) ++seen[line.id];
  };
  for (int second = 0; second < 600; ++second) {
    log.clock->time += std::chrono::milliseconds(random() % 2000);
    for (auto n = random() % 40; n > 0; --n)
      log.write("id" + std::to_string(written++), random() % 2 ? "run.main" : "run.w0", "x",
                std::chrono::seconds(random() % 150));
    std::shuffle(log.entries.end() - std::min<std::ptrdiff_t>(30, std::ssize(log.entries)), log.entries.end(),
                 random);
    log.away = random() % 5 == 0;
    poll();
  }
  log.away = false;
  for (int i = 0; i < 20; ++i) {
    log.clock->time += 10s;
    poll();
  }
  EXPECT_EQ(static_cast<int>(seen.size()), written);
  for (const auto& [id, count] : seen) EXPECT_EQ(count, 1) << id;
}

}  // namespace
}  // namespace lockstep
