// SPDX-License-Identifier: GPL-3.0-or-later
#include "portable/imports/csv_samples.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/atomic_file.h"
#include "temp_dir.h"

namespace lockstep {
namespace {

using namespace std::chrono_literals;

struct CsvSamplesTest : ::testing::Test {
  TempDir temp;

  Result<std::vector<ImportedRun>> read(const std::string& text, const std::string& name = "run.csv") const {
    const auto path = temp.path() / name;
    EXPECT_TRUE(writeFileAtomically(path, text));
    return runsInCsv(path, {});
  }
  ImportedRun one(const std::string& text, const std::string& name = "run.csv") const {
    auto runs = read(text, name);
    EXPECT_TRUE(runs) << (runs ? "" : describe(runs.error()));
    if (!runs) return {};
    EXPECT_EQ(runs->size(), 1U);
    return runs->empty() ? ImportedRun{} : runs->front();
  }
  std::string refusal(const std::string& text) const {
    const auto runs = read(text);
    EXPECT_FALSE(runs);
    return runs ? "" : describe(runs.error());
  }
};

std::vector<double> valuesOf(const ImportedRun& run, const char* name, int rank = 0) {
  std::vector<double> values;
  const auto series = run.ranks.find(Rank(rank));
  if (series == run.ranks.end()) return values;
  const auto points = series->second.find(name);
  if (points == series->second.end()) return values;
  for (const MetricPoint& point : points->second) values.push_back(point.value);
  return values;
}

std::vector<Step> stepsOf(const ImportedRun& run, const char* name) {
  std::vector<Step> steps;
  for (const MetricPoint& point : run.ranks.at(Rank(0)).at(name)) steps.push_back(point.step);
  return steps;
}

using Values = std::vector<double>;
using Steps = std::vector<Step>;

TEST_F(CsvSamplesTest, AnyTableWithAHeader) {
  const ImportedRun run = one("step,loss,my own\n0,1.5,7\n10,1.25,8\n20,,9\n");
  EXPECT_EQ(run.name, "run");
  EXPECT_EQ(valuesOf(run, "loss"), (Values{1.5, 1.25}));
  EXPECT_EQ(valuesOf(run, "my own"), (Values{7, 8, 9}));
  EXPECT_EQ(stepsOf(run, "my own"), (Steps{0, 10, 20}));
  EXPECT_FALSE(run.hasTimes);
  EXPECT_EQ(run.passedOver, 0U);
}

TEST_F(CsvSamplesTest, ALightningFileHasRowsOfSeveralKinds) {
  const ImportedRun run =
      one("epoch,step,train_loss,val_loss\n0,49,0.5,\n0,49,,0.6\n1,99,0.4,\n1,99,,0.55\n");
  EXPECT_EQ(valuesOf(run, "loss"), (Values{0.5, 0.4}));
  EXPECT_EQ(valuesOf(run, "val_loss"), (Values{0.6, 0.55}));
  EXPECT_EQ(stepsOf(run, "val_loss"), (Steps{49, 99}));
  EXPECT_EQ(valuesOf(run, "epoch").size(), 4U);
}

TEST_F(CsvSamplesTest, AHistoryOfWeightsAndBiases) {
  const ImportedRun run =
      one("_step,_runtime,_timestamp,loss,note\n0,1.5,1700000000.25,2,hello\n1,3.0,1700000001.75,1,NaN\n");
  EXPECT_TRUE(run.hasTimes);
  const auto& points = run.ranks.at(Rank(0)).at("loss");
  EXPECT_EQ(points[0].time, TimePoint(1'700'000'000'250ms));
  EXPECT_EQ(points[1].time, TimePoint(1'700'000'001'750ms));
  EXPECT_EQ(run.passedOver, 1U);  // hello
  EXPECT_TRUE(std::isnan(valuesOf(run, "note")[0]));
}

TEST_F(CsvSamplesTest, AChartOfSeveralRunsIsSeveralRuns) {
  const auto runs = read(
      "\"Step\",\"brisk - sun - train/loss\",\"brisk - sun - train/loss__MIN\",\"calm - train/loss\"\n"
      "0,1,0.9,3\n1,0.5,0.4,\n2,,,2\n");
  ASSERT_TRUE(runs);
  ASSERT_EQ(runs->size(), 2U);
  EXPECT_EQ((*runs)[0].name, "brisk - sun");
  EXPECT_EQ(valuesOf((*runs)[0], "loss"), (Values{1, 0.5}));
  EXPECT_EQ((*runs)[1].name, "calm");
  EXPECT_EQ(valuesOf((*runs)[1], "loss"), (Values{3, 2}));
  EXPECT_EQ((*runs)[0].ranks.at(Rank(0)).size(), 1U) << "no bands";
}

TEST_F(CsvSamplesTest, ADownloadOfTensorBoardIsNamedByItsFile) {
  const ImportedRun run =
      one("Wall time,Step,Value\n1700000000.5,5,0.25\n1700000001.5,6,0.125\n", "exp-tag-train_loss.csv");
  EXPECT_EQ(valuesOf(run, "loss"), (Values{0.25, 0.125}));
  EXPECT_EQ(stepsOf(run, "loss"), (Steps{5, 6}));
}

TEST_F(CsvSamplesTest, RowsOfRanksAndNames) {
  const ImportedRun run =
      one("rank,name,step,time,value\n0,loss,1,2024-01-02T03:04:05.678Z,0.1\n3,loss,1,2024-01-02 "
          "03:04:05.678,0.2\n"
          "-1,loss,1,2024-01-02T03:04:05Z,9\n70000,loss,1,2024-01-02T03:04:05Z,9\n0,loss,1,yesterday,9\n");
  EXPECT_EQ(valuesOf(run, "loss", 0), Values{0.1});
  EXPECT_EQ(valuesOf(run, "loss", 3), Values{0.2});
  EXPECT_EQ(run.ranks.at(Rank(0)).at("loss")[0].time, run.ranks.at(Rank(3)).at("loss")[0].time);
  EXPECT_EQ(run.passedOver, 3U);
}

TEST_F(CsvSamplesTest, WhatSpreadsheetsWrite) {
  const ImportedRun run = one("\xEF\xBB\xBFStep;\"a \"\"b\"\"\";\r\n1.0;2.5;\r\n\r\n2.0;3.5;\r\n");
  EXPECT_EQ(valuesOf(run, "a \"b\""), (Values{2.5, 3.5}));
  EXPECT_EQ(stepsOf(run, "a \"b\""), (Steps{1, 2}));
  EXPECT_EQ(valuesOf(one("loss\tstep\n4\t7\n"), "loss"), Values{4});
}

TEST_F(CsvSamplesTest, WithoutStepsTheRowsAreCounted) {
  EXPECT_EQ(stepsOf(one("loss\n3\n2\n1\n"), "loss"), (Steps{0, 1, 2}));
}

TEST_F(CsvSamplesTest, RelativeTimesEndWhenTheFileWasWritten) {
  const ImportedRun run = one("step,relative time (process),loss\n0,10,1\n1,70,2\n");
  const auto [begun, ended] = timesOf(run);
  EXPECT_EQ(ended - begun, 60s);
  EXPECT_LT(std::chrono::abs(SystemClock().now() - ended), 5min);
  EXPECT_TRUE(run.hasTimes);
}

TEST_F(CsvSamplesTest, TwoColumnsOfOneMeaningStayApart) {
  const ImportedRun run = one("step,loss,train_loss\n0,1,2\n");
  EXPECT_EQ(valuesOf(run, "loss"), Values{1});
  EXPECT_EQ(valuesOf(run, "train_loss"), Values{2});
}

TEST_F(CsvSamplesTest, WhatIsNoTableIsRefused) {
  EXPECT_NE(refusal("").find("no samples"), std::string::npos);
  EXPECT_NE(refusal("1,2,3\n4,5,6\n").find("names no quantities"), std::string::npos);
  EXPECT_NE(refusal("step,loss\n").find("no samples"), std::string::npos);
  EXPECT_NE(refusal("step,loss\na,b\n").find("no samples"), std::string::npos);
  EXPECT_NE(refusal(std::string("step\0loss", 9)).find("no text"), std::string::npos);
  EXPECT_NE(refusal("step,\"" + std::string(3 << 20, 'x')).find("too long"), std::string::npos);
  EXPECT_NE(refusal(std::string(100'000, ',') + "x\n").find("too many"), std::string::npos);
}

TEST_F(CsvSamplesTest, NumbersBeyondAllBoundsArePassedOver) {
  const ImportedRun run = one("step,loss\n1e300,1\n-9999999999999999999,1\nnan,1\n1,1e999\n2,inf\n3,0.5\n");
  EXPECT_EQ(valuesOf(run, "loss"), (Values{std::numeric_limits<double>::infinity(), 0.5}));
  EXPECT_EQ(run.passedOver, 4U);
}

TEST_F(CsvSamplesTest, AFileThatIsCutGivesWhatItHas) {
  EXPECT_EQ(valuesOf(one("step,loss\n1,0.5\n2,0.2"), "loss"), (Values{0.5, 0.2}));
  EXPECT_EQ(valuesOf(one("step,loss\n1,0.5\n2,\"0.2"), "loss"), (Values{0.5, 0.2}));
}

TEST_F(CsvSamplesTest, ItStopsWhenItIsAskedTo) {
  const auto path = temp.path() / "run.csv";
  ASSERT_TRUE(writeFileAtomically(path, "step,loss\n1,0.5\n"));
  std::stop_source stop;
  stop.request_stop();
  const auto runs = runsInCsv(path, stop.get_token());
  ASSERT_FALSE(runs);
  EXPECT_EQ(runs.error().code, ErrorCode::Cancelled);
}

}  // namespace
}  // namespace lockstep
