// SPDX-License-Identifier: GPL-3.0-or-later
#include "logs/text/styled_line.h"

#include <gtest/gtest.h>

#include "base/text/terminal_text.h"

namespace lockstep {
namespace {

LineColor palette(std::uint32_t index) {
  return {LineColor::Kind::Palette, index};
}
LineColor rgb(std::uint32_t value) {
  return {LineColor::Kind::Rgb, value};
}
/// The style of the only run.
LineStyle styleOf(const std::string& sgr) {
  const StyledLine line = styledLine("\033[" + sgr + "mx");
  EXPECT_EQ(line.text, "x") << sgr;
  return line.runs.empty() ? LineStyle{} : line.runs.front().style;
}

TEST(StyledLine, TellsColoursFromText) {
  const StyledLine line = styledLine("a \033[31mred\033[0m b \033[1;44mon blue");
  EXPECT_EQ(line.text, "a red b on blue");
  ASSERT_EQ(line.runs.size(), 2U);
  EXPECT_EQ(line.runs[0].begin, 2U);
  EXPECT_EQ(line.runs[0].length, 3U);
  EXPECT_EQ(line.runs[0].style.text, palette(1));
  EXPECT_EQ(line.runs[1].begin, 8U);
  EXPECT_EQ(line.runs[1].length, 7U);
  EXPECT_TRUE(line.runs[1].style.isBold);
  EXPECT_EQ(line.runs[1].style.ground, palette(4));
  EXPECT_EQ(line.runs[1].style.text, LineColor{});
}

TEST(StyledLine, KnowsAllWaysToNameAColour) {
  EXPECT_EQ(styleOf("97").text, palette(15));
  EXPECT_EQ(styleOf("103").ground, palette(11));
  EXPECT_EQ(styleOf("38;5;208").text, palette(208));
  EXPECT_EQ(styleOf("48;2;1;2;3").ground, rgb(0x010203));
  EXPECT_EQ(styleOf("38:5:208").text, palette(208));
  EXPECT_EQ(styleOf("38:2:255:0:16").text, rgb(0xFF0010));
  EXPECT_EQ(styleOf("38:2::255:0:16").text, rgb(0xFF0010));
  const LineStyle both = styleOf("38;2;9;8;7;4;48;5;3");
  EXPECT_EQ(both.text, rgb(0x090807));
  EXPECT_TRUE(both.isUnderlined);
  EXPECT_EQ(both.ground, palette(3));
  EXPECT_TRUE(styleOf("4:3").isUnderlined);
  EXPECT_EQ(styleOf("58;5;9;31").text,
            palette(1));  // the colour of an underline is passed over, not what follows it
}

TEST(StyledLine, PassesOverWhatMeansNothing) {
  for (const char* sgr : {"38;5;256", "38;2;1;2", "38;9;1", "38", "123", ""})
    EXPECT_EQ(styleOf(sgr), LineStyle{}) << sgr;
  EXPECT_TRUE(styleOf("38;5;256;1").isBold);
}

TEST(StyledLine, TakesEachPartOfAStyleBack) {
  for (const auto& [on, off] : std::vector<std::pair<std::string, std::string>>{{"1", "22"},
                                                                                {"2", "22"},
                                                                                {"3", "23"},
                                                                                {"4", "24"},
                                                                                {"4", "4:0"},
                                                                                {"7", "27"},
                                                                                {"9", "29"},
                                                                                {"35", "39"},
                                                                                {"45", "49"},
                                                                                {"1;3;35", "0"},
                                                                                {"1;3;35", ""}}) {
    EXPECT_NE(styleOf(on), LineStyle{}) << on;
    EXPECT_TRUE(styledLine("\033[" + on + "m\033[" + off + "mx").runs.empty()) << off;
  }
}

TEST(StyledLine, ShowsWhatItDoesNotObey) {
  const StyledLine line = styledLine("\033[2J\033[31mx\a\033]0;title\a\033[8mhidden\r");
  EXPECT_EQ(line.text, onOneLine("\033[2J\033[31mx\a\033]0;title\a\033[8mhidden\r"));
  EXPECT_NE(line.text.find("hidden"), std::string::npos);
  EXPECT_EQ(line.text.find('\033'), std::string::npos);
  ASSERT_EQ(line.runs.size(), 1U);
  EXPECT_EQ(line.text.substr(line.runs[0].begin, 1), "x");
}

TEST(NewestUpdate, IsWhatATerminalWouldLeave) {
  EXPECT_EQ(newestUpdate("10%\r20%\r30%"), "30%");
  EXPECT_EQ(newestUpdate("10%\r20%\r"), "20%");
  EXPECT_EQ(newestUpdate("\r10%"), "10%");
  EXPECT_EQ(newestUpdate("plain"), "plain");
  EXPECT_EQ(newestUpdate("plain\r"), "plain\r");
  EXPECT_EQ(newestUpdate("\r\r"), "");
  EXPECT_EQ(newestUpdate(""), "");
}

}  // namespace
}  // namespace lockstep
