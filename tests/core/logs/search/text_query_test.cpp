// SPDX-License-Identifier: GPL-3.0-or-later
#include "logs/search/text_query.h"

#include <gtest/gtest.h>

#include <random>

namespace lockstep {
namespace {

bool matches(std::string_view typed, std::string_view text, bool isCaseSensitive = false) {
  const auto query = TextQuery::parse(typed, isCaseSensitive);
  EXPECT_TRUE(query) << typed << ": " << (query ? "" : describe(query.error()));
  return query && TextScan(*query).matches(text);
}

TEST(TextQuery, CombinesTerms) {
  EXPECT_TRUE(matches("", "anything"));
  EXPECT_TRUE(matches("   ", ""));
  EXPECT_TRUE(matches("loss", "the LOSS is"));
  EXPECT_FALSE(matches("loss", "the LOSS is", true));
  EXPECT_TRUE(matches("loss epoch", "epoch 1 loss 2")) << "beside each other: both";
  EXPECT_FALSE(matches("loss AND nan", "loss 2"));
  EXPECT_TRUE(matches("nan OR loss", "loss 2"));
  EXPECT_TRUE(matches("nccl AND NOT heartbeat", "NCCL timeout"));
  EXPECT_FALSE(matches("nccl && !heartbeat", "NCCL heartbeat"));
  EXPECT_TRUE(matches("a b || c", "c")) << "and binds closer than or";
  EXPECT_FALSE(matches("a (b || c)", "c"));
  EXPECT_TRUE(matches("NOT NOT a", "a"));
  EXPECT_TRUE(matches("not", "it is not"));
  EXPECT_TRUE(matches("ANDROID ORDER NOTHING", "nothing order android")) << "words that begin like others";
}

TEST(TextQuery, ADashIsANotBeforeWhatItStandsAt) {
  EXPECT_TRUE(matches("nccl -heartbeat", "NCCL abort"));
  EXPECT_FALSE(matches("nccl -heartbeat", "NCCL heartbeat"));
  EXPECT_FALSE(matches("-\"a b\"", "a b"));
  EXPECT_TRUE(matches("-(a OR b) c", "c"));
  EXPECT_TRUE(matches("\"-x\"", "a -x"));
  EXPECT_TRUE(matches("a-b", "a-b"));
  EXPECT_TRUE(matches("a - b", "a - b")) << "a dash alone is a word";
  EXPECT_FALSE(matches("a - b", "a b"));
  EXPECT_FALSE(TextQuery::parse(std::string(200, '-') + "a"));
}

TEST(TextQuery, ReadsQuotesAndExpressions) {
  EXPECT_TRUE(matches("\"out of memory\"", "CUDA out of memory"));
  EXPECT_TRUE(matches(R"("say \"x\" \\ y")", R"(say "x" \ y)"));
  EXPECT_TRUE(matches("\"AND\"", "this and that"));
  EXPECT_TRUE(matches(R"(/lo+s{2}: [0-9.]+$/)", "LOOSS: 1.5"));
  EXPECT_FALSE(matches(R"(/lo+s{2}: [0-9.]+$/)", "LOOSS: x"));
  EXPECT_TRUE(matches(R"(/a\/b\d/)", "xa/b7"));
  EXPECT_TRUE(matches("/usr/lib", "in /usr/lib/x")) << "a path is a word";
  EXPECT_TRUE(matches("(/a|b/) c", "b c"));
  EXPECT_TRUE(matches("it's", "it's"));
  EXPECT_TRUE(matches("a.b", "a.b"));
  EXPECT_FALSE(matches("a.b", "aXb"));
}

TEST(TextQuery, WhatCannotBeReadIsNamedWithItsPlace) {
  const std::pair<const char*, const char*> wrong[] = {
      {"(a", "character 3"},  {"a)", "character 2"},  {"a AND", "character 6"}, {"OR a", "character 1"},
      {"\"a", "character 1"}, {"NOT", "character 4"}, {"\"\"", "character 3"},  {"()", "character 2"}};
  for (const auto& [typed, where] : wrong) {
    const auto query = TextQuery::parse(typed);
    ASSERT_FALSE(query) << typed;
    EXPECT_EQ(query.error().code, ErrorCode::InvalidArgument);
    EXPECT_EQ(query.error().where, where) << typed;
    EXPECT_FALSE(query.error().cause.empty());
    EXPECT_FALSE(query.error().remedy.empty());
  }
  EXPECT_FALSE(TextQuery::parse("/(/"));
  EXPECT_FALSE(TextQuery::parse(std::string(1000, '(')));
  EXPECT_FALSE(TextQuery::parse(std::string(4000, '!')));
  EXPECT_FALSE(TextQuery::parse(std::string(10'000, 'a')));
}

TEST(TextQuery, SaysWhatToColour) {
  const auto query = TextQuery::parse("loss OR /n[a]n/ NOT nan AND step");
  ASSERT_TRUE(query);
  EXPECT_EQ(query->positiveTerms().size(), 3U);
  TextScan scan(*query);
  using Places = std::vector<std::pair<std::size_t, std::size_t>>;
  EXPECT_EQ(scan.places("step nan loss loss"), (Places{{0, 4}, {5, 8}, {9, 13}, {14, 18}}));
  EXPECT_EQ(scan.places(std::string(10'000, 'x') + "loss", 5).size(), 1U);
  EXPECT_TRUE(scan.places("nothing").empty());
}

TEST(TextQuery, AHardExpressionEndsAndSaysSo) {
  const auto query = TextQuery::of({"(a+)+$", true, true});
  ASSERT_TRUE(query);
  TextScan scan(*query);
  EXPECT_TRUE(scan.matches("aaa"));
  EXPECT_FALSE(scan.tooHard());
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < 10'000; ++i) EXPECT_FALSE(scan.matches(std::string(200, 'a') + "!"));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
  ASSERT_TRUE(scan.tooHard());
  EXPECT_NE(scan.tooHard()->what.find("(a+)+$"), std::string::npos);
}

/// The lines of a text that match, by seeking in all of it.
std::vector<std::size_t> sought(const TextQuery& query, std::string_view text) {
  TextScan scan(query);
  std::vector<std::size_t> lines;
  std::size_t at = 0, line = 0;
  for (auto hit = scan.seek(text, at); hit != std::string_view::npos; hit = scan.seek(text, at)) {
    EXPECT_GE(hit, at);
    for (; text.find('\n', at) < hit; ++line) at = text.find('\n', at) + 1;
    std::string_view found = text.substr(at, text.find('\n', at) - at);
    const std::size_t next = at + found.size() + 1;
    if (found.ends_with('\r')) found.remove_suffix(1);
    if (scan.matches(found)) lines.push_back(line);
    at = next;
    ++line;
  }
  return lines;
}

// Searching a whole text finds the lines that asking one by one finds: drawn expressions of everything that may look
// beyond a line, over drawn texts.
TEST(TextQuery, SeekingFindsWhatAskingEachLineFinds) {
  const char* const kTerms[] = {
      "a",          "/a$/",        "/^a/",       "/^$/",      "/a(?!\\s)/", "/a\\s*+$/",     "/(?<!\\n)b/",
      "/\\Ab/",     "/b\\z/",      "/a\\s+b/",   "/[^b]+$/",  "/\\bc\\b/",  "/a|c$/",        "/(?>a+)b/",
      "/(?i:B)c/",  "/.b/",        "/\\R/",      "/a++b/",    "/(?=b)b$/",  "/[^a]b/",       "/\\Bb/",
      "/(a|b)\\1/", "/a{2}+/",     "/(?<n>a)b/", "/\\x61/",   "/c\\N*a/",   "/(*ANYCRLF)a/", "/é/",
      "/./",        "/\\S\\s\\S/", "/b(?#x)c/",  "/(?m)^b$/", "/(?-m)^b$/", "/(?s)a.b/",     "/a\\Z/"};
  std::mt19937 random(23);
  for (int round = 0; round < 4000; ++round) {
    std::string typed = kTerms[random() % std::size(kTerms)];
    for (auto n = random() % 3; n > 0; --n)
      typed += std::string(random() % 2 ? " AND " : " OR ") + (random() % 3 == 0 ? "NOT " : "") +
               kTerms[random() % std::size(kTerms)];
    const auto query = TextQuery::parse(typed, random() % 2 == 0);
    ASSERT_TRUE(query) << typed;
    std::string text;
    constexpr std::string_view kLetters = "aabbcc \n\n\r\xC3\xA9\xFF";
    for (auto n = random() % 120; n > 0; --n) text += kLetters[random() % kLetters.size()];
    std::vector<std::size_t> asked;
    TextScan scan(*query);
    std::size_t line = 0;
    for (std::string_view rest = text; !rest.empty(); ++line) {
      std::string_view one = rest.substr(0, rest.find('\n'));
      rest.remove_prefix(std::min(rest.size(), one.size() + 1));
      if (one.ends_with('\r')) one.remove_suffix(1);
      if (scan.matches(one)) asked.push_back(line);
    }
    ASSERT_EQ(sought(*query, text), asked) << typed << " in '" << text << "'";
  }
}

TEST(TextQuery, TwoCanBeWantedAtOnce) {
  const auto parsed = [](std::string_view typed) { return TextQuery::parse(typed).value(); };
  const TextQuery both = TextQuery::both(parsed("a OR b"), parsed("c AND NOT d"));
  EXPECT_TRUE(TextScan(both).matches("b c"));
  EXPECT_FALSE(TextScan(both).matches("b"));
  EXPECT_FALSE(TextScan(both).matches("c"));
  EXPECT_FALSE(TextScan(both).matches("a c d"));
  EXPECT_EQ(both.positiveTerms().size(), 3U);
  EXPECT_TRUE(TextScan(TextQuery::both(parsed(""), parsed("x"))).matches("x"));
  EXPECT_FALSE(TextScan(TextQuery::both(parsed("x"), parsed(""))).matches("y"));
  EXPECT_TRUE(TextQuery::both(parsed(""), parsed("")).wantsAll());
}

}  // namespace
}  // namespace lockstep
