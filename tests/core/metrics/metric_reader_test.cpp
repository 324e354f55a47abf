// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/metric_reader.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <thread>

#include "memory_object_store.h"
#include "metrics/metric_store.h"
#include "metrics/metric_writer.h"

namespace lockstep {
namespace {

const Error kAway{ErrorCode::Unavailable, "the store is away", "test", {}, {}, {}};

TimePoint at(long long nanos) {
  return TimePoint(std::chrono::nanoseconds(nanos));
}

MetricSegment oneRow(int rank, std::uint64_t sequence) {
  MetricSegment s;
  s.rank = Rank(rank);
  s.sequence = sequence;
  s.append(static_cast<Step>(sequence), at(static_cast<long long>(sequence) * 1000),
           {{"loss", static_cast<double>(sequence)}});
  return s;
}

struct ReaderTest : ::testing::Test {
  std::shared_ptr<MemoryObjectStore> store = std::make_shared<MemoryObjectStore>();
  MetricReader reader{store, "m/"};

  void put(int rank, std::uint64_t sequence) {
    store->set("m/" + segmentName(Rank(rank), sequence), encodeSegment(oneRow(rank, sequence)));
  }
  /// Reads of segments; where there is no index, it is asked for now and then.
  int reads = 0;
  void SetUp() override {
    store->failGet = [this](const std::string& name) {
      reads += name.ends_with(".lsm") ? 1 : 0;
      return std::nullopt;
    };
  }
  MetricReader::Update poll() {
    auto update = reader.poll({});
    EXPECT_TRUE(update) << (update ? "" : describe(update.error()));
    return update ? *update : MetricReader::Update{};
  }
  /// Steps of the loss of a rank in an update.
  static std::vector<Step> steps(const MetricReader::Update& update, int rank) {
    std::vector<Step> result;
    for (const auto& batch : update.batches)
      if (batch.rank == Rank(rank))
        for (const auto& point : batch.points) result.push_back(point.step);
    return result;
  }
};

using Steps = std::vector<Step>;

TEST_F(ReaderTest, AnEmptyFolderIsNoFailure) {
  EXPECT_TRUE(poll().batches.empty());
  EXPECT_TRUE(poll().batches.empty());
}

TEST_F(ReaderTest, ReadsEachSegmentOnce) {
  put(0, 0);
  put(1, 0);
  auto update = poll();
  EXPECT_EQ(steps(update, 0), Steps{0});
  EXPECT_EQ(steps(update, 1), Steps{0});
  EXPECT_TRUE(poll().batches.empty());
  put(0, 1);
  put(0, 2);
  EXPECT_EQ(steps(poll(), 0), (Steps{1, 2}));
  EXPECT_TRUE(poll().batches.empty());
  EXPECT_EQ(reads, 4);
}

TEST_F(ReaderTest, FindsRanksThatComeLaterAboveAndInBetween) {
  put(2, 0);
  EXPECT_EQ(steps(poll(), 2), Steps{0});
  put(7, 0);
  put(0, 0);
  auto update = poll();
  EXPECT_EQ(steps(update, 7), Steps{0});
  EXPECT_EQ(steps(update, 0), Steps{0});
}

TEST_F(ReaderTest, FindsASegmentThatComesLate) {
  for (const std::uint64_t n : {0, 1, 3, 4, 5}) put(0, n);
  EXPECT_EQ(steps(poll(), 0), (Steps{0, 1, 3, 4, 5}));
  put(0, 2);
  EXPECT_EQ(steps(poll(), 0), Steps{2});
  EXPECT_TRUE(poll().batches.empty());
}

TEST_F(ReaderTest, ATornSegmentIsTriedAgain) {
  put(0, 0);
  const std::string whole = encodeSegment(oneRow(0, 1));
  store->set("m/" + segmentName(Rank(0), 1), whole.substr(0, whole.size() / 2));
  put(0, 2);
  EXPECT_EQ(steps(poll(), 0), (Steps{0, 2}));
  store->set("m/" + segmentName(Rank(0), 1), whole);
  auto update = poll();
  EXPECT_EQ(steps(update, 0), Steps{1});
  EXPECT_EQ(update.unreadableSegments, 0);
}

TEST_F(ReaderTest, WhatStaysUnreadableIsCountedAndLeftAlone) {
  store->set("m/" + segmentName(Rank(0), 0), "garbage");
  store->set("m/" + segmentName(Rank(0), 1), encodeSegment(oneRow(0, 9)));  // not what its name says
  put(0, 2);
  EXPECT_EQ(steps(poll(), 0), Steps{2});
  int unreadable = 0;
  for (int i = 0; i < 10; ++i) unreadable = poll().unreadableSegments;
  EXPECT_EQ(unreadable, 2);
  const int before = reads;
  poll();
  EXPECT_EQ(reads, before);
}

TEST_F(ReaderTest, ForeignObjectsAreLeftAlone) {
  store->set("m/rank-00000/raw/notes.txt", "x");
  store->set("m/readme", "x");
  put(0, 0);
  EXPECT_EQ(steps(poll(), 0), Steps{0});
  EXPECT_EQ(reads, 1);
}

TEST_F(ReaderTest, AFailingStoreIsSaidAndNothingIsLost) {
  put(0, 0);
  put(0, 1);
  store->failGet = [](const std::string&) { return std::optional(kAway); };
  auto update = reader.poll({});
  ASSERT_FALSE(update);
  EXPECT_EQ(update.error().what, "the store is away");
  store->failGet = [](const std::string& name) {
    return name.find("0001.lsm") != std::string::npos ? std::optional(kAway) : std::nullopt;
  };
  EXPECT_EQ(steps(poll(), 0), Steps{0}) << "what could be read is given";
  EXPECT_FALSE(reader.poll({})) << "and the failure is said when there is nothing else";
  store->failGet = nullptr;
  EXPECT_EQ(steps(poll(), 0), Steps{1});
}

TEST_F(ReaderTest, ExactlyOnceUnderTornLateAndFailing) {
  std::mt19937 random(3);
  std::vector<std::uint64_t> order(200);
  std::iota(order.begin(), order.end(), 0);
  for (auto part = order.begin(); part != order.end(); part += 25) std::shuffle(part, part + 25, random);
  Steps seen;
  std::vector<std::uint64_t> torn;
  std::size_t next = 0;
  const auto take = [&] {
    if (auto update = reader.poll({}))
      for (const Step step : steps(*update, 0)) seen.push_back(step);
  };
  while (next < order.size()) {
    for (const auto n : torn) put(0, n);  // torn ones become whole
    torn.clear();
    for (auto count = random() % 8; count > 0 && next < order.size(); --count) {
      const auto n = order[next++];
      put(0, n);
      if (random() % 5 != 0) continue;
      store->set("m/" + segmentName(Rank(0), n), encodeSegment(oneRow(0, n)).substr(0, 20));
      torn.push_back(n);
    }
    const bool away = random() % 4 == 0;
    store->failGet = [&, away](const std::string&) {
      return away && random() % 2 == 0 ? std::optional(kAway) : std::nullopt;
    };
    take();
  }
  store->failGet = nullptr;
  for (const auto n : torn) put(0, n);
  for (int i = 0; i < 3; ++i) take();
  std::sort(seen.begin(), seen.end());
  Steps all(200);
  std::iota(all.begin(), all.end(), 0);
  EXPECT_EQ(seen, all);
}

// What runs of format version 1 have left: a summary of samples of every 16 segments.
TEST_F(ReaderTest, ALongPastIsShownFromItsOldSummariesAndThenWhole) {
  MetricSegment summary;
  summary.level = SegmentLevel::Summary;
  for (std::uint64_t n = 0; n < 100; ++n) {
    MetricSegment raw;
    raw.sequence = n;
    for (int i = 0; i < 50; ++i)
      raw.append(static_cast<Step>(n) * 50 + i, at(i), {{"loss", i == 7 ? 100.0 : 1.0}});
    store->set("m/" + segmentName(Rank(0), n), encodeSegment(raw));
    summary.append(raw.rows[7].step, raw.rows[7].time, {{"loss", 100.0}});
    if (n % 16 != 15) continue;
    store->set("m/" + segmentName(Rank(0), summary.sequence, SegmentLevel::Summary), encodeSegment(summary));
    summary.rows.clear();
    summary.columns.clear();
    ++summary.sequence;
  }
  std::vector<std::string> order;
  store->failGet = [&order](const std::string& name) {
    order.push_back(name);
    return std::nullopt;
  };
  MetricStore samples;
  for (const auto& batch : poll().batches) samples.add(batch);
  ASSERT_GT(order.size(), 10U);
  for (std::size_t i = 0; i < 6; ++i) EXPECT_NE(order[i].find("/sum/"), std::string::npos) << order[i];
  EXPECT_NE(order[6].find("raw/0000000096"), std::string::npos)
      << "then what no summary covers: " << order[6];
  EXPECT_EQ(samples.sampleCount(), 5000U) << "summaries double nothing";
  EXPECT_TRUE(poll().batches.empty());
}

TEST_F(ReaderTest, AMissingOrTornSummaryDoesNoHarm) {
  for (std::uint64_t n = 0; n < 80; ++n) put(0, n);
  store->set("m/" + segmentName(Rank(0), 0, SegmentLevel::Summary), "garbage");
  EXPECT_EQ(steps(poll(), 0).size(), 80U);
}

TEST_F(ReaderTest, ReadsWhatTheWriterWrites) {
  {
    MetricWriter writer(store, "m", Rank(1), 2);
    for (Step i = 0; i < 500; ++i) writer.record(i, at(i), {{"loss", std::sqrt(static_cast<double>(i))}});
  }
  const auto update = poll();
  ASSERT_EQ(update.batches.size(), 1U);
  EXPECT_EQ(update.batches[0].name, "loss");
  ASSERT_EQ(update.batches[0].points.size(), 500U);
  EXPECT_EQ(update.batches[0].points[99].value, std::sqrt(99.0));
}

TEST_F(ReaderTest, ManyRanksTakeTurns) {
  for (int rank = 0; rank < 100; ++rank) put(rank, 0);
  EXPECT_EQ(poll().batches.size(), 100U);
  for (int rank = 0; rank < 100; ++rank) put(rank, 1);
  const int before = store->lists;
  std::size_t seen = poll().batches.size();
  EXPECT_LE(store->lists - before, 40);
  for (int i = 0; i < 4; ++i) seen += poll().batches.size();
  EXPECT_EQ(seen, 100U);
}

// Names and numbers that anybody who may write the work dir can put there.
struct HostileReaderTest : ReaderTest {
  MetricReader described{store, "m/", "run.json"};
  static constexpr std::array kStrangers{
      "rank-00004/raw/0000000000.lsm", "rank-2000000000/raw/0000000000.lsm",
      "rank-2147483647/raw/0000000000.lsm", "rank-99999999999/raw/0000000000.lsm"};

  void putStrangers() {
    for (const char* name : kStrangers) store->set(std::string("m/") + name, encodeSegment(oneRow(4, 0)));
  }
  void putRun(const std::string& worldSize) {
    store->set("run.json", R"({"framework":"PYTORCH","worldSize":)" + worldSize + "}");
    for (int rank = 0; rank < 4; ++rank) put(rank, 0);
  }
};

TEST_F(HostileReaderTest, ARankBeyondTheWorldIsNoneAndToldOnce) {
  putRun("4");
  putStrangers();
  const auto begin = std::chrono::steady_clock::now();
  auto update = described.poll({});
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(update);
    ASSERT_EQ(update->findings.size(), 1U);
    EXPECT_EQ(update->findings[0].what,
              "the metrics hold 'rank-00004/raw/0000000000.lsm', of a rank that the run does not have");
    EXPECT_EQ(update->findings[0].cause, "the run has 4 ranks");
    EXPECT_EQ(update->batches.size(), i == 0 ? 4U : 0U);
    update = described.poll({});
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(2));
}

TEST_F(HostileReaderTest, WithoutAWorldSizeThatIsOneEveryRankOfAClusterCounts) {
  for (const char* worldSize : {"-1", "0", "1e9", "99999999999999999999", "\"4\"", "null"}) {
    putRun(worldSize);
    put(60'000, 0);
    store->set("m/rank-65536/raw/0000000000.lsm", "x");
    MetricReader fresh(store, "m/", "run.json");
    const auto update = fresh.poll({});
    ASSERT_TRUE(update);
    EXPECT_EQ(update->batches.size(), 5U) << worldSize;
    ASSERT_EQ(update->findings.size(), 1U) << worldSize;
    EXPECT_EQ(update->findings[0].cause, "no run has more than 65536 ranks");
  }
}

TEST_F(HostileReaderTest, AWorldThatGrewIsSeen) {
  putRun("2");
  EXPECT_EQ(described.poll({})->batches.size(), 2U);
  putRun("4");
  std::size_t seen = 0;
  for (int i = 0; i < 4; ++i) seen += described.poll({})->batches.size();
  EXPECT_EQ(seen, 2U);
}

TEST_F(HostileReaderTest, ANameAloneMovesNothing) {
  put(0, 0);
  EXPECT_EQ(steps(poll(), 0), Steps{0});
  store->set("m/rank-00000/raw/281474976710656.lsm", "garbage");
  store->set("m/rank-00000/raw/9223372036854775807.lsm", "garbage");
  store->set("m/rank-0/raw/0000000001.lsm", "a second name of a segment");
  for (int i = 0; i < 8; ++i) poll();
  put(0, 1);
  EXPECT_EQ(steps(poll(), 0), Steps{1}) << "what comes next is still looked for";
  EXPECT_EQ(poll().unreadableSegments, 1);
}

TEST_F(HostileReaderTest, WhatIsTooLargeForASegmentIsNotFetched) {
  put(0, 0);
  store->set("m/" + segmentName(Rank(0), 1), std::string(kMaxSegmentBytes + 1, 'x'));
  const auto update = poll();
  EXPECT_EQ(steps(update, 0), Steps{0});
  ASSERT_EQ(update.findings.size(), 1U);
  EXPECT_NE(update.findings[0].what.find("too large"), std::string::npos);
  EXPECT_EQ(reads, 1);
  EXPECT_FALSE(decodeSegment(std::string(kMaxSegmentBytes + 1, 'x')));
}

TEST_F(HostileReaderTest, SamplesBeyondEveryBoundAreLeftOut) {
  MetricSegment segment;
  segment.append(1, at(1), {{"loss", 1}});
  segment.append(std::numeric_limits<Step>::max(), at(2), {{"loss", 2}});
  segment.append(std::numeric_limits<Step>::min(), at(3), {{"loss", 3}});
  segment.append(4, TimePoint::max(), {{"loss", 4}});
  segment.append(5, TimePoint::min(), {{"loss", 5}});
  store->set("m/" + segmentName(Rank(0), 0), encodeSegment(segment));
  const auto update = poll();
  EXPECT_EQ(steps(update, 0), Steps{1});
  EXPECT_EQ(update.findings.size(), 1U);
}

TEST_F(HostileReaderTest, MoreQuantitiesThanAnybodyLooksAtAreLeftOut) {
  for (std::uint64_t n = 0; n < 5; ++n) {
    MetricSegment segment = oneRow(0, n);
    for (int i = 0; i < 4000; ++i) {
      const std::string name = "x" + std::to_string(n * 4000 + static_cast<std::uint64_t>(i));
      segment.columns.push_back({name, {1.0}});
    }
    store->set("m/" + segmentName(Rank(0), n), encodeSegment(segment));
  }
  const auto update = poll();
  EXPECT_EQ(update.batches.size(), 16'384U);
  EXPECT_EQ(steps(update, 0).size(), 16'388U) << "the loss, which was there first, goes on";
  EXPECT_EQ(update.findings.size(), 1U);
}

TEST_F(HostileReaderTest, TenThousandQuantitiesAreAllThere) {
  MetricSegment segment = oneRow(0, 0);
  for (int i = 0; i < 10'000; ++i)
    segment.columns.push_back({"layer." + std::to_string(i) + ".norm", {1.0 * i}});
  store->set("m/" + segmentName(Rank(0), 0), encodeSegment(segment));
  const auto update = poll();
  EXPECT_EQ(update.batches.size(), 10'001U);
  EXPECT_TRUE(update.findings.empty());
}

TEST_F(HostileReaderTest, AStopIsAnsweredAtOnceWithManyRanksAndHostileNames) {
  for (int rank = 0; rank < 64; ++rank)
    for (std::uint64_t n = 0; n < 200; ++n) put(rank, n);
  for (int i = 0; i < 20'000; ++i)
    store->set(fmt::format("m/rank-{:05}/raw/{:010}.lsm", 1'000'000'000 + i, i), "x");
  store->set("m/rank-65535/raw/0000000000.lsm", "x");
  putStrangers();
  const auto timeToStop = [this] {
    MetricReader own(store, "m/");
    std::chrono::steady_clock::time_point ended;
    std::jthread follower([&](const std::stop_token& stop) {
      while (!stop.stop_requested()) (void)own.poll(stop);
      ended = std::chrono::steady_clock::now();
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(150));
    const auto asked = std::chrono::steady_clock::now();
    follower.request_stop();
    follower.join();
    return ended - asked;
  };
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
  constexpr std::chrono::milliseconds kAtOnce(1000);  // everything takes ten times as long
#else
  constexpr std::chrono::milliseconds kAtOnce(100);
#endif
  // A machine that is busy elsewhere may hold either thread up for longer: then it is asked again.
  auto soonest = timeToStop();
  for (int attempt = 1; attempt < 8 && soonest >= kAtOnce; ++attempt)
    soonest = std::min(soonest, timeToStop());
  EXPECT_LT(soonest, kAtOnce);
}

}  // namespace
}  // namespace lockstep
