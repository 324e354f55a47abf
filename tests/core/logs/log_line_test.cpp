// SPDX-License-Identifier: GPL-3.0-or-later
#include "logs/log_line.h"

#include <gtest/gtest.h>

#include <chrono>
#include <vector>

#include "logs/log_filter.h"

namespace lockstep {
namespace {

TEST(LevelOf, ReadsWhatProgramsWrite) {
  for (const char* text :
       {"ERROR: no space left", "2026-01-01 12:00:00,1 - ERROR - lost",
        "Traceback (most recent call last):", "RuntimeError: CUDA out of memory",
        "torch.cuda.OutOfMemoryError: 3 GiB", "[E socket.cpp:787] [c10d] timed out",
        "main.cpp:3:4: error: no member", "error: unknown option", "terminate called after throwing",
        "FATAL no route", "[node] ERROR rank 1 ended by signal 9 (SIGKILL)"})
    EXPECT_EQ(levelOf(text), LogLevel::Error) << text;
  for (const char* text : {"WARNING: slow", "WARN low memory", "x.cpp:1: warning: unused",
                           "[W socket.cpp:558] retry", "/usr/lib/x.py:3: FutureWarning: going away"})
    EXPECT_EQ(levelOf(text), LogLevel::Warning) << text;
  for (const char* text : {"DEBUG x=3", "TRACE enter"}) EXPECT_EQ(levelOf(text), LogLevel::Debug) << text;
  for (const char* text : {"", "epoch 1 loss 0.5", "0 errors, 0 warnings", "test error: 0.05", "NO_ERROR",
                           "TERRORS", "[1, 200] loss: 2.1", "Errors are values", "[ENTER] x"})
    EXPECT_EQ(levelOf(text), LogLevel::Info) << text;
}

TEST(LevelOf, AWordFarBehindTheBeginningIsNoLevel) {
  EXPECT_EQ(levelOf(std::string(400, 'x') + " ERROR"), LogLevel::Info);
}

TEST(TakeRankPrefix, TakesOnlyTheAgentsPrefix) {
  std::string text = "[rank 12] epoch 1";
  EXPECT_EQ(parseRankPrefix(text), Rank(12));
  EXPECT_EQ(text, "epoch 1");
  text = "[rank 0]";
  EXPECT_EQ(parseRankPrefix(text), Rank(0));
  EXPECT_EQ(text, "");
  for (const std::string other :
       {"[rank x] y", "[rank -1] y", "rank 1: y", "[rank 1", "[rank 99999999999] y", " [rank 1] y"}) {
    text = other;
    EXPECT_FALSE(parseRankPrefix(text)) << other;
    EXPECT_EQ(text, other);
  }
}

LogLineView line(std::string_view text, std::optional<Rank> rank = Rank(1), LogLevel level = LogLevel::Info) {
  return {TimePoint{}, text, "worker_0", rank, level};
}

TEST(LogFilter, EveryConditionMustHold) {
  LogFilter filter;
  EXPECT_TRUE(filter.acceptsAll());
  EXPECT_TRUE(filter.accepts(line("x", std::nullopt, LogLevel::Debug)));
  filter.ranks = {Rank(1), std::nullopt};
  EXPECT_TRUE(filter.accepts(line("x")));
  EXPECT_TRUE(filter.accepts(line("x", std::nullopt)));
  EXPECT_FALSE(filter.accepts(line("x", Rank(2))));
  filter.minLevel = LogLevel::Warning;
  EXPECT_FALSE(filter.accepts(line("x")));
  EXPECT_TRUE(filter.accepts(line("x", Rank(1), LogLevel::Error)));
  filter = {};
  filter.nodes = {"main"};
  EXPECT_FALSE(filter.accepts(line("x")));
  filter = {};
  filter.text = literalMatcher("LOSS");
  EXPECT_TRUE(filter.accepts(line("the loss is")));
  EXPECT_FALSE(filter.accepts(line("the los is")));
}

TEST(TextMatcher, ALiteralMayHaveAnyBytes) {
  const std::string bytes("a\0.*\xff\n", 6);
  EXPECT_TRUE(literalMatcher(bytes)("x" + bytes + "y"));
  EXPECT_FALSE(literalMatcher(bytes)("a.*"));
  EXPECT_TRUE(literalMatcher("(a+")("(A+")) << "as it stands";
}

TEST(TextMatcher, LiteralAndRegex) {
  EXPECT_FALSE(literalMatcher("LOSS", true)("loss"));
  EXPECT_TRUE(literalMatcher("")("anything"));
  EXPECT_TRUE(literalMatcher("")(""));
  EXPECT_TRUE(literalMatcher("a.b")("xa.by"));
  EXPECT_FALSE(literalMatcher("a.b")("aXb"));
  const auto regex = regexMatcher("lo+s{2}: [0-9.]+$");
  ASSERT_TRUE(regex);
  EXPECT_TRUE((*regex)("the LOOSS: 1.5"));
  EXPECT_FALSE((*regex)("loss: x"));
}

TEST(TextMatcher, ABadExpressionIsNamed) {
  for (const char* bad : {"(", "[a", "a(?", "*a", "(?<x", "\\C"}) {
    const auto regex = regexMatcher(bad);
    ASSERT_FALSE(regex) << bad;
    EXPECT_EQ(regex.error().code, ErrorCode::InvalidArgument);
    EXPECT_NE(regex.error().what.find(bad), std::string::npos);
    EXPECT_FALSE(regex.error().cause.empty());
  }
}

// Each letter more doubles the work of "(a+)+$" on a line that does not end so.
TEST(TextMatcher, AHardExpressionEndsAndSaysSo) {
  std::vector<Error> told;
  const auto regex = regexMatcher("(a+)+$", true, [&told](const Error& why) { told.push_back(why); });
  ASSERT_TRUE(regex);
  EXPECT_TRUE((*regex)("aaa"));
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < 10'000; ++i) EXPECT_FALSE((*regex)(std::string(200, 'a') + "!"));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told[0].code, ErrorCode::ResourceExhausted);
  EXPECT_NE(told[0].what.find("(a+)+$"), std::string::npos);
  EXPECT_FALSE(told[0].cause.empty());
  EXPECT_FALSE(told[0].remedy.empty());
}

TEST(TextMatcher, ExpressionsKnowLettersOfEveryLanguage) {
  const auto regex = regexMatcher("züri.h: ..$");
  ASSERT_TRUE(regex);
  EXPECT_TRUE((*regex)("ZÜRICH: 東京"));
  EXPECT_FALSE((*regex)("zürich: 東京都"));
  EXPECT_FALSE((*regex)("zürich: \xff\xfe\xc3")) << "what is no UTF-8 is no letter, and no danger";
}

TEST(TextMatcher, AHugeLineIsNoDanger) {
  const auto regex = regexMatcher("(a|b)*c");
  ASSERT_TRUE(regex);
  EXPECT_FALSE((*regex)(std::string(500'000, 'a')));
}

}  // namespace
}  // namespace lockstep
