// SPDX-License-Identifier: GPL-3.0-or-later
#include "comparison/verdict.h"

#include <gtest/gtest.h>

using namespace lockstep;

namespace {

ComparedRun runNamed(const std::string& name, std::vector<RunResult> results) {
  ComparedRun run;
  run.run.id = RunId(name + "-1a2b");
  run.run.name = name;
  std::sort(results.begin(), results.end(),
            [](const RunResult& a, const RunResult& b) { return a.metric < b.metric; });
  run.results = std::move(results);
  return run;
}

RunResult mean(std::string_view metric, double value, std::optional<double> error) {
  return {std::string(metric), value, 100, value, 90, value, error};
}

const std::string kLoss(metric::kLoss);

}  // namespace

TEST(Verdict, ADifferenceBeyondItsUncertaintyIsClear) {
  const std::vector<ComparedRun> runs{runNamed("a", {mean(kLoss, 0.431, 0.0015)}),
                                      runNamed("b", {mean(kLoss, 0.4, 0.0014)})};
  const Verdict verdict = verdictOn(runs, kLoss);
  EXPECT_EQ(verdict.kind, Verdict::Kind::Clear);
  EXPECT_EQ(verdict.best, 1u);
  EXPECT_EQ(verdictLine(runs, kLoss), "b's loss is 0.031 ± 0.004 lower than a's");
}

TEST(Verdict, ADifferenceWithinItsUncertaintyIsNone) {
  const std::vector<ComparedRun> runs{runNamed("a", {mean(kLoss, 0.401, 0.0015)}),
                                      runNamed("b", {mean(kLoss, 0.4, 0.0014)})};
  EXPECT_EQ(verdictOn(runs, kLoss).kind, Verdict::Kind::Open);
  EXPECT_EQ(verdictLine(runs, kLoss), "no difference in loss between b and a can be told: 0.001 ± 0.004");
}

TEST(Verdict, WithoutAnErrorNobodyIsSure) {
  const std::vector<ComparedRun> runs{runNamed("a", {mean(kLoss, 0.5, {})}),
                                      runNamed("b", {mean(kLoss, 0.25, 0.01)})};
  EXPECT_EQ(verdictOn(runs, kLoss).kind, Verdict::Kind::Open);
  EXPECT_EQ(verdictLine(runs, kLoss),
            "b's loss is 0.25 lower than a's; too few values tell how sure that is");
}

TEST(Verdict, OfSeveralTheBestIsHeldAgainstTheNextAndLargerMayBeBetter) {
  const std::string rate(metric::kSamplesPerSecond);
  const std::vector<ComparedRun> runs{runNamed("a", {mean(kLoss, 0.4, 0.001), mean(rate, 100, 0.5)}),
                                      runNamed("b", {mean(kLoss, 0.4, 0.001), mean(rate, 120, 0.5)}),
                                      runNamed("c", {mean(kLoss, 0.9, 0.001), mean(rate, 110, 0.5)}),
                                      runNamed("d", {})};
  const Verdict verdict = verdictOn(runs, rate);
  EXPECT_TRUE(verdict.isLargerBetter);
  EXPECT_EQ(verdict.best, 1u);
  EXPECT_EQ(verdict.next, 2u);
  EXPECT_EQ(
      verdictLine(runs, kLoss),
      "no difference in loss between a and b can be told: 0.000 ± 0.003; b is 9.1 ± 1.3 % faster than c");
}

TEST(Verdict, NothingIsSaidWhereNothingIsKnown) {
  EXPECT_EQ(verdictOn({runNamed("a", {mean(kLoss, 1, 1)}), runNamed("b", {})}, kLoss).kind,
            Verdict::Kind::Unknown);
  EXPECT_EQ(verdictLine({runNamed("a", {}), runNamed("b", {})}, ""), "");
  EXPECT_EQ(
      verdictOn({runNamed("a", {mean("dice", 1, 0.1)}), runNamed("b", {mean("dice", 2, 0.1)})}, "dice").kind,
      Verdict::Kind::Unknown);
}

TEST(Rounded, KeepsTheDigitsThatTheUncertaintyLeaves) {
  EXPECT_EQ(rounded(0.03123, 0.0041).value, "0.031");
  EXPECT_EQ(rounded(0.03123, 0.0041).uncertainty, "0.004");
  EXPECT_EQ(rounded(123.4, 12.3).value, "123");
  EXPECT_EQ(rounded(5, 0.12).value, "5.00");
  EXPECT_EQ(rounded(5, 0.12).uncertainty, "0.12");
  EXPECT_EQ(rounded(5, {}).uncertainty, "");
  EXPECT_EQ(rounded(5, 0).uncertainty, "0");
}

TEST(ComparedRun, NamesThatAreThereTwiceAreTold) {
  const auto labels = labelsOf({runNamed("a", {}), runNamed("b", {}), runNamed("b", {})});
  EXPECT_EQ(labels, (std::vector<std::string>{"a", "b-1a2b", "b-1a2b"}));
}

TEST(ComparedRun, TheMainQuantityIsTheOneThatMostHave) {
  const std::string accuracy(metric::kAccuracy);
  EXPECT_EQ(mainMetricOf({runNamed("a", {mean(kLoss, 1, 1)}), runNamed("b", {mean(kLoss, 1, 1)})}), kLoss);
  EXPECT_EQ(mainMetricOf({runNamed("a", {mean(kLoss, 1, 1), mean(accuracy, 1, 1)}),
                          runNamed("b", {mean(accuracy, 1, 1)})}),
            accuracy);
  EXPECT_EQ(mainMetricOf({runNamed("a", {mean("dice", 1, 1)})}), "dice");
  EXPECT_EQ(metricsOf({runNamed("a", {mean("dice", 1, 1), mean(accuracy, 1, 1)}),
                       runNamed("b", {mean(kLoss, 1, 1)})}),
            (std::vector<std::string>{kLoss, accuracy, "dice"}));
}
