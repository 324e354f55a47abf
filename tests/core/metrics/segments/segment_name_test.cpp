// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/segments/segment_name.h"

#include <gtest/gtest.h>

namespace lockstep {
namespace {

TEST(SegmentName, GoesBothWays) {
  EXPECT_EQ(segmentName(Rank(3), 7), "rank-00003/raw/0000000007.lsm");
  EXPECT_EQ(segmentName(Rank(3), 0, SegmentLevel::Summary), "rank-00003/sum/0000000000.lsm");
  EXPECT_EQ(segmentName(Rank(3), 1, SegmentLevel::Of16), "rank-00003/x16/0000000001.lsm");
  EXPECT_EQ(segmentName(Rank(3), 1, SegmentLevel::Of256), "rank-00003/x256/0000000001.lsm");
  for (const auto level : {SegmentLevel::Raw, SegmentLevel::Summary, SegmentLevel::Of16, SegmentLevel::Of256,
                           SegmentLevel::Of4096}) {
    const SegmentId id{Rank(12), level, 345};
    EXPECT_EQ(parseSegmentName(segmentName(id)), id);
  }
  for (const char* name :
       {"", "rank-00012/raw/7.lsm.tmp", "rank-x/raw/7.lsm", "rank-1/other/7.lsm", "rank--1/raw/7.lsm",
        "rank-1/raw/-7.lsm", "rank-99999999999/raw/7.lsm", "rank-1/raw/", "rank-00012/x1/0000000007.lsm",
        "rank-00012/x40960/0000000007.lsm", "rank-00012/x16/0000000007.lsmx"})
    EXPECT_FALSE(parseSegmentName(name)) << name;
}

TEST(SegmentName, AnObjectStandsForRawSegments) {
  EXPECT_EQ((SegmentId{Rank(0), SegmentLevel::Raw, 5}.segments()), (SegmentSpan{5, 6}));
  EXPECT_EQ((SegmentId{Rank(0), SegmentLevel::Of16, 2}.segments()), (SegmentSpan{32, 48}));
  EXPECT_EQ((SegmentId{Rank(0), SegmentLevel::Of256, 1}.segments()), (SegmentSpan{256, 512}));
  EXPECT_EQ((SegmentId{Rank(0), SegmentLevel::Of4096, 1}.segments()), (SegmentSpan{4096, 8192}));
}

TEST(SegmentSpan, GrowsAroundBoth) {
  SegmentSpan span;
  span.include({});
  EXPECT_TRUE(span.isEmpty());
  span.include({5, 7});
  span.include({2, 3});
  EXPECT_EQ(span, (SegmentSpan{2, 7}));
  EXPECT_EQ(span.size(), 5U);
}

}  // namespace
}  // namespace lockstep
