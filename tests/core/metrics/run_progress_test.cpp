// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/run_progress.h"

#include <gtest/gtest.h>

namespace lockstep {
namespace {

using namespace std::chrono_literals;

const TimePoint kStart{1000s};

MetricSeriesBatch losses(int rank, Step from, Step to) {
  MetricSeriesBatch batch{std::string(metric::kLoss), Rank(rank), {}};
  for (Step step = from; step <= to; ++step) batch.points.push_back({step, kStart + step * 100ms, 1.0});
  return batch;
}

MetricSeriesBatch single(std::string_view name, double value, TimePoint time = kStart) {
  return {std::string(name), Rank(0), {{0, time, value}}};
}

/// A run that is looked at again and again.
class LiveRun {
 public:
  void add(const std::vector<MetricSeriesBatch>& batches) {
    metrics_.add(batches);
    progress_.update(metrics_);
  }
  const RunProgress* operator->() const { return &progress_; }

 private:
  MetricStore metrics_;
  RunProgress progress_;
};

TEST(RunProgress, KnowsNothingBeforeTheFirstSample) {
  const RunProgress progress;
  EXPECT_EQ(progress.stepsDone(), std::nullopt);
  EXPECT_EQ(progress.totalSteps(), std::nullopt);
  EXPECT_EQ(progress.accuracyPercent(), std::nullopt);
  EXPECT_EQ(progress.remaining(kStart), std::nullopt);
}

TEST(RunProgress, CountsTheStepsOfTheSlowestRank) {
  LiveRun progress;
  progress.add({losses(0, 0, 41), losses(1, 0, 39)});
  EXPECT_EQ(progress->stepsDone(), 40);
}

// Of a long past the summaries come first: what follows is of the past, and the run is no less far for it.
TEST(RunProgress, WhatComesLaterAndIsOlderTakesNothingBack) {
  LiveRun progress;
  progress.add({single(metric::kTotalSteps, 1000, kStart + 1s), losses(0, 900, 999)});
  progress.add({single(metric::kTotalSteps, 10, kStart), losses(0, 0, 899)});
  EXPECT_EQ(progress->stepsDone(), 1000);
  EXPECT_EQ(progress->totalSteps(), 1000);
  EXPECT_EQ(progress->remaining(kStart + 1000 * 100ms), 0s);
}

TEST(RunProgress, ARestartTakesStepsBack) {
  LiveRun progress;
  progress.add({losses(0, 0, 99)});
  MetricSeriesBatch again{std::string(metric::kLoss), Rank(0), {{50, kStart + 1h, 1.0}}};
  progress.add({again});
  EXPECT_EQ(progress->stepsDone(), 51);
}

TEST(RunProgress, ExtrapolatesThePaceOfTheLastSteps) {
  LiveRun progress;
  progress.add({single(metric::kTotalSteps, 101), losses(0, 0, 50)});
  EXPECT_EQ(progress->totalSteps(), 101);
  // 50 steps are left, 0.1 s each, and one second of that is over already.
  EXPECT_EQ(progress->remaining(kStart + 50 * 100ms), 5s);
  EXPECT_EQ(progress->remaining(kStart + 50 * 100ms + 1s), 4s);
}

TEST(RunProgress, ARunThatStandsStillHasNoTimeLeftButATimeThatItHasStood) {
  LiveRun progress;
  progress.add({single(metric::kTotalSteps, 101), losses(0, 0, 50)});
  const TimePoint last = kStart + 50 * 100ms;
  EXPECT_EQ(progress->stalledFor(last + 14s), std::nullopt);
  EXPECT_EQ(progress->stalledFor(last + 15s), 15s);
  EXPECT_EQ(progress->remaining(last + 15s), std::nullopt);
  progress.add({losses(0, 51, 100)});
  EXPECT_EQ(progress->stalledFor(last + 1h), std::nullopt) << "after its last step nothing is awaited";
}

TEST(RunProgress, SlowStepsAreNoStall) {
  LiveRun progress;
  MetricSeriesBatch slow{std::string(metric::kLoss), Rank(0), {}};
  for (Step step = 0; step < 5; ++step) slow.points.push_back({step, kStart + step * 20s, 1.0});
  progress.add({slow});
  EXPECT_EQ(progress->stalledFor(kStart + 80s + 199s), std::nullopt);
  EXPECT_EQ(progress->stalledFor(kStart + 80s + 200s), 200s);
}

TEST(RunProgress, FollowsAChangeOfPace) {
  LiveRun progress;
  progress.add({single(metric::kTotalSteps, 2001), losses(0, 0, 999)});
  MetricSeriesBatch slow{std::string(metric::kLoss), Rank(0), {}};
  const TimePoint middle = kStart + 1000 * 100ms;
  for (Step step = 1000; step < 1500; ++step) slow.points.push_back({step, middle + (step - 1000) * 1s, 1.0});
  progress.add({slow});
  const TimePoint now = slow.points.back().time;
  ASSERT_TRUE(progress->remaining(now));
  EXPECT_EQ(*progress->remaining(now), 501s);
}

TEST(RunProgress, HasNoPaceWithOneSampleOrWithoutATotal) {
  LiveRun one;
  one.add({single(metric::kTotalSteps, 10), losses(0, 3, 3)});
  EXPECT_EQ(one->remaining(kStart + 1s), std::nullopt);
  LiveRun endless;
  endless.add({losses(0, 0, 10)});
  EXPECT_EQ(endless->remaining(kStart + 2s), std::nullopt);
  EXPECT_EQ(endless->stepsDone(), 11);
}

TEST(RunProgress, ShowsTheNewestAccuracyHoweverItArrives) {
  LiveRun progress;
  progress.add({single(metric::kAccuracy, 55.5, kStart + 20s)});
  progress.add({single(metric::kAccuracy, 33.3, kStart + 10s)});
  EXPECT_EQ(progress->accuracyPercent(), 55.5);
}

TEST(RunProgress, ATotalThatIsNoNumberOfStepsIsNone) {
  LiveRun progress;
  progress.add({single(metric::kTotalSteps, 0), losses(0, 0, 10)});
  EXPECT_EQ(progress->totalSteps(), std::nullopt);
}

}  // namespace
}  // namespace lockstep
