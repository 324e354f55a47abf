// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/text/terminal_text.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/text/encoding.h"

namespace lockstep {
namespace {

struct Case {
  const char* name;
  std::string text;
  std::string shown;
};

const std::vector<Case>& cases() {
  static const std::vector<Case> all{
      {"plain", "loss 0.25, Zürich, 東京, 👩‍🔬", "loss 0.25, Zürich, 東京, 👩‍🔬"},
      {"tab and line end", "a\tb\nc", "a\tb\nc"},
      {"window title", "\033]0;owned\007", "␛]0;owned␇"},
      {"clipboard", "\033]52;c;cm0gLXJmIH4=\007", "␛]52;c;cm0gLXJmIH4=␇"},
      {"clear screen", "\033[2J\033[H", "␛[2J␛[H"},
      {"write over the line before", "\033[1A\033[2Kdone", "␛[1A␛[2Kdone"},
      {"carriage return", "failed\rfine  ", "failed␍fine  "},
      {"backspace", "no\b\byes", "no␈␈yes"},
      {"nul and delete", std::string("a\0b\177c", 5), "a␀b␡c"},
      {"C1 in UTF-8", "\u009b2J\u009d0;x\u009c", "\\x9B2J\\x9D0;x\\x9C"},
      {"C1 as a byte",
       "\x9b"
       "2J",
       "\\x9B2J"},
      {"broken UTF-8", "a\xC3(\xFF\xE2\x82", "a\\xC3(\\xFF\\xE2\\x82"},
      {"overlong escape", "\xC0\x9B[2J", "\\xC0\\x9B[2J"},
      {"surrogate", "\xED\xA0\x80", "\\xED\\xA0\\x80"},
      {"right to left override", "run\u202Egnp.exe", "run\\u202Egnp.exe"},
      {"isolates and marks", "\u2066a\u2069\u200F\u061C", "\\u2066a\\u2069\\u200F\\u061C"},
      {"line separator", "a\u2028b", "a\\u2028b"},
      {"tag characters", "a\U000E0041", "a\\uE0041"},
      {"not a color", "\033[31", "␛[31"},
      {"private color", "\033[?31m\033[>4;1m", "␛[?31m␛[>4;1m"},
      {"charset", "\033(0\016", "␛(0␎"},
  };
  return all;
}

TEST(TerminalText, ShowsWhatATerminalWouldObey) {
  for (const Case& each : cases()) {
    EXPECT_EQ(forTerminal(each.text, TerminalColors::Drop), each.shown) << each.name;
    EXPECT_EQ(forTerminal(each.text, TerminalColors::Keep), each.shown) << each.name;
    EXPECT_EQ(forTerminal(each.shown, TerminalColors::Keep), each.shown) << "again: " << each.name;
  }
}

TEST(TerminalText, ColorsPassWhereTheyAreWantedAndEndWithTheirLine) {
  const std::string red = "\033[31mbad\033[0m fine";
  EXPECT_EQ(forTerminal(red, TerminalColors::Keep), red);
  EXPECT_EQ(forTerminal(red, TerminalColors::Drop), "bad fine");
  EXPECT_EQ(forTerminal("\033[1;38;5;8mx", TerminalColors::Keep), "\033[1;38;5;8mx\033[0m");
  EXPECT_EQ(forTerminal("\033[38;2;8;8;8mx\nnext", TerminalColors::Keep), "\033[38;2;8;8;8mx\033[0m\nnext");
  EXPECT_EQ(forTerminal("\033[41mx\033[mnext", TerminalColors::Keep), "\033[41mx\033[mnext");
}

TEST(TerminalText, NoColorHidesText) {
  EXPECT_EQ(forTerminal("\033[8mhidden", TerminalColors::Keep), "hidden");
  EXPECT_EQ(forTerminal("\033[1;8mhidden\033[5mblinks", TerminalColors::Keep), "hiddenblinks");
}

TEST(TerminalText, OneLineStaysOne) {
  EXPECT_EQ(onOneLine("node-0\nrun succeeded\r\n"), "node-0␊run succeeded␍␊");
  EXPECT_EQ(onOneLine("a\tb"), "a\tb");
}

// Whatever the bytes are: nothing that comes out steers a terminal, and it is UTF-8.
TEST(TerminalText, NoTwoBytesSteerATerminal) {
  for (int a = 0; a < 256; ++a)
    for (int b = 0; b < 256; ++b) {
      const std::string shown = onOneLine(std::string{static_cast<char>(a), static_cast<char>(b)});
      ASSERT_TRUE(isUtf8(shown)) << a << " " << b;
      for (const char c : shown)
        ASSERT_TRUE(static_cast<unsigned char>(c) >= 0x20 || c == '\t') << a << " " << b;
      ASSERT_EQ(shown.find('\177'), std::string::npos);
      for (std::size_t at = shown.find('\xC2'); at != std::string::npos; at = shown.find('\xC2', at + 1))
        ASSERT_GE(static_cast<unsigned char>(shown[at + 1]), 0xA0) << a << " " << b;
    }
}

TEST(TerminalText, JsonStaysTheSameDocument) {
  const nlohmann::json document{{"text", "\033]0;x\007 \177 \u009b2J \u202E \U000E0041 Zürich"}};
  const std::string shown = jsonForTerminal(document.dump());
  EXPECT_EQ(nlohmann::json::parse(shown), document);
  EXPECT_EQ(forTerminal(shown), shown);
}

}  // namespace
}  // namespace lockstep
