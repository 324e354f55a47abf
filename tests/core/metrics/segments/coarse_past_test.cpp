// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/segments/coarse_past.h"

#include <gtest/gtest.h>

namespace lockstep {
namespace {

constexpr auto kEverything = [](const SegmentId&) { return true; };

std::vector<std::string> namesOf(const std::set<SegmentId>& ids) {
  std::vector<std::string> names;
  for (const SegmentId& id : ids) names.push_back(segmentName(id).substr(11));
  return names;
}

TEST(CoarsePast, IsCoveredByAsFewAsCanBe) {
  CoarsePast past;
  const auto raw = past.plan(Rank(0), 4096 + 256 + 2 * 16 + 3, kEverything);
  EXPECT_EQ(namesOf(past.toRead()),
            (std::vector<std::string>{"x16/0000000272.lsm", "x16/0000000273.lsm", "x256/0000000016.lsm",
                                      "x4096/0000000000.lsm"}));
  EXPECT_EQ(raw, (std::vector<SegmentSpan>{{4384, 4387}}));
  EXPECT_EQ(past.end(), 4387U);
}

TEST(CoarsePast, WhatIsNotThereIsCoveredByFinerOnesOrRead) {
  CoarsePast past;
  const auto raw = past.plan(
      Rank(0), 256, [](const SegmentId& id) { return id.level == SegmentLevel::Of16 && id.sequence != 3; });
  EXPECT_EQ(past.toRead().size(), 15U);
  EXPECT_EQ(raw, (std::vector<SegmentSpan>{{48, 64}}));
}

TEST(CoarsePast, ALostOneIsReplacedByWhatItIsMadeOf) {
  CoarsePast past;
  past.plan(Rank(0), 256, kEverything);
  EXPECT_TRUE(past.isLost({Rank(0), SegmentLevel::Of256, 0}).isEmpty());
  EXPECT_EQ(past.toRead().size(), 16U);
  EXPECT_EQ(past.isLost({Rank(0), SegmentLevel::Of16, 5}), (SegmentSpan{80, 96}));
  EXPECT_EQ(past.toRead().size(), 15U);
}

TEST(CoarsePast, KnowsWhatStandsForWhat) {
  CoarsePast past;
  past.plan(Rank(0), 512, kEverything);
  for (const std::uint64_t n : {0U, 1U}) past.hasCome({Rank(0), SegmentLevel::Of256, n});
  EXPECT_TRUE(past.toRead().empty());
  EXPECT_TRUE(past.covers(0) && past.covers(511));
  EXPECT_FALSE(past.covers(512));
  EXPECT_FALSE(past.summaryOf({0, 16}));
  const auto newest = past.newest();
  ASSERT_TRUE(newest);
  EXPECT_EQ(newest->sequence, 1U);
  EXPECT_EQ(past.rawSegments(), 512U);
  past.replace(*newest, {{Rank(0), SegmentLevel::Of16, 31}});
  EXPECT_FALSE(past.covers(300));
  EXPECT_EQ(past.summaryOf({496, 512}), (SegmentId{Rank(0), SegmentLevel::Of16, 31}));
  past.keep({496, 512});
  EXPECT_EQ(past.newest()->level, SegmentLevel::Of256) << "what cannot be replaced is passed over";
  EXPECT_EQ(past.rawSegments(), 256U);
}

}  // namespace
}  // namespace lockstep
