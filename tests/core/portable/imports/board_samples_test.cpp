// SPDX-License-Identifier: GPL-3.0-or-later
#include "portable/imports/board_samples.h"

#include <gtest/gtest.h>

#include "base/atomic_file.h"
#include "metrics/events/event_writer.h"
#include "temp_dir.h"

namespace lockstep {
namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;

constexpr TimePoint kBegin{480'000h};

struct BoardSamplesTest : ::testing::Test {
  TempDir temp;

  static std::string events(const std::vector<std::pair<std::string, std::vector<MetricPoint>>>& all) {
    std::string bytes = eventFileHead(kBegin);
    for (const auto& [name, points] : all)
      for (const MetricPoint& one : points) appendScalarEvent(bytes, one.step, one.time, name, one.value);
    return bytes;
  }
  void put(const std::string& folder, const std::string& bytes, const std::string& number = "1") const {
    fs::create_directories(temp.path() / folder);
    ASSERT_TRUE(
        writeFileAtomically(temp.path() / folder / ("events.out.tfevents.1700000000.host." + number), bytes));
  }
  std::vector<ImportedRun> read() const {
    auto runs = runsInBoard(temp.path(), {}, {});
    EXPECT_TRUE(runs) << (runs ? "" : describe(runs.error()));
    return runs.value_or(std::vector<ImportedRun>{});
  }
};

std::vector<MetricPoint> points(Step first, Step count, Step stride = 1) {
  std::vector<MetricPoint> all;
  for (Step i = 0; i < count; ++i)
    all.push_back({first + i * stride, kBegin + (first + i * stride) * 1s, 1.0 / static_cast<double>(i + 3)});
  return all;
}

TEST_F(BoardSamplesTest, TrainingAndValidationAreOneRun) {
  put("train", events({{"epoch_loss", points(0, 4)}}));
  put("validation", events({{"epoch_loss", points(0, 4)}}));
  const auto runs = read();
  ASSERT_EQ(runs.size(), 1U);
  const ImportedSeries& series = runs[0].ranks.at(Rank(0));
  EXPECT_EQ(series.at("loss").size(), 4U);
  EXPECT_EQ(series.at("val_loss").size(), 4U);
  EXPECT_EQ(series.at("loss")[1].value, 0.25);
  EXPECT_EQ(runs[0].name, temp.path().filename().string());
}

TEST_F(BoardSamplesTest, OtherFoldersAreRunsOfTheirOwn) {
  put("a/version_0", events({{"loss", points(0, 2)}}));
  put("b", events({{"loss", points(0, 3)}}));
  const auto runs = read();
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[0].name, "a/version_0");
  EXPECT_EQ(runs[1].name, "b");
  EXPECT_EQ(runs[1].samples, 3U);
}

TEST_F(BoardSamplesTest, FoldersOfRanksAreRanks) {
  put("rank-00000", events({{"loss", points(0, 2)}}));
  put("rank-00007", events({{"loss", points(0, 2)}}));
  const auto runs = read();
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_TRUE(runs[0].ranks.contains(Rank(7)));
}

TEST_F(BoardSamplesTest, WhatIsCountedInEpochsStandsWhereItWasRecorded) {
  std::vector<MetricPoint> epochs;
  for (Step epoch = 0; epoch < 10; ++epoch)
    epochs.push_back({epoch, kBegin + (epoch + 1) * 100s - 500ms, static_cast<double>(epoch)});
  put(".", events({{"loss", points(0, 1000)}, {"epoch_time", epochs}}));
  const auto runs = read();
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_EQ(runs[0].otherSteps, std::vector<std::string>{"epoch_time"});
  const auto& moved = runs[0].ranks.at(Rank(0)).at("epoch_time");
  EXPECT_EQ(moved[0].step, 99);
  EXPECT_EQ(moved[9].step, 999);
}

TEST_F(BoardSamplesTest, WhatIsSeldomRecordedKeepsItsSteps) {
  put(".", events({{"loss", points(0, 1000)}, {"val_loss", points(99, 10, 100)}}));
  const auto runs = read();
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_TRUE(runs[0].otherSteps.empty());
  EXPECT_EQ(runs[0].ranks.at(Rank(0)).at("val_loss")[3].step, 399);
}

TEST_F(BoardSamplesTest, ATornFileGivesWhatItHas) {
  const std::string whole = events({{"loss", points(0, 100)}});
  put(".", whole.substr(0, whole.size() / 2));
  const auto runs = read();
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_GT(runs[0].samples, 40U);
  EXPECT_LT(runs[0].samples, 60U);
}

TEST_F(BoardSamplesTest, WhatIsNoneOfTensorBoardsIsPassedOver) {
  put(".", "garbage that is long enough to be looked at", "1");
  put(".", events({{"loss", points(0, 5)}}), "2");
  const auto runs = read();
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_EQ(runs[0].samples, 5U);
  EXPECT_EQ(runs[0].passedOver, 1U);
}

TEST_F(BoardSamplesTest, NothingThereIsSaid) {
  const auto none = runsInBoard(temp.path(), {}, {});
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::NotFound);
  put(".", eventFileHead(kBegin));
  const auto empty = runsInBoard(temp.path(), {}, {});
  ASSERT_FALSE(empty);
  EXPECT_EQ(empty.error().code, ErrorCode::InvalidArgument);
}

}  // namespace
}  // namespace lockstep
