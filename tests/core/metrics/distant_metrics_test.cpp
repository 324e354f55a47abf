// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <numeric>
#include <random>
#include <set>
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
  std::atomic<int> maxAtOnce{0};

 private:
  struct Call {
    explicit Call(DistantStore& of) : store(of) {
      const int now = ++store.atOnce_;
      int most = store.maxAtOnce;
      while (most < now && !store.maxAtOnce.compare_exchange_weak(most, now)) {
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

  static std::string bytesOf(int rank, std::uint64_t sequence) {
    MetricSegment segment;
    segment.rank = Rank(rank);
    segment.sequence = sequence;
    segment.append(static_cast<Step>(sequence), TimePoint(std::chrono::seconds(sequence)), {{"loss", 1.0}});
    return encodeSegment(segment);
  }
  void put(int rank, std::uint64_t sequence) {
    store->set("m/" + segmentName(Rank(rank), sequence), bytesOf(rank, sequence));
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
  EXPECT_GT(store->maxAtOnce, 1);
  EXPECT_LE(store->maxAtOnce, static_cast<int>(kCallsAtOnce));
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
    EXPECT_LE(store->gets, 1024 + 7) << "an index is looked for ever more seldom";
  }
}

// Segments that come late, in another order, torn at first, listed but not there yet, or not to be had for once, while
// polls are cancelled: against what was written. Which of them it is, seed, name and attempt say, not the threads.
struct HostileMetricsTest : DistantMetricsTest, ::testing::WithParamInterface<unsigned> {
  static constexpr int kRanks = 5;
  static constexpr std::uint64_t kSegments = 80, kBlock = 20;

  std::mt19937 random{GetParam()};
  std::vector<SegmentId> order;
  std::size_t written = 0;
  std::set<std::string> torn;                // as they lie there now
  std::map<std::string, int> asked;          // how often
  std::map<std::string, int> gotWhole;       // how often
  std::map<std::pair<int, Step>, int> seen;  // how often
  int refused = 0, askedForIndex = 0, gotTorn = 0;

  void SetUp() override {
    store->delay = std::chrono::milliseconds(GetParam() % 2 == 0 ? 3 : 0);
    for (std::uint64_t n = 0; n < kSegments; ++n)
      for (int rank = 0; rank < kRanks; ++rank) order.push_back({Rank(rank), SegmentLevel::Raw, n});
    for (auto part = order.begin(); part != order.end(); part += kBlock * kRanks)
      std::shuffle(part, part + kBlock * kRanks, random);
    store->failGet = [this](const std::string& name) { return answerTo(name); };
  }
  // The store calls it under its lock.
  std::optional<Error> answerTo(const std::string& name) {
    if (!name.ends_with(".lsm")) {
      ++askedForIndex;
      return std::nullopt;
    }
    const int attempt = asked[name]++;
    const auto lot = std::hash<std::string>{}(name + std::to_string(GetParam())) % 10;
    if (attempt == 0 && lot < 2) {
      ++refused;
      const auto code = lot == 0 ? ErrorCode::NotFound : ErrorCode::Unavailable;
      return Error{code, "not now", "test", {}, {}, {}};
    }
    ++(torn.contains(name) ? gotTorn : gotWhole[name]);
    return std::nullopt;
  }
  void mend() {
    for (const std::string& name : std::exchange(torn, {})) {
      const auto place = parseSegmentName(std::string_view(name).substr(2));
      put(place->rank.value, place->sequence);
    }
  }
  void writeSome() {
    mend();
    for (auto count = random() % 60; count > 0 && written < order.size(); --count) {
      const SegmentId place = order[written++];
      const std::string name = "m/" + segmentName(place.rank, place.sequence);
      const std::string bytes = bytesOf(place.rank.value, place.sequence);
      const bool isTorn = random() % 6 == 0;
      if (isTorn) torn.insert(name);
      store->set(name, isTorn ? bytes.substr(0, 20) : bytes);
    }
  }
  void look(const std::stop_token& stop) {
    const auto update = reader.poll(stop);
    if (!update) return;
    EXPECT_EQ(update->unreadableSegments, 0);
    EXPECT_TRUE(std::is_sorted(update->batches.begin(), update->batches.end(),
                               [](const auto& a, const auto& b) { return a.rank.value < b.rank.value; }));
    for (const auto& batch : update->batches)
      for (const auto& point : batch.points) ++seen[{batch.rank.value, point.step}];
  }
  void lookAndStop() {
    std::stop_source stop;
    const auto after = std::chrono::microseconds(random() % 8000);
    const std::jthread stopper([&stop, after] {
      std::this_thread::sleep_for(after);
      stop.request_stop();
    });
    look(stop.get_token());
  }
};

TEST_P(HostileMetricsTest, EachSegmentIsAskedForUntilItIsWholeAndHandedOutOnce) {
  while (written < order.size()) {
    writeSome();
    random() % 3 == 0 ? lookAndStop() : look({});
  }
  mend();
  // What is not to be had ends a look.
  for (std::size_t looks = 0; looks < order.size() && seen.size() < order.size(); ++looks) look({});
  for (int looks = 0; looks < 3; ++looks) look({});
  EXPECT_EQ(seen.size(), order.size());
  for (const auto& [place, times] : seen) EXPECT_EQ(times, 1) << place.first << " " << place.second;
  for (const auto& [name, times] : gotWhole) EXPECT_EQ(times, 1) << name;
  EXPECT_GT(refused, 0);
  EXPECT_EQ(store->gets - askedForIndex, static_cast<int>(order.size()) + refused + gotTorn);
  EXPECT_LE(store->maxAtOnce, static_cast<int>(kCallsAtOnce));
}
INSTANTIATE_TEST_SUITE_P(Seeds, HostileMetricsTest, ::testing::Range(0U, 12U));

}  // namespace
}  // namespace lockstep
