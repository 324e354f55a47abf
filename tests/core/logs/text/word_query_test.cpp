// SPDX-License-Identifier: GPL-3.0-or-later
#include "logs/text/word_query.h"

#include <gtest/gtest.h>

namespace lockstep {
namespace {

bool finds(const std::string& query, const std::string& line, bool caseSensitive = false) {
  const auto parsed = parseWordQuery(query);
  EXPECT_TRUE(parsed) << query;
  if (!parsed) return false;
  const TextMatcher matcher = matcherOf(*parsed, caseSensitive);
  return !matcher || matcher(line);
}

std::string mistakeOf(const std::string& query) {
  const auto parsed = parseWordQuery(query);
  if (parsed) return "";
  EXPECT_EQ(parsed.error().code, ErrorCode::InvalidArgument) << query;
  EXPECT_FALSE(parsed.error().remedy.empty()) << query;
  return parsed.error().cause;
}

TEST(WordQuery, WantsAllWordsInAnyOrder) {
  EXPECT_TRUE(finds("loss epoch", "epoch 3 loss 0.5"));
  EXPECT_FALSE(finds("loss epoch", "epoch 3"));
  EXPECT_TRUE(finds("LOSS", "loss 0.5"));
  EXPECT_FALSE(finds("LOSS", "loss 0.5", true));
  EXPECT_TRUE(finds("", "anything"));
  EXPECT_TRUE(finds("   ", "anything"));
}

TEST(WordQuery, ExcludesAndQuotes) {
  EXPECT_TRUE(finds("nccl -heartbeat", "NCCL abort"));
  EXPECT_FALSE(finds("nccl -heartbeat", "NCCL heartbeat"));
  EXPECT_TRUE(finds("\"step 12\"", "step 12 done"));
  EXPECT_FALSE(finds("\"step 12\"", "12 step"));
  EXPECT_TRUE(finds(R"("say \"hi\" \\ x")", R"(they say "hi" \ x)"));
  EXPECT_TRUE(finds("\"-x\"", "a -x"));
  EXPECT_FALSE(finds("-\"a b\"", "a b"));
  EXPECT_TRUE(finds("a - b", "a - b"));  // a dash alone is a word
  EXPECT_FALSE(finds("a - b", "a b"));
}

TEST(WordQuery, CombinesWithAndOrNot) {
  EXPECT_TRUE(finds("a OR b", "b"));
  EXPECT_TRUE(finds("x AND y OR z", "z"));
  EXPECT_FALSE(finds("x AND (y OR z)", "z"));
  EXPECT_TRUE(finds("x (y OR z)", "x z"));
  EXPECT_TRUE(finds("NOT a", "b"));
  EXPECT_FALSE(finds("NOT (a OR b)", "b"));
  EXPECT_TRUE(finds("NOT NOT a", "a"));
  EXPECT_TRUE(finds("and or not", "or not and"));  // small letters are words
  EXPECT_TRUE(finds("ANDROID", "android"));
  EXPECT_TRUE(finds("-(a OR b) c", "c"));
}

TEST(WordQuery, ParenthesesOfAWordBelongToIt) {
  EXPECT_TRUE(finds("step(3)", "step(3) done"));
  EXPECT_TRUE(finds("(step(3) OR x)", "step(3)"));
  EXPECT_TRUE(finds("done)", "(all done)"));
}

TEST(WordQuery, SaysWhereAMistakeIs) {
  EXPECT_EQ(mistakeOf("a \"b"), "the quote at character 3 has no end");
  EXPECT_EQ(mistakeOf("a (b OR c"), "the parenthesis at character 3 has no end");
  EXPECT_EQ(mistakeOf("a OR"), "something has to follow OR at character 3");
  EXPECT_EQ(mistakeOf("a AND"), "something has to follow AND at character 3");
  EXPECT_EQ(mistakeOf("a OR OR b"), "something has to follow OR at character 3");
  EXPECT_EQ(mistakeOf("NOT"), "something has to follow NOT at character 1");
  EXPECT_EQ(mistakeOf("OR a"), "something has to stand before OR");
  EXPECT_EQ(mistakeOf("AND a"), "something has to stand before AND");
  EXPECT_NE(mistakeOf(std::string(5000, 'a')), "");
  EXPECT_NE(mistakeOf(std::string(200, '(') + "a" + std::string(200, ')')), "");
  EXPECT_NE(mistakeOf(std::string(200, '-') + "a"), "");
}

TEST(WordQuery, TellsWhatToMark) {
  const auto query = parseWordQuery("nccl (timeout OR \"time out\") -beat NOT (x y)");
  ASSERT_TRUE(query);
  EXPECT_EQ(wantedTexts(*query), (std::vector<std::string>{"nccl", "timeout", "time out"}));
}

}  // namespace
}  // namespace lockstep
