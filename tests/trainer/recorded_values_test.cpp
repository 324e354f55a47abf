// SPDX-License-Identifier: GPL-3.0-or-later
// What the trainer writes is what the catalogue of metrics says: no quantity beside it, and none of it left out.
#include "trainer/ddp/metrics/recorded_values.h"
#include "trainer/usage/usage_values.h"

#include <gtest/gtest.h>

#include <set>

#include "metrics/metric_reader.h"
#include "temp_dir.h"
#include "trainer/ddp/metrics/metrics_session.h"
#include "workdir/file_object_store.h"

namespace lockstep::trainer {
namespace {

StepRecord fullRecord() {
  StepRecord record;
  record.gradientNorm = record.tokensPerSecond = record.modelFlopsPercent = 1;
  return record;
}

Usage fullUsage() {
  Usage usage;
  usage.process = {1, 1, 1, 1};
  usage.node = {1, 1, 1, 1, 1, 1, 1};
  usage.gpu = {1, 1, 1, 1, 1, 1, 1, 1, 1};
  return usage;
}

/// Names of all samples that a session leaves in its work dir.
std::set<std::string> namesWrittenTo(const std::filesystem::path& folder) {
  MetricReader reader(openFolder(folder), "J/lockstep/metrics/");
  std::set<std::string> names;
  for (int poll = 0; poll < 20; ++poll) {
    const auto update = reader.poll({});
    if (!update) ADD_FAILURE() << describe(update.error());
    if (!update || update->batches.empty()) break;
    for (const MetricSeriesBatch& batch : update->batches) names.insert(batch.name);
  }
  return names;
}

TEST(RecordedValues, WhatWasNotMeasuredIsLeftOut) {
  EXPECT_TRUE(valuesOf(Usage{}).empty());
  EXPECT_EQ(valuesOf(fullRecord()).size(), valuesOf(StepRecord{}).size() + 3);
}

TEST(RecordedValues, AllNamesAreInTheCatalogueAndAllOfTheCatalogueIsWritten) {
  const TempDir dir;
  TrainOptions options;
  options.workDir = dir.path().string();
  options.jobId = "J";
  const auto session = MetricsSession::open(options, {}, {});
  ASSERT_TRUE(session) << describe(session.error());
  (*session)->recordTotalSteps(10);
  (*session)->recordStep(0, fullRecord());
  (*session)->recordEvaluation(0, 2.3, 10);
  (*session)->recordCheckpoint(0, 1);
  ASSERT_TRUE((*session)->flush(std::chrono::seconds(20)));

  std::set<std::string> written = namesWrittenTo(dir.path());
  EXPECT_TRUE(written.contains(std::string(metric::kLoss)));
  for (const auto& [name, value] : valuesOf(fullUsage())) written.emplace(name);
  written.emplace(metric::kDroppedRows);  // of MetricWriter, once it had to give one up
  std::set<std::string> listed;
  for (const MetricInfo& info : metricCatalogue())
    if (info.source == MetricSource::Rank) listed.emplace(info.name);
  EXPECT_EQ(written, listed);
}

}  // namespace
}  // namespace lockstep::trainer
