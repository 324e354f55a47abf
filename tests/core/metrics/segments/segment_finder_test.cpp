// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/segments/segment_finder.h"

#include <gtest/gtest.h>

#include "memory_object_store.h"

namespace lockstep {
namespace {

using namespace std::chrono_literals;

struct SegmentFinderTest : testing::Test {
  std::shared_ptr<MemoryObjectStore> store = std::make_shared<MemoryObjectStore>();
  SegmentFinder finder{store, "m/", {}, 60s};
  std::uint64_t written = 0;

  void put(int rank, std::uint64_t sequence) { store->set("m/" + segmentName(Rank(rank), sequence), "x"); }
  void putIndex(std::vector<std::uint64_t> segments) {
    store->set("m/index.json", toText({++written, std::move(segments)}));
  }
  std::vector<SegmentId> look() {
    std::vector<SegmentId> found;
    EXPECT_TRUE(finder.look(found, {}));
    return found;
  }
  /// As a reader that has shown so many segments of each rank.
  void begin(const std::vector<std::uint64_t>& segments) {
    putIndex(segments);
    EXPECT_TRUE(*finder.firstIndex({}));
    for (std::size_t rank = 0; rank < segments.size(); ++rank)
      finder.listFrom(Rank(static_cast<int>(rank)), segments[rank]);
  }
  /// Until each rank was listed once.
  void confirm() {
    while (!finder.isConfirmed()) look();
  }
};

TEST_F(SegmentFinderTest, OnePollIsOneReadWhateverTheNumberOfRanks) {
  begin(std::vector<std::uint64_t>(1024, 5));
  confirm();
  for (int i = 0; i < 10; ++i) {
    putIndex(std::vector<std::uint64_t>(1024, 5));  // nothing is new, and somebody says so
    const int gets = store->gets, lists = store->lists;
    EXPECT_TRUE(look().empty());
    EXPECT_EQ(store->gets - gets, 1);
    EXPECT_EQ(store->lists - lists, 0);
  }
}

TEST_F(SegmentFinderTest, TellsWhatTheIndexNamesOnce) {
  begin({5, 5});
  confirm();
  putIndex({6, 5, 1});
  EXPECT_EQ(look(),
            (std::vector<SegmentId>{{Rank(0), SegmentLevel::Raw, 5}, {Rank(2), SegmentLevel::Raw, 0}}));
  EXPECT_TRUE(look().empty());
}

TEST_F(SegmentFinderTest, LooksOnceBehindAnIndexThatSomebodyLeft) {
  put(0, 4);
  put(0, 5);  // after the last index
  put(1, 0);
  begin({5});
  std::set<SegmentId> found;
  while (!finder.isConfirmed())
    for (const SegmentId& id : look()) found.insert(id);
  EXPECT_EQ(found, (std::set<SegmentId>{{Rank(0), SegmentLevel::Raw, 5}, {Rank(1), SegmentLevel::Raw, 0}}));
}

TEST_F(SegmentFinderTest, ListsAgainWhereTheIndexLagsBehind) {
  SegmentFinder impatient(store, "m/", {}, 0ms);
  put(0, 0);
  putIndex({1});
  ASSERT_TRUE(*impatient.firstIndex({}));
  std::vector<SegmentId> found;
  ASSERT_TRUE(impatient.look(found, {}));
  put(0, 1);  // and nobody writes the index any more
  found.clear();
  for (int i = 0; i < 3 && found.empty(); ++i) {
    impatient.listFrom(Rank(0), 1);
    ASSERT_TRUE(impatient.look(found, {}));
  }
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found.back().sequence, 1U);
  const int lists = store->lists;
  ASSERT_TRUE(impatient.look(found, {}));
  EXPECT_GT(store->lists, lists) << "as long as the index does not change";
}

TEST_F(SegmentFinderTest, ARunWithoutAnIndexIsListed) {
  EXPECT_FALSE(*finder.firstIndex({}));
  put(0, 0);
  std::vector<SegmentId> found;
  ASSERT_TRUE(finder.listAll(found, {}));
  EXPECT_EQ(found.size(), 1U);
  const int gets = store->gets;
  for (int i = 0; i < 100; ++i) look();
  EXPECT_LT(store->gets - gets, 12) << "an index is looked for ever more seldom";
}

TEST_F(SegmentFinderTest, AnIndexThatIsNoneIsToldAndPassedOver) {
  store->set("m/index.json", "{\"version\":9}");
  EXPECT_FALSE(*finder.firstIndex({}));
  ASSERT_EQ(finder.filter().findings().size(), 1U);
  EXPECT_NE(finder.filter().findings()[0].what.find("index"), std::string::npos);
}

TEST_F(SegmentFinderTest, AStoreThatIsAwayIsAFailureAndNotAnEmptyRun) {
  begin({5});
  store->failGet = [](const std::string&) {
    return std::optional(Error{ErrorCode::Unavailable, "the store is away", "test", {}, {}, {}});
  };
  std::vector<SegmentId> found;
  EXPECT_FALSE(finder.look(found, {}));
  store->failGet = nullptr;
  EXPECT_TRUE(finder.look(found, {}));
}

}  // namespace
}  // namespace lockstep
