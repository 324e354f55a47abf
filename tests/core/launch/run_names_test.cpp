// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/run_names.h"

#include <gtest/gtest.h>

#include <set>

#include "base/captured_process.h"
#include "temp_dir.h"

using namespace lockstep;

TEST(SlugOf, KeepsWhatCanBeTypedAnywhere) {
  EXPECT_EQ(slugOf("CIFAR 10: DDP!"), "cifar-10-ddp");
  EXPECT_EQ(slugOf("größe"), "gr-e");
  EXPECT_EQ(slugOf(""), "run");
  EXPECT_EQ(slugOf("***"), "run");
  EXPECT_EQ(slugOf(std::string(200, 'x')).size(), 40u);
}

TEST(NewRunId, IsNewInTheStore) {
  const TempDir dir;
  RunStore store = *RunStore::open(dir.path() / "runs.sqlite");
  std::set<std::string> ids;
  for (int i = 0; i < 50; ++i) {
    TrainingRun run;
    run.id = *newRunId("a b", store);
    EXPECT_TRUE(ids.insert(run.id.value).second);
    ASSERT_TRUE(store.save(run));
  }
}

TEST(RunCaptured, GivesBackBothStreamsAndTheExit) {
  const auto done =
      runCaptured({"/bin/sh", "-c", "echo out; echo err >&2; exit 3"}, std::chrono::seconds(30), {});
  ASSERT_TRUE(done);
  EXPECT_EQ(done->output, "out\n");
  EXPECT_EQ(done->errors, "err\n");
  EXPECT_EQ(done->exit.exitCode, 3);
}

TEST(RunCaptured, DoesNotWaitForWhatStaysInTheBackground) {
  const auto done = runCaptured({"/bin/sh", "-c", "sleep 20 & echo started"}, std::chrono::seconds(15), {});
  ASSERT_TRUE(done) << describe(done.error());
  EXPECT_EQ(done->output, "started\n");
}

TEST(RunCaptured, WhoPrintsMoreThanTheBoundIsEndedAndSoNamed) {
  const std::string bound = std::to_string(kMaxCapturedBytes);
  const auto whole =
      runCaptured({"/bin/sh", "-c", "head -c " + bound + " /dev/zero"}, std::chrono::seconds(30), {});
  ASSERT_TRUE(whole) << describe(whole.error());
  EXPECT_EQ(whole->output.size(), kMaxCapturedBytes);
  const auto begin = std::chrono::steady_clock::now();
  for (const char* endless : {"yes", "yes >&2", "head -c 1048577 /dev/zero"}) {
    const auto done = runCaptured({"/bin/sh", "-c", endless}, std::chrono::seconds(60), {});
    ASSERT_FALSE(done) << endless;
    EXPECT_EQ(done.error().code, ErrorCode::ResourceExhausted);
    EXPECT_NE(done.error().cause.find("printed more than 1024 KiB"), std::string::npos) << done.error().cause;
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
}

TEST(RunCaptured, EndsAtTheLimitAndWhenStopped) {
  const auto late = runCaptured({"/bin/sleep", "60"}, std::chrono::milliseconds(100), {});
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().code, ErrorCode::DeadlineExceeded);
  std::stop_source stop;
  stop.request_stop();
  EXPECT_EQ(runCaptured({"/bin/sleep", "60"}, std::chrono::seconds(60), stop.get_token()).error().code,
            ErrorCode::Cancelled);
}
