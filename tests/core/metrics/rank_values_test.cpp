// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/rank_values.h"

#include <gtest/gtest.h>

#include <string>

#include "metrics/run_progress.h"

namespace lockstep {
namespace {

using namespace std::chrono_literals;

MetricSeriesBatch sample(std::string_view name, int rank, Step step, TimePoint time, double value) {
  return {std::string(name), Rank(rank), {{step, time, value}}};
}

TEST(RankValues, AreTheNewestOfTheRankAlone) {
  MetricStore metrics;
  metrics.add(sample(metric::kLoss, 1, 7, TimePoint(10s), 3.0));
  metrics.add(sample(metric::kLoss, 1, 8, TimePoint(11s), 2.5));
  metrics.add(sample(metric::kCpuPercent, 1, 9, TimePoint(12s), 87));
  metrics.add(sample(metric::kLoss, 2, 20, TimePoint(99s), 1.0));
  const RankValues values = rankValues(metrics, Rank(1));
  EXPECT_EQ(values.step, 8) << "what uses the machine is sampled within steps, too";
  EXPECT_EQ(values.value(metric::kLoss), 2.5);
  EXPECT_EQ(values.value(metric::kCpuPercent), 87);
  EXPECT_EQ(values.newest, TimePoint(12s));
  EXPECT_FALSE(values.value(metric::kGpuPercent));
  EXPECT_EQ(ranksIn(metrics), (std::set<Rank>{Rank(1), Rank(2)}));
}

TEST(RankValues, OfARankThatMeasuredNothingThereAreNone) {
  const RankValues values = rankValues({}, Rank(3));
  EXPECT_FALSE(values.step);
  EXPECT_FALSE(values.newest);
  EXPECT_TRUE(ranksIn({}).empty());
}

TEST(StepProgress, IsTheSameOfAllSamplesAndOfWhatComesInPieces) {
  MetricStore metrics;
  RunProgress live;
  for (const MetricSeriesBatch& batch :
       {sample(metric::kTotalSteps, 0, 0, TimePoint(1s), 20), sample(metric::kLoss, 0, 5, TimePoint(2s), 1),
        sample(metric::kLoss, 1, 3, TimePoint(2s), 1), sample(metric::kLoss, 1, 4, TimePoint(3s), 1)}) {
    metrics.add(batch);
    live.update(metrics);
  }
  EXPECT_EQ(stepProgress(metrics).step, 5);
  EXPECT_EQ(live.stepsDone(), 5);
  EXPECT_EQ(stepProgress(metrics).total, 20);
  EXPECT_EQ(live.totalSteps(), 20);
}

}  // namespace
}  // namespace lockstep
