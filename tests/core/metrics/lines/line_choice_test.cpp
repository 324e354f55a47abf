// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/lines/line_choice.h"

#include <gtest/gtest.h>

#include "metrics/lines/line_matcher.h"
#include "metrics/lines/printed_samples.h"

namespace lockstep {
namespace {

using namespace std::chrono_literals;

LineChoice choiceOf(const std::string& text) {
  const auto choice = lineChoiceFrom(text);
  EXPECT_TRUE(choice) << text << ": " << describe(choice.error());
  return choice.value_or(LineChoice{});
}

TEST(LineChoice, IsWhatPeopleWrite) {
  EXPECT_TRUE(choiceOf("").isDefault());
  EXPECT_FALSE(choiceOf("off").isOn);
  const LineChoice some = choiceOf("keras, tqdm");
  EXPECT_EQ(some.off.size(), lineRules().size() - 2);
  EXPECT_FALSE(some.off.contains("keras"));
  EXPECT_TRUE(some.off.contains("json"));
  const LineChoice own = choiceOf(R"(it (?<step>\d+),? cost=(?<loss>\S+))");
  EXPECT_TRUE(own.off.empty());
  EXPECT_EQ(own.own.size(), 1U);
}

TEST(LineChoice, WhatIsNoneIsSaidWithWhatThereIs) {
  for (const char* wrong : {"kers", "keras,tdqm", "(?<loss>", "loss (\\d+)"}) {
    const auto choice = lineChoiceFrom(wrong);
    ASSERT_FALSE(choice) << wrong;
    EXPECT_NE(choice.error().remedy.find("keras"), std::string::npos) << describe(choice.error());
  }
  EXPECT_FALSE(checkOwnRule("loss"));
  EXPECT_TRUE(checkOwnRule("loss (?<loss>\\S+)"));
}

TEST(LineChoice, IsKeptAsItIs) {
  for (const LineChoice& choice :
       {LineChoice{}, LineChoice{false, {}, {}}, LineChoice{true, {"keras", "json"}, {}},
        LineChoice{true, {}, {"\"q\" (?<loss>\\S+)", "ü (?<own>\\d+)"}}})
    EXPECT_EQ(keptLineChoice(keptText(choice)), choice) << keptText(choice);
}

TEST(LineChoice, WhatCannotBeUsedIsLeftOut) {
  EXPECT_TRUE(keptLineChoice("").isDefault());
  EXPECT_TRUE(keptLineChoice("[1]").isDefault());
  EXPECT_TRUE(keptLineChoice(R"({"on":7,"off":3,"own":{"a":1}})").isDefault());
  const LineChoice some = keptLineChoice(
      R"x({"on":false,"off":["keras","of another version",5],"own":["(?<loss>","(?<loss>\\S+)",null]})x");
  EXPECT_EQ(some, (LineChoice{false, {"keras"}, {"(?<loss>\\S+)"}}));
  std::string many = R"({"own":[)";
  for (int i = 0; i < 40; ++i) many += std::string(i > 0 ? "," : "") + R"x("(?<loss>\\S+)")x";
  EXPECT_EQ(keptLineChoice(many + "]}").own.size(), 16U);
}

TEST(LineChoice, OnlyItsRulesAreTried) {
  auto some = LineMatcher::open(choiceOf("json"));
  ASSERT_TRUE(some);
  EXPECT_EQ(some->rules().size(), 1U);
  EXPECT_FALSE(some->match("step 1: loss 0.5"));
  EXPECT_TRUE(some->match(R"({"step": 1, "loss": 0.5})"));
  auto none = LineMatcher::open(choiceOf("off"));
  ASSERT_TRUE(none);
  EXPECT_FALSE(none->match(R"({"step": 1, "loss": 0.5})"));
}

TEST(PrintedSampleUses, SayWhichRuleReadHowManyLinesAndSinceWhen) {
  PrintedSamples samples;
  const TimePoint begin(1'800'000'000s);
  samples.add(Rank(0), begin, "hello");
  EXPECT_TRUE(samples.uses().empty());
  for (int step = 0; step < 5; ++step)
    for (const int rank : {0, 1})
      samples.add(Rank(rank), begin + std::chrono::seconds(step + 1),
                  "\x1b[32mstep " + std::to_string(step) + ": loss 0.5\x1b[0m");
  samples.add(std::nullopt, begin, "step 9: loss 0.5");
  const auto uses = samples.uses();
  ASSERT_EQ(uses.size(), 1U);
  EXPECT_EQ(uses[0].id, "step");
  EXPECT_EQ(uses[0].lines, 10);
  EXPECT_EQ(uses[0].since, begin + 1s);
  EXPECT_EQ(uses[0].example, "step 0: loss 0.5");
  EXPECT_TRUE(uses[0].isActive);
  EXPECT_EQ(uses[0].offBecause, "");
  EXPECT_EQ(uses[0].pattern, "");
}

TEST(PrintedSampleUses, AnExpressionOfOnesOwnAndOneThatIsGivenUp) {
  PrintedSamples own(choiceOf("cost=(?<cost>\\S+)"));
  own.add(Rank(0), TimePoint(1'800'000'000s), "cost=1 " + std::string(1000, 'x'));
  const auto uses = own.uses();
  ASSERT_EQ(uses.size(), 1U);
  EXPECT_EQ(uses[0].id, "own");
  EXPECT_EQ(uses[0].pattern, "cost=(?<cost>\\S+)");
  EXPECT_LE(uses[0].example.size(), 210U);
  PrintedSamples back;
  for (int step = 40; step > 0; --step)
    back.add(Rank(0), TimePoint(1'800'000'000s), "step " + std::to_string(step) + ": loss 0.5");
  ASSERT_EQ(back.uses().size(), 1U);
  EXPECT_NE(back.uses()[0].offBecause, "");
  EXPECT_FALSE(back.uses()[0].isActive);
}

}  // namespace
}  // namespace lockstep
