// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/search/run_query.h"

#include <gtest/gtest.h>

#include "base/time_text.h"

using namespace lockstep;
using Field = RunQuery::Field;
using Comparison = RunQuery::Comparison;

namespace {

const TimePoint kNow = *parseRfc3339("2026-11-27T12:00:00Z");

RunQuery parsed(const std::string& text) {
  auto query = parseRunQuery(text, kNow);
  EXPECT_TRUE(query) << text << ": " << (query ? "" : describe(query.error()));
  return query ? *query : RunQuery{};
}

Error refused(const std::string& text) {
  const auto query = parseRunQuery(text, kNow);
  EXPECT_FALSE(query) << text;
  return query ? Error{} : query.error();
}

double secondsOf(const char* time) {
  return std::chrono::duration<double>(parseRfc3339(time)->time_since_epoch()).count();
}

}  // namespace

TEST(RunQuery, NothingWantsAll) {
  EXPECT_TRUE(parsed("").wantsAll());
  EXPECT_TRUE(parsed(" \t ").wantsAll());
}

TEST(RunQuery, WordsFieldsAndQuotes) {
  const RunQuery query = parsed(R"(Cifar "two Words" tag:Baseline -name:"old one" STATE:fail)");
  ASSERT_EQ(query.terms.size(), 5u);
  EXPECT_EQ(query.terms[0].field, Field::Any);
  EXPECT_EQ(query.terms[0].text, "cifar");
  EXPECT_EQ(query.terms[1].text, "two words");
  EXPECT_EQ(query.terms[2].field, Field::Tag);
  EXPECT_EQ(query.terms[2].text, "baseline");
  EXPECT_TRUE(query.terms[3].isNegated);
  EXPECT_EQ(query.terms[3].field, Field::Name);
  EXPECT_EQ(query.terms[3].text, "old one");
  EXPECT_EQ(query.terms[4].field, Field::State);
}

TEST(RunQuery, Comparisons) {
  const RunQuery query = parsed("a_metric<0.3 nodes>=2 elapsed>1h cost!=0 x/y=-1e3 val-loss<=2");
  ASSERT_EQ(query.terms.size(), 6u);
  EXPECT_EQ(query.terms[0].text, "a_metric");
  EXPECT_EQ(query.terms[0].comparison, Comparison::Less);
  EXPECT_DOUBLE_EQ(query.terms[0].number, 0.3);
  EXPECT_EQ(query.terms[1].comparison, Comparison::AtLeast);
  EXPECT_DOUBLE_EQ(query.terms[2].number, 3600);
  EXPECT_EQ(query.terms[3].comparison, Comparison::Unequal);
  EXPECT_EQ(query.terms[4].text, "x/y");
  EXPECT_DOUBLE_EQ(query.terms[4].number, -1000);
  EXPECT_EQ(query.terms[5].text, "val-loss");
  EXPECT_EQ(query.terms[5].comparison, Comparison::AtMost);
}

TEST(RunQuery, Moments) {
  EXPECT_DOUBLE_EQ(parsed("created>2026-11-01").terms[0].number, secondsOf("2026-11-01T00:00:00Z"));
  EXPECT_DOUBLE_EQ(parsed("created<2026-11-01T08:30:00Z").terms[0].number, secondsOf("2026-11-01T08:30:00Z"));
  EXPECT_DOUBLE_EQ(parsed("finished>2d").terms[0].number, secondsOf("2026-11-25T12:00:00Z"));
}

TEST(RunQuery, ASignThatStandsAloneIsAWord) {
  EXPECT_EQ(parsed("- a").terms[0].text, "-");
  EXPECT_EQ(parsed("<3").terms[0].field, Field::Any);
}

TEST(RunQuery, ErrorsNameThePlaceAndTheWayOut) {
  EXPECT_EQ(refused("cifar nmae:x").where, "character 7");
  EXPECT_NE(refused("nmae:x").remedy.find("name:"), std::string::npos);
  EXPECT_EQ(refused("a \"b").where, "character 3");
  EXPECT_EQ(refused("a tag:").where, "character 7");
  EXPECT_EQ(refused("nodes>=many").where, "character 8");
  EXPECT_EQ(refused("elapsed>soon").where, "character 9");
  EXPECT_EQ(refused("created>2026-13-01").where, "character 9");
  EXPECT_EQ(refused("state:asleep").where, "character 7");
  EXPECT_EQ(refused("is:good").where, "character 4");
  EXPECT_EQ(refused("x!3").where, "character 2");
  EXPECT_EQ(refused("nodes>nan").where, "character 7");
}

TEST(RunQuery, IsBounded) {
  EXPECT_TRUE(parseRunQuery(std::string(kMaxQueryLength, 'a'), kNow));
  EXPECT_FALSE(parseRunQuery(std::string(kMaxQueryLength + 1, 'a'), kNow));
  std::string many;
  for (std::size_t i = 0; i < kMaxQueryTerms; ++i) many += "a ";
  EXPECT_TRUE(parseRunQuery(many, kNow));
  EXPECT_FALSE(parseRunQuery(many + "a", kNow));
}
