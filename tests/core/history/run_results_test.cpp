// SPDX-License-Identifier: GPL-3.0-or-later
#include "history/run_results.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

using namespace lockstep;
using namespace std::chrono_literals;

namespace {

const TimePoint kBegin(1'800'000'000s);

void add(MetricStore& store, std::string_view metric, int rank, Step steps,
         const std::function<double(Step)>& value, Step first = 0) {
  MetricSeriesBatch batch{std::string(metric), Rank(rank), {}};
  for (Step step = first; step < first + steps; ++step)
    batch.points.push_back({step, kBegin + step * 1s, value(step)});
  store.add(batch);
}

const RunResult& resultOf(const std::vector<RunResult>& results, std::string_view metric) {
  static const RunResult kNone;
  const RunResult* found = resultNamed(results, metric);
  EXPECT_NE(found, nullptr) << metric;
  return found == nullptr ? kNone : *found;
}

}  // namespace

TEST(RunResults, LastAndBestAreWhatTheCatalogueSaysOfAllRanks) {
  MetricStore store;
  add(store, metric::kLoss, 0, 10, [](Step s) { return s == 6 ? 0.5 : 2.0 - 0.1 * static_cast<double>(s); });
  add(store, metric::kLoss, 1, 10, [](Step s) { return s == 6 ? 0.7 : 3.0 - 0.1 * static_cast<double>(s); });
  add(store, metric::kSamplesPerSecond, 0, 10, [](Step) { return 100; });
  add(store, metric::kSamplesPerSecond, 1, 10, [](Step s) { return s == 3 ? 140 : 120; });
  add(
      store, metric::kAccuracy, 0, 1, [](Step) { return 91; }, 9);
  add(store, metric::kLearningRate, 0, 10, [](Step) { return 1; });
  const auto results = resultsOf(store);
  EXPECT_EQ(results.size(), 3u);  // the learning rate is no result
  const RunResult& loss = resultOf(results, metric::kLoss);
  EXPECT_NEAR(loss.last, (1.1 + 2.1) / 2, 1e-6);
  EXPECT_EQ(loss.lastStep, 9);
  EXPECT_NEAR(*loss.best, 0.6, 1e-6);
  EXPECT_EQ(loss.bestStep, 6);
  EXPECT_FALSE(loss.error);  // of ten values nobody can tell
  const RunResult& rate = resultOf(results, metric::kSamplesPerSecond);
  EXPECT_NEAR(rate.last, 220, 1e-6);
  EXPECT_NEAR(*rate.best, 240, 1e-6);
  EXPECT_NEAR(*resultOf(results, metric::kAccuracy).best, 91, 1e-6);
}

TEST(RunResults, TheScriptsOwnQuantitiesAreKeptWithoutABest) {
  MetricStore store;
  add(store, "dice", 0, 5, [](Step s) { return static_cast<double>(s); });
  const auto results = resultsOf(store);
  EXPECT_EQ(resultOf(results, "dice").last, 4);
  EXPECT_FALSE(resultOf(results, "dice").best);
}

TEST(RunResults, AreBounded) {
  MetricStore store;
  for (int i = 0; i < 3 * kMaxOwnResults; ++i)
    add(store, "own" + std::to_string(i), 0, 1, [](Step) { return 1; });
  add(store, std::string(kMaxResultName + 1, 'a'), 0, 1, [](Step) { return 1; });
  EXPECT_EQ(resultsOf(store).size(), static_cast<std::size_t>(kMaxOwnResults));
}

TEST(RunResults, WhatIsNotFiniteIsNoResult) {
  MetricStore store;
  add(store, metric::kLoss, 0, 4, [](Step s) { return s < 2 ? 1.0 : std::nan(""); });
  const auto results = resultsOf(store);
  for (const RunResult& result : results) EXPECT_TRUE(std::isfinite(result.last));
}

TEST(RunResults, TheMeanOfTheLastFifthKnowsHowSureItIs) {
  MetricStore store;
  std::mt19937 random(7);
  std::normal_distribution<double> noise(0, 0.5);
  add(store, metric::kLoss, 0, 5000, [&](Step) { return 2 + noise(random); });
  const RunResult loss = resultOf(resultsOf(store), metric::kLoss);
  ASSERT_TRUE(loss.mean && loss.error);
  EXPECT_NEAR(*loss.mean, 2, 5 * *loss.error);
  EXPECT_NEAR(*loss.error, 0.5 / std::sqrt(1000), 0.5 / std::sqrt(1000));  // a thousand independent values
  EXPECT_GT(*loss.error, 0);
}

TEST(RunCurve, IsOneValueAStepAndManyStepsAreOneStretch) {
  MetricStore store;
  add(store, metric::kLoss, 0, 100, [](Step s) { return static_cast<double>(s); });
  EXPECT_EQ(curveOf(store, metric::kLoss).parts.size(), 100u);
  MetricStore longer;
  add(longer, metric::kLoss, 0, 100'000, [](Step s) { return s == 50'000 ? 1e6 : 1.0; });
  const RunCurve curve = curveOf(longer, metric::kLoss);
  EXPECT_LE(curve.parts.size(), static_cast<std::size_t>(kCurveParts));
  double max = 0;
  for (const RunCurve::Part& part : curve.parts) max = std::max(max, part.max);
  EXPECT_EQ(max, 1e6);  // no spike is lost
  EXPECT_TRUE(curveOf(store, "unheard of").parts.empty());
}

TEST(RunCurve, ASumOfSomeOfTheRanksIsNone) {
  MetricStore store;
  add(store, metric::kSamplesPerSecond, 0, 10, [](Step) { return 5; });
  add(store, metric::kSamplesPerSecond, 1, 6, [](Step) { return 5; });
  const RunCurve curve = curveOf(store, metric::kSamplesPerSecond);
  EXPECT_EQ(curve.parts.size(), 6u);
  for (const RunCurve::Part& part : curve.parts) EXPECT_EQ(part.value, 10);
}

TEST(MeanOf, BatchesOfNeighboursTellThatNeighboursResembleEachOther) {
  std::mt19937 random(3);
  std::normal_distribution<double> noise(0, 1);
  std::vector<double> independent, slow;
  double drift = 0;
  for (int i = 0; i < 1600; ++i) {
    independent.push_back(noise(random));
    drift = 0.98 * drift + 0.2 * noise(random);  // about the same scatter, long memory
    slow.push_back(drift);
  }
  EXPECT_GT(*meanOf(slow)->error, 2 * *meanOf(independent)->error);
  EXPECT_FALSE(meanOf({}));
  EXPECT_FALSE(meanOf(std::vector<double>{1, 2})->error);
  EXPECT_EQ(meanOf(std::vector<double>(100, 3.0))->error, 0);
}
