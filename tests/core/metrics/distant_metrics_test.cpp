// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <numeric>
#include <thread>

#include "memory_object_store.h"
#include "metrics/metric_reader.h"

namespace lockstep {
namespace {

// A store behind a link: every call takes a while, however many there are at a time.
class DistantStore final : public MemoryObjectStore {
 public:
  Result<std::string> get(const std::string& name, const std::stop_token& stop) override {
    const Call call(*this);
    return MemoryObjectStore::get(name, stop);
  }
  Result<std::vector<ObjectInfo>> list(const std::string& prefix, const std::string& startAfter,
                                       const std::stop_token& stop) override {
    const Call call(*this);
    return MemoryObjectStore::list(prefix, startAfter, stop);
  }
  std::chrono::milliseconds delay{5};
  std::atomic<int> mostAtOnce{0};

 private:
  struct Call {
    explicit Call(DistantStore& of) : store(of) {
      const int now = ++store.atOnce_;
      int most = store.mostAtOnce;
      while (most < now && !store.mostAtOnce.compare_exchange_weak(most, now)) {
      }
      std::this_thread::sleep_for(store.delay);
    }
    ~Call() { --store.atOnce_; }
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;
    DistantStore& store;
  };
  std::atomic<int> atOnce_{0};
};

struct DistantMetricsTest : ::testing::Test {
  std::shared_ptr<DistantStore> store = std::make_shared<DistantStore>();
  MetricReader reader{store, "m/"};

  void put(int rank, std::uint64_t sequence) {
    MetricSegment segment;
    segment.rank = Rank(rank);
    segment.sequence = sequence;
    segment.append(static_cast<Step>(sequence), TimePoint(std::chrono::seconds(sequence)), {{"loss", 1.0}});
    store->set("m/" + segmentName(Rank(rank), sequence), encodeSegment(segment));
  }
  static std::vector<Step> steps(const MetricReader::Update& update) {
    std::vector<Step> result;
    for (const auto& batch : update.batches)
      for (const auto& point : batch.points) result.push_back(point.step);
    return result;
  }
};

TEST_F(DistantMetricsTest, ReadsUpToSixteenAtATimeAndEachOnce) {
  for (int rank = 0; rank < 8; ++rank)
    for (std::uint64_t n = 0; n < 20; ++n) put(rank, n);
  const auto update = reader.poll({});
  ASSERT_TRUE(update);
  ASSERT_EQ(update->batches.size(), 8U);
  for (const auto& batch : update->batches) EXPECT_EQ(batch.points.size(), 20U);
  EXPECT_EQ(store->gets, 160);
  EXPECT_GT(store->mostAtOnce, 1);
  EXPECT_LE(store->mostAtOnce, static_cast<int>(kCallsAtOnce));
  EXPECT_FALSE(update->isBehind);
}

TEST_F(DistantMetricsTest, WhatIsTornOrFailsAmongThemIsReadLaterAndOnce) {
  for (std::uint64_t n = 0; n < 50; ++n) put(0, n);
  store->set("m/" + segmentName(Rank(0), 20), "torn");
  store->failGet = [](const std::string& name) {
    return name.ends_with("7.lsm")
               ? std::optional(Error{ErrorCode::Unavailable, "the store is away", "test", {}, {}, {}})
               : std::nullopt;
  };
  std::vector<Step> seen;
  const auto take = [&] {
    if (const auto update = reader.poll({}))
      for (const Step step : steps(*update)) seen.push_back(step);
  };
  take();
  EXPECT_LT(seen.size(), 49U);
  store->failGet = nullptr;
  put(0, 20);
  take();
  take();
  std::sort(seen.begin(), seen.end());
  std::vector<Step> all(50);
  std::iota(all.begin(), all.end(), 0);
  EXPECT_EQ(seen, all);
}

TEST_F(DistantMetricsTest, ALookThatFindsNothingNewAlwaysCostsTheSame) {
  for (int rank = 0; rank < 1024; ++rank) put(rank, 0);
  store->delay = std::chrono::milliseconds(0);
  ASSERT_EQ(reader.poll({})->batches.size(), 1024U);
  for (int looks = 0; looks < 40; ++looks) {
    const int before = store->lists;
    ASSERT_TRUE(reader.poll({})->batches.empty());
    EXPECT_EQ(store->lists - before, 33) << "one for new ranks, and 32 ranks in their turn";
    EXPECT_EQ(store->gets, 1024);
  }
}

}  // namespace
}  // namespace lockstep
