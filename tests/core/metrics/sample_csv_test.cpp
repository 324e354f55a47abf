// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/sample_csv.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <limits>

#include "base/atomic_file.h"
#include "temp_dir.h"

namespace lockstep {
namespace {

const SampleSelection kLossOfRank0[] = {{"loss", {Rank(0)}}};

constexpr std::int64_t kBegin = 1'700'000'000;

MetricPoint at(Step step, double value) {
  return {step, TimePoint(std::chrono::seconds(kBegin + step)), value};
}

class SampleCsv : public ::testing::Test {
 protected:
  SampleCsv() {
    samples_.add({"loss", Rank(0), {at(1, 0.5), at(2, 0.1), at(3, std::nan(""))}});
    samples_.add({"loss", Rank(7), {at(2, -std::numeric_limits<double>::infinity())}});
    samples_.add({"=cmd", Rank(0), {at(1, 1e300)}});
  }
  [[nodiscard]] std::string fileNamed(const char* name) const { return (dir_.path() / name).string(); }

  TempDir dir_;
  MetricStore samples_;
};

TEST_F(SampleCsv, HasALineForEachSample) {
  EXPECT_EQ(sampleCsv(samples_, "loss", Rank(0)),
            "0,loss,1,2023-11-14T22:13:21.000Z,0.5\n"
            "0,loss,2,2023-11-14T22:13:22.000Z,0.1\n"
            "0,loss,3,2023-11-14T22:13:23.000Z,nan\n");
  EXPECT_EQ(sampleCsv(samples_, "loss", Rank(7)), "7,loss,2,2023-11-14T22:13:22.000Z,-inf\n");
  EXPECT_EQ(sampleCsv(samples_, "loss", Rank(1)), "");
}

TEST_F(SampleCsv, ANameIsNoFormula) {
  EXPECT_EQ(sampleCsv(samples_, "=cmd", Rank(0)), "0,'=cmd,1,2023-11-14T22:13:21.000Z,1e+300\n");
}

TEST_F(SampleCsv, AFileHasTheSelectedStepsAndRanksOnly) {
  const SampleSelection selection{"loss", {Rank(0), Rank(7)}, 2, 2};
  ASSERT_TRUE(writeSampleCsv(fileNamed("loss.csv"), samples_, std::span(&selection, 1), {}));
  EXPECT_EQ(*readFile(fileNamed("loss.csv")),
            "rank,name,step,time,value\n"
            "0,loss,2,2023-11-14T22:13:22.000Z,0.1\n"
            "7,loss,2,2023-11-14T22:13:22.000Z,-inf\n");
}

TEST_F(SampleCsv, WhatWasThereStaysWhenItIsStopped) {
  ASSERT_TRUE(writeFileAtomically(fileNamed("loss.csv"), "mine"));
  std::stop_source stop;
  stop.request_stop();
  const auto written = writeSampleCsv(fileNamed("loss.csv"), samples_, kLossOfRank0, stop.get_token());
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, ErrorCode::Cancelled);
  EXPECT_EQ(*readFile(fileNamed("loss.csv")), "mine");
  const std::filesystem::directory_iterator files(dir_.path());
  EXPECT_EQ(std::distance(begin(files), end(files)), 1) << "the temporary file is gone";
}

TEST_F(SampleCsv, AFolderThatIsNotThereIsAnErrorThatNamesTheFile) {
  const auto written = writeSampleCsv(fileNamed("no/loss.csv"), samples_, kLossOfRank0, {});
  ASSERT_FALSE(written);
  EXPECT_NE(written.error().what.find("no/loss.csv"), std::string::npos) << written.error().what;
}

}  // namespace
}  // namespace lockstep
