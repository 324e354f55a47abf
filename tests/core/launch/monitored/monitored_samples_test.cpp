// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/monitored/monitored_samples.h"

#include <gtest/gtest.h>

#include "metrics/metric_store.h"
#include "monitored_service.h"

namespace lockstep {
namespace {

using namespace std::chrono_literals;

const TimePoint kBegin(1'767'225'600s);

struct MonitoredSamplesTest : testing::Test {
  TrainingRun run = monitoredRun(2, kBegin);
  std::map<std::string, Rank> firstRanks{{run.nodes[0].id.value, Rank(0)}, {run.nodes[1].id.value, Rank(4)}};
  MonitoredSamples samples;

  void report(int rank, std::vector<std::pair<std::chrono::seconds, Step>> steps) {
    MetricSeriesBatch batch{std::string(metric::kLoss), Rank(rank), {}, {}};
    for (const auto& [after, step] : steps) batch.points.push_back({step, kBegin + after, 1});
    samples.note(std::span(&batch, 1));
    store.add(batch);
  }
  void measure(std::size_t node, std::chrono::seconds after, double value) {
    samples.add({{run.nodes[node].id, metric::kNodeCpuPercent, kBegin + after, value}});
  }
  std::vector<MetricPoint> take(std::chrono::seconds now, bool isAll = false, int rank = 0) {
    const auto batches = samples.take(run, firstRanks, kBegin + now, isAll);
    store.add(batches);
    for (const MetricSeriesBatch& batch : batches)
      if (batch.rank == Rank(rank)) return batch.points;
    return {};
  }
  MetricStore store;
};

TEST_F(MonitoredSamplesTest, AValueBelongsToTheStepReportedBefore) {
  report(0, {{10s, 100}, {50s, 500}, {100s, 1000}});
  measure(0, 30s, 1);
  measure(0, 90s, 2);
  measure(0, 5s, 3);
  const auto points = take(130s);
  ASSERT_EQ(points.size(), 3U);
  EXPECT_EQ(points[0].step, 100) << "the first step, of what was before it";
  EXPECT_EQ(points[1].step, 100);
  EXPECT_EQ(points[2].step, 500);
  EXPECT_EQ(store.attempts(Rank(0)).size(), 1U) << "no restart";
}

TEST_F(MonitoredSamplesTest, AValueWaitsForTheReportsOfItsTime) {
  report(0, {{10s, 100}});
  measure(0, 90s, 1);
  EXPECT_TRUE(take(100s).empty()) << "the rank may be further by now";
  EXPECT_TRUE(samples.isWaiting());
  report(0, {{80s, 800}, {120s, 1200}});
  const auto points = take(125s);
  ASSERT_EQ(points.size(), 1U);
  EXPECT_EQ(points[0].step, 800);
  EXPECT_EQ(store.attempts(Rank(0)).size(), 1U) << "no restart";
  measure(0, 150s, 2);
  EXPECT_TRUE(take(200s).empty());
  EXPECT_EQ(take(300s).size(), 1U) << "it reports nothing more";
  measure(0, 290s, 3);
  EXPECT_EQ(take(300s, true).size(), 1U) << "the run is over";
  EXPECT_FALSE(samples.isWaiting());
}

TEST_F(MonitoredSamplesTest, NodesThatReportNothingAreWhereTheFirstRankIs) {
  report(0, {{10s, 100}, {100s, 1000}});
  measure(1, 50s, 7);
  const auto points = take(110s, false, 4);
  ASSERT_EQ(points.size(), 1U);
  EXPECT_EQ(points[0].step, 100);
}

TEST_F(MonitoredSamplesTest, WithoutAnyStepSecondsStandForThem) {
  measure(0, 30s, 1);
  EXPECT_TRUE(take(100s).empty());
  const auto points = take(200s);
  ASSERT_EQ(points.size(), 1U);
  EXPECT_EQ(points[0].step, 30);
}

TEST_F(MonitoredSamplesTest, ARestartThatTheReportsShowStaysOne) {
  report(0, {{10s, 100}, {50s, 500}, {70s, 200}, {130s, 600}});
  measure(0, 60s, 1);
  measure(0, 120s, 2);
  const auto points = take(140s);
  ASSERT_EQ(points.size(), 2U);
  EXPECT_EQ(points[0].step, 200) << "after the restart";
  EXPECT_EQ(points[1].step, 500) << "before";
  EXPECT_EQ(store.attempts(Rank(0)).size(), 2U);
}

TEST_F(MonitoredSamplesTest, WhatRunsNoRankIsLeftOut) {
  firstRanks.erase(run.nodes[1].id.value);
  measure(1, 30s, 1);
  EXPECT_TRUE(take(300s, true).empty());
  EXPECT_FALSE(samples.isWaiting());
}

TEST_F(MonitoredSamplesTest, ReportsOfManyQuantitiesAreOnePath) {
  for (int i = 0; i < 3; ++i)
    for (int step = 0; step < 60'000; step += 100) report(0, {{std::chrono::seconds(step / 100), step}});
  measure(0, 300s, 1);
  const auto points = take(700s);
  ASSERT_EQ(points.size(), 1U);
  EXPECT_EQ(points[0].step, 30'000);
}

}  // namespace
}  // namespace lockstep
