// SPDX-License-Identifier: GPL-3.0-or-later
#include "logs/store/line_syntax.h"

#include <gtest/gtest.h>

#include "base/time_text.h"
#include "logs/store/line_blocks.h"

namespace lockstep {
namespace {

std::int64_t nanos(std::string_view rfc3339) {
  return parseRfc3339(rfc3339)->time_since_epoch().count();
}

TEST(LineSyntax, ReadsTheTimesThatProgramsWrite) {
  const std::int64_t ten = nanos("2026-11-25T10:00:00Z");
  for (const char* line :
       {"2026-11-25T10:00:00Z x", "2026-11-25 10:00:00 x", "[2026-11-25 10:00:00] x", "2026/11/25 10:00:00",
        "2026-11-25T12:00:00+02:00 x", "2026-11-25 08:30:00-0130 x", "[rank 3] 2026-11-25 10:00:00 x",
        "[rank3]: [2026-11-25 10:00:00] x", "(2026-11-25 10:00:00) x"})
    EXPECT_EQ(timeOf(LineSyntax::Text, line), ten) << line;
  EXPECT_EQ(timeOf(LineSyntax::Text, "2026-11-25 10:00:00,123 - INFO - x"), ten + 123'000'000);
  EXPECT_EQ(timeOf(LineSyntax::Text, "2026-11-25T10:00:00.123456789Z"), ten + 123'456'789);
  EXPECT_EQ(timeOf(LineSyntax::Text, "2026-11-25T10:00:00.1234567891234567890123456789Z"), ten + 123'456'789);
}

TEST(LineSyntax, WhatIsNoTimeIsNone) {
  for (const char* line :
       {"", "x", "2026-11-25", "2026-13-25 10:00:00", "2026-02-30 10:00:00", "2026-11-25 24:00:00",
        "2026-11-25 10:60:00", "0000-01-01 00:00:00", "9999-12-31 23:59:59", "2026-11-25_10:00:00",
        "12026-11-25 10:00:00", "2026-11-25 10:00:0"})
    EXPECT_EQ(timeOf(LineSyntax::Text, line), kNoTime) << line;
}

TEST(LineSyntax, ReadsRankAndLevelOfText) {
  auto parts = *takeApart(LineSyntax::Text, "2026-11-25 10:00:00 [rank 12] ERROR: lost\r");
  EXPECT_EQ(parts.rank, Rank(12));
  EXPECT_EQ(parts.level, LogLevel::Error);
  EXPECT_EQ(parts.text, "2026-11-25 10:00:00 [rank 12] ERROR: lost") << "the text is the whole line";
  parts = *takeApart(LineSyntax::Text, "[rank3]: RuntimeError: CUDA out of memory");
  EXPECT_EQ(parts.rank, Rank(3));
  EXPECT_EQ(parts.level, LogLevel::Error);
  parts = *takeApart(LineSyntax::Text, "[2026-11-25 10:00:00,5] [WARNING] slow");
  EXPECT_EQ(parts.level, LogLevel::Warning);
  EXPECT_FALSE(parts.rank);
  EXPECT_FALSE(takeApart(LineSyntax::Text, "[rank 99999999] x")->rank);
}

TEST(LineSyntax, AKeptLineIsWhatItWas) {
  LogLine line;
  line.id = "id\t%7\n";
  line.time = *parseRfc3339("2026-11-25T10:00:00.123456789Z");
  line.node = "w\t1 %";
  line.rank = Rank(65'535);
  line.level = LogLevel::Warning;
  line.text = "a\tb \x1b[31m\x01\xff c\r d\t";
  std::string kept;
  appendKept(kept, line);
  ASSERT_TRUE(kept.ends_with('\n'));
  kept.pop_back();
  EXPECT_EQ(kept.find('\n'), std::string::npos);
  const auto parts = takeApart(LineSyntax::Kept, kept);
  ASSERT_TRUE(parts) << kept;
  EXPECT_EQ(parts->time, line.time.time_since_epoch().count());
  EXPECT_EQ(decodeField(parts->node), line.node);
  EXPECT_EQ(decodeField(parts->id), line.id);
  EXPECT_EQ(parts->rank, line.rank);
  EXPECT_EQ(parts->level, line.level);
  EXPECT_EQ(parts->text, line.text);
  EXPECT_EQ(textOf(LineSyntax::Kept, kept), line.text);
  EXPECT_EQ(timeOf(LineSyntax::Kept, kept), parts->time);
}

TEST(LineSyntax, ATimeThatNoClockSaysIsKeptAsTheNearestOne) {
  for (const auto time : {TimePoint::min(), TimePoint::max()}) {
    LogLine line;
    line.time = time;
    std::string kept;
    appendKept(kept, line);
    EXPECT_EQ(timeOf(LineSyntax::Kept, kept), keptTime(time).time_since_epoch().count());
  }
  EXPECT_EQ(timeOf(LineSyntax::Text, "1700-01-01T00:00:00+02:00"), kNoTime);
}

TEST(LineSyntax, ATextOfSeveralLinesIsKeptAsOne) {
  std::string kept;
  LogLine line;
  line.text = "a\nb";
  appendKept(kept, line);
  EXPECT_EQ(textOf(LineSyntax::Kept, std::string_view(kept).substr(0, kept.size() - 1)), "a b");
}

TEST(LineSyntax, WhatIsNotOursIsNoKeptLine) {
  for (const char* line :
       {"", "x", "\t\t\t\t\t", "2026-11-25T10:00:00Z\tmain\t0\tI\tid",
        "2026-11-25T10:00:00Z\tmain\t0\tX\tid\tt", "2026-11-25T10:00:00Z\tmain\t-1\tI\tid\tt",
        "2026-11-25T10:00:00Z\tmain\t65536\tI\tid\tt"})
    EXPECT_FALSE(takeApart(LineSyntax::Kept, line)) << line;
}

}  // namespace
}  // namespace lockstep
