// SPDX-License-Identifier: GPL-3.0-or-later
#include "portable/imports/import_run.h"

#include <gtest/gtest.h>

#include "base/atomic_file.h"
#include "metrics/exporting/board_folder.h"
#include "metrics/read_to_end.h"
#include "portable/open_saved_run.h"
#include "temp_dir.h"
#include "workdir/work_dir_uri.h"

namespace lockstep {
namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;

constexpr TimePoint kBegin{480'000h};

MetricStore samplesOf(const OpenedRunFile& opened) {
  const std::string& job = opened.run.jobId.value;
  MetricReader reader(opened.workDir, layout::metricsFolder(job), layout::runDescription(job));
  MetricStore samples;
  const ReadToEnd read =
      readToEnd(reader, [&](const MetricReader::Update& update) { samples.add(update.batches); }, {});
  EXPECT_FALSE(read.problem);
  EXPECT_EQ(read.unreadableSegments, 0);
  return samples;
}

void expectSame(const ImportedRun& run, const MetricStore& samples) {
  EXPECT_EQ(samples.sampleCount(), run.samples);
  for (const auto& [rank, series] : run.ranks) {
    for (const auto& [name, points] : series) {
      const auto found = samples.series(name, rank);
      ASSERT_EQ(found.size(), points.size()) << name;
      for (std::size_t i = 0; i < points.size(); ++i) {
        ASSERT_EQ(found[i].step, points[i].step);
        ASSERT_EQ(found[i].time, points[i].time);
        ASSERT_EQ(found[i].value, points[i].value);
      }
    }
  }
}

struct ImportRunTest : ::testing::Test {
  TempDir temp;
  fs::path file = temp.path() / "run.lockstep";

  OpenedRunFile saved(const ImportedRun& run) const {
    const auto done = saveImportedRun(run, file, {});
    EXPECT_TRUE(done) << (done ? "" : describe(done.error()));
    auto opened = openSavedRun(file);
    EXPECT_TRUE(opened) << (opened ? "" : describe(opened.error()));
    return opened.value_or(OpenedRunFile{});
  }
};

TEST_F(ImportRunTest, EverySampleIsInTheFile) {
  ImportedRun run;
  run.name = "brisk-sun";
  for (int rank = 0; rank < 3; ++rank)
    for (Step step = 0; step < 10'000; ++step) {
      const TimePoint time = kBegin + step * 1s + rank * 1ns;
      ASSERT_TRUE(addSample(run, Rank(rank), "loss", {step, time, 1.0 / static_cast<double>(step + 1)}));
      if (step % 50 != 0) continue;
      ASSERT_TRUE(addSample(run, Rank(rank), "val_loss", {step, time + 1ms, 0.5}));
    }
  const OpenedRunFile opened = saved(run);
  expectSame(run, samplesOf(opened));
  EXPECT_EQ(opened.run.name, "brisk-sun");
  EXPECT_EQ(stateOf(opened.run), RunState::Silent);
  EXPECT_EQ(opened.run.created, kBegin);
  EXPECT_FALSE(opened.hasLines);
}

TEST_F(ImportRunTest, AQuantityThatComesOnceInAThousandOthers) {
  ImportedRun run;
  run.name = "wide";
  for (int name = 0; name < 3000; ++name)
    for (Step step = 0; step < 3; ++step)
      ASSERT_TRUE(addSample(run, Rank(0), "q" + std::to_string(name),
                            {step, kBegin + step * 1s + name * 1us, static_cast<double>(name)}));
  expectSame(run, samplesOf(saved(run)));
}

TEST_F(ImportRunTest, ARestartIsASecondAttempt) {
  ImportedRun run;
  run.name = "again";
  for (Step i = 0; i < 200; ++i)
    ASSERT_TRUE(
        addSample(run, Rank(0), "loss", {i < 120 ? i : i - 40, kBegin + i * 1s, static_cast<double>(i)}));
  const MetricStore samples = samplesOf(saved(run));
  EXPECT_EQ(samples.attempts(Rank(0)).size(), 2U);
  EXPECT_EQ(samples.sampleCount(), 200U);
}

TEST_F(ImportRunTest, BackThroughTensorBoard) {
  ImportedRun run;
  run.name = "run";
  for (int rank = 0; rank < 2; ++rank)
    for (Step step = 0; step < 500; ++step)
      ASSERT_TRUE(addSample(run, Rank(rank), "loss",
                            {step, kBegin + step * 1s, 1.0 / static_cast<double>(step + 3)}));
  const MetricStore samples = samplesOf(saved(run));
  const fs::path board = temp.path() / "board";
  ASSERT_TRUE(writeBoard(board, samples, [](std::string_view, Rank) { return true; }, {}));
  auto again = readForeignRuns(board, {}, {});
  ASSERT_TRUE(again) << describe(again.error());
  ASSERT_EQ(again->size(), 1U);
  expectSame(again->front(), samples);
}

TEST_F(ImportRunTest, AFileIsTakenForWhatIsInIt) {
  ASSERT_TRUE(writeFileAtomically(temp.path() / "events.txt", "step,loss\n1,2\n"));
  const auto table = readForeignRuns(temp.path() / "events.txt", {}, {});
  ASSERT_TRUE(table);
  EXPECT_EQ(table->front().samples, 1U);
  EXPECT_EQ(readForeignRuns(temp.path() / "nothing", {}, {}).error().code, ErrorCode::NotFound);
  ASSERT_TRUE(
      writeFileAtomically(temp.path() / "picture.png", std::string("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16)));
  EXPECT_EQ(readForeignRuns(temp.path() / "picture.png", {}, {}).error().code, ErrorCode::InvalidArgument);
}

TEST_F(ImportRunTest, StoppedItLeavesNothing) {
  ImportedRun run;
  run.name = "run";
  ASSERT_TRUE(addSample(run, Rank(0), "loss", {0, kBegin, 1}));
  std::stop_source stop;
  stop.request_stop();
  const auto done = saveImportedRun(run, file, stop.get_token());
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, ErrorCode::Cancelled);
  EXPECT_TRUE(fs::is_empty(temp.path()));
}

TEST_F(ImportRunTest, NamesThatAreNoneArePassedOver) {
  ImportedRun run;
  for (const std::string& name :
       {std::string(), std::string(400, 'x'), std::string("a\nb"), std::string("\xff")})
    EXPECT_TRUE(addSample(run, Rank(0), name, {0, kBegin, 1}));
  EXPECT_EQ(run.passedOver, 4U);
  EXPECT_EQ(run.samples, 0U);
}

}  // namespace
}  // namespace lockstep
