// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/read_to_end.h"

#include <gtest/gtest.h>

#include <thread>

#include "base/digest.h"
#include "memory_object_store.h"
#include "metrics/metric_store.h"

namespace lockstep {
namespace {

using namespace std::chrono_literals;

constexpr int kRanks = 4,
              kSegments = 100;  // of each: so many that summaries, if there were any, would come first

MetricSegment oneRow(int rank, std::uint64_t sequence) {
  MetricSegment segment;
  segment.rank = Rank(rank);
  segment.sequence = sequence;
  segment.append(static_cast<Step>(sequence), TimePoint(1s * sequence), {{"loss", 1.0}});
  return segment;
}

struct ReadToEndTest : testing::Test {
  std::shared_ptr<MemoryObjectStore> store = std::make_shared<MemoryObjectStore>();
  MetricReader reader{store, "m/"};
  MetricStore metrics;
  std::vector<MetricReader::Update> polls;

  static std::string nameOf(int rank, std::uint64_t sequence) {
    return "m/" + segmentName(Rank(rank), sequence);
  }
  void put(int rank, std::uint64_t sequence) {
    store->set(nameOf(rank, sequence), encodeSegment(oneRow(rank, sequence)));
  }
  void putAll() {
    for (int rank = 0; rank < kRanks; ++rank)
      for (int sequence = 0; sequence < kSegments; ++sequence)
        put(rank, static_cast<std::uint64_t>(sequence));
  }
  ReadToEnd read() {
    return readToEnd(reader,
                     [this](const MetricReader::Update& update) {
                       polls.push_back(update);
                       for (const MetricSeriesBatch& batch : update.batches) metrics.add(batch);
                     },
                     {});
  }
};

TEST_F(ReadToEndTest, NothingIsReadAtOnce) {
  const ReadToEnd end = read();
  EXPECT_FALSE(end.problem);
  EXPECT_EQ(end.segmentsKnown, 0u);
  EXPECT_EQ(polls.size(), 1u);
}

// One poll reads for three seconds: behind a link of 10 ms that is less than this run.
TEST_F(ReadToEndTest, ReadsWhatOnePollHasNoTimeFor) {
  putAll();
  store->failGet = [](const std::string&) -> std::optional<Error> {
    std::this_thread::sleep_for(10ms);
    return std::nullopt;
  };
  const ReadToEnd end = read();
  EXPECT_FALSE(end.problem);
  ASSERT_GT(polls.size(), 1u);
  EXPECT_TRUE(polls.front().isBehind);
  EXPECT_LT(polls.front().segmentsRead, polls.front().segmentsKnown);
  EXPECT_EQ(end.segmentsRead, std::uint64_t{kRanks * kSegments});
  EXPECT_EQ(end.segmentsRead, end.segmentsKnown);
  EXPECT_EQ(metrics.sampleCount(), std::size_t{kRanks * kSegments});
}

// What was read before the store failed is given out first, and the run is not whole for it.
TEST_F(ReadToEndTest, AStoreThatFailsHalfwayIsTheProblem) {
  putAll();
  int gets = 0;
  store->failGet = [&gets](const std::string& name) -> std::optional<Error> {
    if (!name.ends_with(".lsm") || ++gets <= 10) return std::nullopt;
    return Error{ErrorCode::Unavailable, "the store is away", "test", {}, {}, {}};
  };
  const ReadToEnd end = read();
  ASSERT_TRUE(end.problem);
  EXPECT_EQ(end.problem->what, "the store is away");
  EXPECT_TRUE(polls.front().isBehind);
  EXPECT_EQ(end.segmentsRead, 10u);
  EXPECT_EQ(metrics.sampleCount(), 10u);
}

TEST_F(ReadToEndTest, WhatIsTornOfANewerVersionOrVanishesIsCountedAndNamed) {
  for (int sequence = 0; sequence < 5; ++sequence) put(0, static_cast<std::uint64_t>(sequence));
  std::string newer = encodeSegment(oneRow(0, 1));
  newer[4] = 3;
  const std::uint32_t sum = crc32c(std::string_view(newer).substr(0, newer.size() - 4));
  for (int byte = 0; byte < 4; ++byte) newer[newer.size() - 4 + byte] = static_cast<char>(sum >> 8 * byte);
  store->set(nameOf(0, 1), newer);
  store->set(nameOf(0, 2), "torn");
  store->failGet = [name = nameOf(0, 3)](const std::string& asked) -> std::optional<Error> {
    if (asked != name) return std::nullopt;
    return Error{ErrorCode::NotFound, "no object", "somebody removed it", {}, {}, {}};
  };
  const ReadToEnd end = read();
  EXPECT_FALSE(end.problem);
  EXPECT_EQ(end.unreadableSegments, 3);
  EXPECT_EQ(end.segmentsRead, end.segmentsKnown);
  EXPECT_EQ(metrics.sampleCount(), 2u);
  ASSERT_TRUE(end.unreadable);
  EXPECT_NE(end.unreadable->what.find("rank-00000/raw/0000000001.lsm"), std::string::npos)
      << end.unreadable->what;
  EXPECT_NE(describe(*end.unreadable).find("version 3"), std::string::npos) << describe(*end.unreadable);
}

TEST_F(ReadToEndTest, AStopIsAnswered) {
  putAll();
  std::stop_source stop;
  stop.request_stop();
  const ReadToEnd end = readToEnd(
      reader, [](const MetricReader::Update&) {}, stop.get_token());
  ASSERT_TRUE(end.problem);
  EXPECT_EQ(end.problem->code, ErrorCode::Cancelled);
}

}  // namespace
}  // namespace lockstep
