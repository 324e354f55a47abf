// SPDX-License-Identifier: GPL-3.0-or-later
// A long past from its summaries: what is read of it, in which order, and that nothing of it is lost or invented.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <mutex>
#include <random>

#include "memory_object_store.h"
#include "metrics/metric_reader.h"
#include "metrics/metric_store.h"
#include "metrics/segments/metric_summary.h"

namespace lockstep {
namespace {

const char* const kQuantities[] = {"loss",       "step_ms",     "wait_ms",      "transfer_ms",
                                   "forward_ms", "backward_ms", "optimizer_ms", "data_ms"};

double valueOf(int rank, Step step, int quantity) {
  if (step == 777 && quantity == 1) return 5000;  // one spike
  return 0.1 * static_cast<double>((step * 7919 + rank * 31 + quantity * 17) % 1000) + quantity;
}

/// Counts what is read of it.
class CountedStore final : public MemoryObjectStore {
 public:
  Result<std::string> get(const std::string& name, const std::stop_token& stop) override {
    auto bytes = MemoryObjectStore::get(name, stop);
    const std::lock_guard lock(mutex_);  // segments are read side by side
    if (bytes) read += bytes->size();
    order.push_back(name);
    return bytes;
  }
  [[nodiscard]] std::size_t size() const {
    std::size_t all = 0;
    for (const auto& [name, bytes] : objects()) all += bytes.size();
    return all;
  }
  std::size_t read = 0;
  std::vector<std::string> order;

 private:
  std::mutex mutex_;
};

struct OverviewTest : testing::Test {
  std::shared_ptr<CountedStore> objects = std::make_shared<CountedStore>();
  MetricStore samples;
  std::unique_ptr<MetricReader> reader;
  MetricReader::Update last;

  static std::string nameOf(const SegmentId& id) { return "m/" + segmentName(id); }
  /// As its writer leaves a rank: so many segments of `rows` steps, a step each 50 ms.
  void draw(int rank, std::uint64_t segments, int rows) {
    SummaryBuilder builder;
    for (std::uint64_t n = 0; n < segments; ++n) {
      MetricSegment raw;
      raw.rank = Rank(rank);
      raw.sequence = n;
      for (const char* name : kQuantities) raw.columns.push_back({name, {}});
      for (int i = 0; i < rows; ++i) {
        const Step step = static_cast<Step>(n) * rows + i;
        raw.rows.push_back({step, TimePoint(std::chrono::milliseconds(50 * step))});
        for (int q = 0; q < 8; ++q)
          raw.columns[static_cast<std::size_t>(q)].cells.emplace_back(valueOf(rank, step, q));
      }
      objects->set(nameOf({Rank(rank), SegmentLevel::Raw, n}), encodeSegment(raw));
      for (const SegmentSummary& summary : builder.add(raw))
        objects->set(nameOf(summary.id), encodeSummary(summary));
    }
  }
  void putIndex(std::vector<std::uint64_t> segments) {
    objects->set("m/index.json", toText({1, std::move(segments)}));
  }
  void open(std::size_t rawBytes) {
    MetricReading reading{MetricDetail::Overview};
    reading.rawBytes = rawBytes;
    reader = std::make_unique<MetricReader>(objects, "m/", std::string(), reading);
  }
  void poll() {
    auto update = reader->poll({});
    ASSERT_TRUE(update) << describe(update.error());
    last = *std::move(update);
    for (const CoarsePart& part : last.parts) samples.add(part);
    samples.add(last.batches);
  }
  void readAll() {
    do {
      ASSERT_NO_FATAL_FAILURE(poll());
    } while (last.isBehind);
  }
  /// As a window that shows these steps until they are as fine as its pixels.
  void zoom(const StepsInSight& sight) {
    for (int look = 0; look < 20; ++look) {
      auto parts = samples.coarseIn(sight);
      if (parts.empty()) return;
      reader->wantFiner(std::move(parts));
      ASSERT_NO_FATAL_FAILURE(poll());
    }
  }
  void expectSamples(int rank, Step from, Step to) const {
    for (int q = 0; q < 8; ++q) {
      Step next = from;
      for (const MetricPoint& point : samples.series(kQuantities[q], Rank(rank))) {
        if (point.step < from || point.step > to) continue;
        ASSERT_EQ(point.step, next++) << kQuantities[q];
        ASSERT_EQ(point.value, valueOf(rank, point.step, q));
        ASSERT_EQ(point.time, TimePoint(std::chrono::milliseconds(50 * point.step)));
      }
      ASSERT_EQ(next, to + 1) << kQuantities[q];
    }
  }
  /// One column of pixels over all steps: what nobody can see a difference of.
  [[nodiscard]] ValueSummary whole(int rank, const char* name) const {
    ValueSummary all;
    samples.forEachPixel(name, Rank(rank), {0, 1e9, 1},
                         [&](const PixelPart& part) { all.append(part.values); });
    return all;
  }
  void expectWhole(int rank, Step steps) const {
    for (int q = 0; q < 8; ++q) {
      ValueSummary truth;
      for (Step step = 0; step < steps; ++step) truth.add(valueOf(rank, step, q));
      const ValueSummary all = whole(rank, kQuantities[q]);
      ASSERT_EQ(all.finite, truth.finite) << kQuantities[q];
      ASSERT_EQ(all.min, truth.min);
      ASSERT_EQ(all.max, truth.max);
      ASSERT_NEAR(all.mean(), truth.mean(), 1e-5 * truth.mean());
    }
  }
};

// Of each rank alike: what holds for one of a million steps, pushed 68 at a time (64 ranks at 20 steps a second), holds for 64.
TEST_F(OverviewTest, TheFirstWholePictureReadsLessThanAHundredth) {
  constexpr std::uint64_t kSegments = 14'706;
  constexpr int kRows = 68;
  draw(0, kSegments, kRows);
  putIndex({kSegments});
  open(0);
  ASSERT_NO_FATAL_FAILURE(readAll());
  const double share = static_cast<double>(objects->read) / static_cast<double>(objects->size());
  RecordProperty("shareOfBytes", std::to_string(share));
  EXPECT_LT(share, 0.01);
  EXPECT_NE(objects->order.at(1).find("/x4096/"), std::string::npos) << "the coarsest first";
  EXPECT_NE(objects->order.at(1).find("0000000002"), std::string::npos) << "and of those the newest";
  expectWhole(0, static_cast<Step>(kSegments) * kRows);
  EXPECT_TRUE(samples.isCoarse(Rank(0), 0, 100));
  EXPECT_FALSE(samples.isCoarse(Rank(0), static_cast<Step>(kSegments) * kRows - 100, 1'000'000'000));
  const auto spans = samples.spans("step_ms", Rank(0), 0, 1e6, 600);
  EXPECT_GE(spans.size(), 600U) << "no gaps between buckets";
  EXPECT_TRUE(std::ranges::any_of(spans, [](const PixelSpan& span) { return span.max == 5000; }));
}

TEST_F(OverviewTest, ManyRanksOfFewSegmentsEachAreALongPast) {
  constexpr int kRanks = 70;
  constexpr std::uint64_t kSegments = 20;
  for (int rank = 0; rank < kRanks; ++rank) draw(rank, kSegments, 2);
  for (const bool hasIndex : {true, false}) {
    if (hasIndex) putIndex(std::vector<std::uint64_t>(kRanks, kSegments));
    samples = {};
    objects->order.clear();
    open(0);
    ASSERT_NO_FATAL_FAILURE(readAll());
    EXPECT_EQ(std::ranges::count_if(objects->order,
                                    [](const auto& name) { return name.find("/raw/") != name.npos; }),
              kRanks * static_cast<int>(kSegments % 16));
    for (const int rank : {0, kRanks - 1}) expectWhole(rank, static_cast<Step>(kSegments) * 2);
    (void)objects->remove("m/index.json", {});
  }
}

TEST_F(OverviewTest, AllOfItIsReadWhereThereIsRoom) {
  draw(0, 600, 4);
  draw(1, 300, 4);
  for (const bool hasIndex : {true, false}) {
    if (hasIndex) putIndex({600, 300});
    samples = {};
    open(std::size_t{1} << 30);
    const std::uint64_t readBefore = objects->read;
    ASSERT_NO_FATAL_FAILURE(readAll());
    EXPECT_FALSE(samples.hasCoarse());
    if (!hasIndex) {
      EXPECT_EQ(last.bytesRead, objects->read - readBefore);
    }
    ASSERT_NO_FATAL_FAILURE(expectSamples(0, 0, 2399));
    ASSERT_NO_FATAL_FAILURE(expectSamples(1, 0, 1199));
    EXPECT_EQ(samples.sampleCount(), std::size_t{3600} * 8);
    EXPECT_EQ(last.segmentsRead, last.segmentsKnown);
    EXPECT_EQ(last.unreadableSegments, 0);
    (void)objects->remove("m/index.json", {});
  }
}

TEST_F(OverviewTest, WhatIsInSightBecomesSamplesAndTheRestStays) {
  draw(0, 4200, 4);
  draw(1, 4200, 4);
  putIndex({4200, 4200});
  open(0);
  ASSERT_NO_FATAL_FAILURE(readAll());
  const std::size_t before = objects->order.size();
  ASSERT_NO_FATAL_FAILURE(zoom({{Rank(0)}, 8000, 8100, 0.2}));
  ASSERT_NO_FATAL_FAILURE(expectSamples(0, 8000, 8100));
  EXPECT_FALSE(samples.isCoarse(Rank(0), 8000, 8100));
  EXPECT_TRUE(samples.isCoarse(Rank(0), 0, 4000));
  EXPECT_TRUE(samples.isCoarse(Rank(1), 8000, 8100));
  EXPECT_LT(objects->order.size() - before, 90U) << "three times 16 objects, and those of a neighbour";
  expectWhole(0, 4200 * 4);
  expectWhole(1, 4200 * 4);
}

TEST_F(OverviewTest, APictureOfPixelsNeedsNothingFinerThanThem) {
  draw(0, 4200, 4);
  putIndex({4200});
  open(0);
  ASSERT_NO_FATAL_FAILURE(readAll());
  ASSERT_NO_FATAL_FAILURE(zoom({{}, 0, 16'000, 100}));
  EXPECT_EQ(std::ranges::count_if(objects->order,
                                  [](const auto& name) { return name.find("/raw/") != std::string::npos; }),
            4200 % 16)
      << "the newest alone";
  expectWhole(0, 4200 * 4);
}

TEST_F(OverviewTest, NewsComeAsSamples) {
  draw(0, 300, 4);
  putIndex({300});
  open(0);
  ASSERT_NO_FATAL_FAILURE(readAll());
  draw(0, 310, 4);
  objects->set("m/index.json", toText({2, {310}}));
  ASSERT_NO_FATAL_FAILURE(poll());
  ASSERT_NO_FATAL_FAILURE(expectSamples(0, 1200, 1239));
  expectWhole(0, 1240);
}

TEST_F(OverviewTest, SummariesThatAreLostTornOrNewerAreReplacedByFinerOnes) {
  draw(0, 4200, 2);
  putIndex({4200});
  std::string newer = encodeSummary({});
  newer[4] = 9;
  objects->set(nameOf({Rank(0), SegmentLevel::Of4096, 0}), newer);
  (void)objects->remove(nameOf({Rank(0), SegmentLevel::Of256, 3}), {});
  objects->set(nameOf({Rank(0), SegmentLevel::Of16, 50}), "torn");
  open(0);
  ASSERT_NO_FATAL_FAILURE(readAll());
  expectWhole(0, 8400);
  ASSERT_NO_FATAL_FAILURE(expectSamples(0, 50 * 32, 51 * 32 - 1));
  EXPECT_EQ(last.unreadableSegments, 0) << "everything is there";
}

TEST_F(OverviewTest, WhatIsLostStaysInThePictureAndCounts) {
  draw(0, 512, 4);
  putIndex({512});
  (void)objects->remove(nameOf({Rank(0), SegmentLevel::Raw, 100}), {});
  open(std::size_t{1} << 30);
  for (int i = 0; i < 8; ++i) ASSERT_NO_FATAL_FAILURE(readAll());
  EXPECT_EQ(last.unreadableSegments, 1);
  ASSERT_TRUE(last.unreadable);
  EXPECT_NE(last.unreadable->what.find("raw/0000000100.lsm"), std::string::npos) << last.unreadable->what;
  EXPECT_TRUE(samples.isCoarse(Rank(0), 400, 403));
  EXPECT_FALSE(samples.isCoarse(Rank(0), 0, 300));
  expectWhole(0, 2048);
}

TEST_F(OverviewTest, SamplesThatWereGivenUpAreReadAgain) {
  draw(0, 1000, 64);
  putIndex({1000});
  open(std::size_t{1} << 30);
  ASSERT_NO_FATAL_FAILURE(readAll());
  ASSERT_FALSE(samples.hasCoarse());
  const std::size_t bytes = samples.bytes();
  samples.keepWithin(bytes / 3, {{}, 100, 200, 1});
  EXPECT_LT(samples.bytes(), bytes / 2);
  EXPECT_FALSE(samples.isCoarse(Rank(0), 100, 200)) << "what is in sight stays";
  EXPECT_FALSE(samples.isCoarse(Rank(0), 63'900, 63'999)) << "and the newest";
  EXPECT_TRUE(samples.isCoarse(Rank(0), 15'000, 15'100));
  EXPECT_EQ(samples.sampleCount(), std::size_t{64'000} * 8);
  expectWhole(0, 64'000);
  ASSERT_NO_FATAL_FAILURE(zoom({{}, 15'000, 15'100, 0.2}));
  ASSERT_NO_FATAL_FAILURE(expectSamples(0, 15'000, 15'100));
  expectWhole(0, 64'000);
  ASSERT_NO_FATAL_FAILURE(zoom({{}, 0, 64'000, 0.2}));
  ASSERT_NO_FATAL_FAILURE(expectSamples(0, 0, 63'999));
}

TEST_F(OverviewTest, AnIndexThatNamesWhatIsNotThereIsNotBelieved) {
  draw(0, 100, 4);
  putIndex({4'000'000, 4'000'000, 4'000'000});
  open(std::size_t{1} << 30);
  for (int i = 0; i < 30; ++i) ASSERT_NO_FATAL_FAILURE(poll());
  ASSERT_NO_FATAL_FAILURE(expectSamples(0, 0, 399));
  EXPECT_EQ(samples.ranks(), std::vector<Rank>{Rank(0)});
  EXPECT_LE(last.unreadableSegments, 0);
}

TEST_F(OverviewTest, AStoreThatFailsHalfwayLosesNothing) {
  draw(0, 600, 4);
  putIndex({600});
  open(std::size_t{1} << 30);
  std::mt19937 random(5);
  objects->failGet = [&random](const std::string&) {
    return random() % 5 == 0 ? std::optional(Error{ErrorCode::Unavailable, "away", "test", {}, {}, {}})
                             : std::nullopt;
  };
  for (int i = 0; i < 400; ++i) {
    auto update = reader->poll({});
    if (!update) continue;
    for (const CoarsePart& part : update->parts) samples.add(part);
    samples.add(update->batches);
  }
  objects->failGet = nullptr;
  ASSERT_NO_FATAL_FAILURE(readAll());
  EXPECT_FALSE(samples.hasCoarse());
  ASSERT_NO_FATAL_FAILURE(expectSamples(0, 0, 2399));
  EXPECT_EQ(samples.sampleCount(), std::size_t{2400} * 8);
}

}  // namespace
}  // namespace lockstep
