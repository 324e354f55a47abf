// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/metric_writer.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numeric>

#include "memory_object_store.h"
#include "metrics/row_backlog.h"
#include "metrics/segments/metric_segment.h"
#include "metrics/segments/segment_summary.h"

namespace lockstep {
namespace {

using namespace std::chrono_literals;

const Error kRefused{ErrorCode::Unavailable, "the store is away", "test", {}, {}, {}};

TimePoint at(long long nanos) {
  return TimePoint(std::chrono::nanoseconds(nanos));
}

/// All steps in the raw segments of a store, in the order of the segments.
std::vector<Step> stepsIn(const MemoryObjectStore& store) {
  std::vector<Step> steps;
  for (const auto& [name, bytes] : store.objects()) {
    if (name.find("/raw/") == std::string::npos) continue;
    const auto segment = decodeSegment(bytes);
    EXPECT_TRUE(segment) << name;
    if (segment)
      for (const auto& row : segment->rows) steps.push_back(row.step);
  }
  return steps;
}

std::vector<Step> upTo(Step count) {
  std::vector<Step> steps(static_cast<std::size_t>(count));
  std::iota(steps.begin(), steps.end(), 0);
  return steps;
}

TEST(MetricWriter, StoresWhatWasRecorded) {
  auto store = std::make_shared<MemoryObjectStore>();
  MetricWriter writer(store, "job/lockstep/metrics/", Rank(2), 3);
  for (Step i = 0; i < 1000; ++i) writer.record(i, at(i), {{"loss", 1.0 / (1.0 + i)}, {"step_ms", 3.0}});
  ASSERT_TRUE(writer.flush(60s));
  EXPECT_EQ(stepsIn(*store), upTo(1000));
  EXPECT_EQ(store->objects().begin()->first, "job/lockstep/metrics/rank-00002/raw/0000000000.lsm");
  EXPECT_FALSE(writer.lastFailure());
}

TEST(MetricWriter, PushesByItself) {
  auto store = std::make_shared<MemoryObjectStore>();
  MetricWriter writer(store, "m", Rank(0), 1);
  writer.record(0, at(0), {{"loss", 1.0}});
  for (int i = 0; i < 6000 && store->objects().empty(); ++i) std::this_thread::sleep_for(10ms);
  EXPECT_EQ(stepsIn(*store), upTo(1));
}

TEST(MetricWriter, GoesOnAfterTheSegmentsThatAreThere) {
  auto store = std::make_shared<MemoryObjectStore>();
  {
    MetricWriter first(store, "m/", Rank(0), 1);
    first.record(0, at(0), {{"loss", 1.0}});
    ASSERT_TRUE(first.flush(60s));
    first.record(1, at(1), {{"loss", 1.0}});
    ASSERT_TRUE(first.flush(60s));
  }
  MetricWriter second(store, "m/", Rank(0), 1);
  second.record(2, at(2), {{"loss", 1.0}});
  ASSERT_TRUE(second.flush(60s));
  EXPECT_EQ(stepsIn(*store), upTo(3));
  EXPECT_EQ(store->objects().size(), 3U);
  EXPECT_EQ(store->rewrites, 0);
}

TEST(MetricWriter, TheDestructorStoresTheRest) {
  auto store = std::make_shared<MemoryObjectStore>();
  {
    MetricWriter writer(store, "m", Rank(0), 1);
    writer.record(0, at(0), {{"loss", 1.0}});
  }
  EXPECT_EQ(stepsIn(*store), upTo(1));
}

TEST(MetricWriter, LosesNothingWhenPutsFailOrTheirAnswersAreLost) {
  for (const bool storeAnyway : {false, true}) {
    auto store = std::make_shared<MemoryObjectStore>();
    store->storeAnyway = storeAnyway;
    int calls = 0;
    store->failPut = [&calls](const std::string&) {
      return ++calls % 3 != 0 ? std::optional(kRefused) : std::nullopt;
    };
    MetricWriter writer(store, "m", Rank(0), 1);
    for (Step i = 0; i < 300; ++i) {
      writer.record(i, at(i), {{"loss", 1.0}});
      if (i % 100 == 50) {
        ASSERT_TRUE(writer.flush(60s));
      }
    }
    ASSERT_TRUE(writer.flush(60s));
    EXPECT_EQ(stepsIn(*store), upTo(300));
    EXPECT_EQ(store->rewrites, 0) << "a segment is immutable, also when its put seemed to fail";
    EXPECT_FALSE(writer.lastFailure());
  }
}

TEST(MetricWriter, SaysTheFailureThatLasts) {
  auto store = std::make_shared<MemoryObjectStore>();
  store->failPut = [](const std::string&) { return std::optional(kRefused); };
  MetricWriter writer(store, "m", Rank(0), 1);
  writer.record(0, at(0), {{"loss", 1.0}});
  EXPECT_FALSE(writer.flush(300ms));
  ASSERT_TRUE(writer.lastFailure());
  EXPECT_EQ(writer.lastFailure()->what, "the store is away");
}

TEST(MetricWriter, RecordingDoesNotWaitForAStoreThatHangs) {
  auto store = std::make_shared<MemoryObjectStore>();
  store->putMilliseconds = 600'000;  // ended by the stop token when the writer goes
  MetricWriter writer(store, "m", Rank(0), 1);
  writer.record(0, at(0), {{"loss", 1.0}});
  EXPECT_FALSE(writer.flush(200ms));
  while (store->puts == 0) std::this_thread::sleep_for(1ms);
  // Would never return if it waited for the put.
  for (Step i = 1; i < 100'000; ++i) writer.record(i, at(i), {{"loss", 1.0}});
  EXPECT_EQ(store->objects().size(), 0U);
}

TEST(MetricWriter, DropsTheOldestRowsBeyondTheLimitAndSaysHowMany) {
  auto store = std::make_shared<MemoryObjectStore>();
  std::atomic<bool> away{true};
  store->failPut = [&away](const std::string&) { return away ? std::optional(kRefused) : std::nullopt; };
  MetricWriter writer(store, "m", Rank(0), 1);
  constexpr auto kRows = static_cast<Step>(MetricWriter::kMaxPendingRows) + 10'000;
  for (Step i = 0; i < kRows; ++i) writer.record(i, at(i), {{"loss", 1.0}});
  away = false;
  EXPECT_FALSE(writer.flush(120s)) << "what was dropped was not stored";
  EXPECT_TRUE(writer.flush(120s));
  const auto steps = stepsIn(*store);
  EXPECT_EQ(steps.back(), kRows - 1);
  EXPECT_TRUE(std::is_sorted(steps.begin(), steps.end()));
  double dropped = 0;
  for (const auto& [name, bytes] : store->objects()) {
    if (name.find("/raw/") == std::string::npos) continue;
    const auto segment = decodeSegment(bytes);
    for (const auto& column : segment->columns)
      if (column.name == metric::kDroppedRows)
        for (const auto& cell : column.cells)
          if (cell) dropped = *cell;
  }
  EXPECT_EQ(static_cast<Step>(dropped) + static_cast<Step>(steps.size()), kRows);
}

TEST(MetricWriter, LeavesASummaryOfEverySixteenSegments) {
  auto store = std::make_shared<MemoryObjectStore>();
  {
    MetricWriter writer(store, "m", Rank(0), 1);
    for (Step i = 0; i < 33; ++i) {
      writer.record(i, at(i), {{"loss", static_cast<double>(i)}});
      ASSERT_TRUE(writer.flush(60s));
    }
    EXPECT_EQ(writer.storedSegments(), 33U);
  }
  const auto objects = store->objects();
  EXPECT_EQ(objects.count("m/rank-00000/x16/0000000002.lsm"), 0U);
  EXPECT_EQ(objects.count("m/rank-00000/x256/0000000000.lsm"), 0U);
  ASSERT_EQ(objects.count("m/rank-00000/x16/0000000001.lsm"), 1U);
  const auto summary = decodeSummary(objects.at("m/rank-00000/x16/0000000001.lsm"));
  ASSERT_TRUE(summary) << describe(summary.error());
  ASSERT_EQ(summary->buckets.size(), 16U);
  EXPECT_EQ(summary->buckets.front().first.step, 16);
  EXPECT_EQ(summary->buckets.back().last.step, 31);
  EXPECT_EQ(summary->columns.at(0).cells.at(3)->values.max, 19.0);
  EXPECT_EQ(stepsIn(*store), upTo(33));
}

TEST(MetricWriter, ASummaryThatCannotBeStoredIsGivenUpAndHoldsNothingUp) {
  auto store = std::make_shared<MemoryObjectStore>();
  store->failPut = [](const std::string& name) {
    return name.find("/x16/") != std::string::npos ? std::optional(kRefused) : std::nullopt;
  };
  MetricWriter writer(store, "m", Rank(0), 1);
  for (Step i = 0; i < 40; ++i) {
    writer.record(i, at(i), {{"loss", 1.0}});
    ASSERT_TRUE(writer.flush(60s));
  }
  EXPECT_EQ(stepsIn(*store), upTo(40));
  EXPECT_FALSE(writer.lastFailure());
}

TEST(MetricWriter, TheWholeClusterStaysUnderItsRate) {
  for (const int world : {1, 3, 8, 64, 1024, 10000}) {
    const double seconds = static_cast<double>(pushInterval(world, 0ms, 0).count()) / 1000;
    EXPECT_GE(seconds, 1.0);
    EXPECT_LE(world / seconds, MetricWriter::kClusterObjectsPerSecond);
  }
  EXPECT_EQ(pushInterval(3, 0ms, 0), 1s);
  EXPECT_EQ(pushInterval(3, 2s, 0), 8s);
  EXPECT_LE(pushInterval(3, 0ms, 1), 1s);
  EXPECT_EQ(pushInterval(3, 0ms, 1000), 30s);
}

constexpr std::array<NamedValue, 2> kTwoCells{{{"a", 1.0}, {"b", 2.0}}};

// Rows that have no quantity in common make a table of mostly empty places, which readers refuse to keep.
TEST(MetricWriter, RowsOfManyQuantitiesMakeSeveralSegments) {
  auto store = std::make_shared<MemoryObjectStore>();
  std::vector<std::string> names;
  for (int i = 0; i < 4096; ++i) names.push_back("q" + std::to_string(i));
  MetricWriter writer(store, "m", Rank(0), 1);
  for (Step i = 0; i < 8192; ++i)
    writer.record(i, at(i), {{names[static_cast<std::size_t>(i) % names.size()], 1.0}});
  ASSERT_TRUE(writer.flush(60s));
  EXPECT_EQ(stepsIn(*store), upTo(8192));
}

TEST(RowBacklog, HandsChunksOverInOrderAndReusesThem) {
  RowBacklog backlog;
  for (Step i = 0; i < 600; ++i) backlog.add(i, at(i), kTwoCells);
  EXPECT_EQ(backlog.rowCount(), 600U);
  auto taken = backlog.take(2, {});
  ASSERT_EQ(taken.size(), 2U);
  EXPECT_EQ(taken[0].rows.front().step, 0);
  EXPECT_EQ(taken[1].rows.back().step, 511);
  EXPECT_EQ(taken[1].cells.size(), 512U);
  EXPECT_EQ(backlog.rowCount(), 88U);
  backlog.recycle(std::move(taken));
  for (Step i = 0; i < 400; ++i) backlog.add(i, at(i), {});
  EXPECT_EQ(backlog.dropOldest(), 256U);
  EXPECT_EQ(backlog.rowCount(), 232U);
}

TEST(RowBacklog, HandsNoMoreOverThanASegmentMayHold) {
  RowBacklog backlog;
  for (Step i = 0; i < 1024; ++i) backlog.add(i, at(i), kTwoCells);
  EXPECT_EQ(backlog.take(64, {.cells = 1024, .table = 1 << 30}).size(), 2U);
  EXPECT_EQ(backlog.take(64, {.cells = 100, .table = 1 << 30}).size(), 1U)
      << "one at least, or nothing would ever go";
}

}  // namespace
}  // namespace lockstep
