// SPDX-License-Identifier: GPL-3.0-or-later
#include "diagnosis/detectors/failure_lines.h"

#include <gtest/gtest.h>

#include "diagnosis/findings/finding_words.h"
#include "simulated_run.h"

namespace lockstep {
namespace {

using namespace std::chrono_literals;

LogLine line(int rank, std::chrono::milliseconds at, std::string text) {
  LogLine one;
  one.time = SimulatedRun::kBegin + at;
  one.node = "worker_" + std::to_string(rank);
  if (rank >= 0) one.rank = Rank(rank);
  one.level = levelOf(text);
  one.text = std::move(text);
  return one;
}

std::vector<LogLine> traceback(int rank, std::chrono::milliseconds at, std::string last) {
  return {line(rank, at, "Traceback (most recent call last):"),
          line(rank, at, "  File \"/code/train.py\", line 42, in load"),
          line(rank, at, "    batch = next(batches)"),
          line(rank, at, "  File \"/usr/lib/python3/site-packages/torch/x.py\", line 7, in f"),
          line(rank, at, std::move(last))};
}

TEST(FailureLines, TheFirstCauseIsToldFromThoseThatFollowed) {
  FailureLines failures;
  EXPECT_FALSE(failures.hasLines());
  failures.add(traceback(
      2, 900ms, "RuntimeError: [../gloo/transport/tcp/pair.cc] Connection closed by peer [10.0.0.2]"));
  failures.add(traceback(0, 950ms, "torch.distributed.DistBackendError: NCCL error: ncclRemoteError"));
  failures.add(
      traceback(1, 1000ms, "ValueError: expected 512 tokens"));  // what it followed on came later in the log
  EXPECT_TRUE(failures.hasLines());
  const auto first = failures.first();
  ASSERT_TRUE(first);
  EXPECT_EQ(first->rank, Rank(1));
  EXPECT_EQ(first->line, "ValueError: expected 512 tokens");
  EXPECT_EQ(first->place, "train.py:42") << "the innermost frame of the script, not of a library";
  const auto followers = failures.others(first->rank);
  ASSERT_EQ(followers.size(), 2U);
  EXPECT_EQ(followers[0].rank, Rank(2));
  EXPECT_TRUE(followers[0].onlyFollows);
}

TEST(FailureLines, OfSeveralCausesTheEarliestCounts) {
  FailureLines failures;
  failures.add(traceback(3, 500ms, "KeyError: 'b'"));
  failures.add(traceback(1, 400ms, "KeyError: 'a'"));
  EXPECT_EQ(failures.first()->rank, Rank(1));
}

TEST(FailureLines, ATracebackMayComeInPieces) {
  FailureLines failures;
  const auto lines = traceback(1, 0ms, "KeyError: 'a'");
  for (const LogLine& one : lines) {
    failures.add(std::span(&one, 1));
    EXPECT_EQ(failures.first()->isComplete, &one == &lines.back());
  }
}

TEST(FailureLines, OrdinaryLinesAreNone) {
  FailureLines failures;
  failures.add(std::vector{line(0, 0ms, "step 3: loss 0.5"), line(1, 1ms, "WARNING: slow"),
                           line(0, 2ms, "  indented")});
  EXPECT_FALSE(failures.first());
}

TEST(FailureLines, EndsWithoutATracebackCount) {
  for (const char* text :
       {"terminate called after throwing an instance of 'std::bad_alloc'", "Segmentation fault (core dumped)",
        "RuntimeError: CUDA out of memory. Tried to allocate 2 GiB"}) {
    FailureLines failures;
    failures.add(std::vector{line(4, 0ms, text)});
    ASSERT_TRUE(failures.first()) << text;
    EXPECT_EQ(failures.first()->line, text);
    EXPECT_FALSE(failures.first()->onlyFollows) << text;
  }
}

TEST(FailureLines, ThoseOfAnAttemptThatIsOverAreForgotten) {
  FailureLines failures;
  failures.add(traceback(1, 0ms, "KeyError: 'a'"));
  failures.forgetBefore(SimulatedRun::kBegin + 1s);
  EXPECT_FALSE(failures.first());
}

TEST(FailureLines, LongLinesAndManySourcesStayBounded) {
  FailureLines failures;
  failures.add(std::vector{line(0, 0ms, "ValueError: " + std::string(1 << 20, 'x') + "ü")});
  EXPECT_LT(failures.first()->line.size(), 400U);
  std::vector<LogLine> lines;
  for (int rank = 1; rank < 10'000; ++rank) lines.push_back(line(rank, 1s, "ValueError: x"));
  failures.add(lines);
  EXPECT_LT(failures.others(Rank(0)).size(), 5'000U);
}

TEST(FirstFailure, ACaughtExceptionOfARankThatGoesOnIsNone) {
  SimulatedRun run({});
  run.run(30s);
  std::vector<LogLine> lines = traceback(1, 0ms, "OSError: try again");
  for (LogLine& one : lines) one.time = run.now();
  run.diagnosis().addLines(lines);
  run.run(30s);
  EXPECT_EQ(findingOf(run.report(), FindingKind::FirstFailure), nullptr);
}

TEST(FirstFailure, OfARankThatMakesNoFurtherStepIsSaidBeforeTheRunFails) {
  SimulatedRun run({});
  run.run(30s);
  std::vector<LogLine> lines = traceback(1, 0ms, "OSError: no space left");
  for (LogLine& one : lines) one.time = run.now() + 100ms;
  run.diagnosis().addLines(lines);
  run.stopSteps();
  run.run(14s);
  const RunFinding* found = findingOf(run.report(), FindingKind::FirstFailure);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->ranks, std::vector{Rank(1)});
  EXPECT_LE(found->confidence, 0.7);
  EXPECT_EQ(englishOf(found->what), "rank 1 failed first: OSError: no space left");
}

TEST(FirstFailure, OfARankThatLeftNoWordIsTakenFromItsAgent) {
  SimulatedRun run({});
  run.run(30s);
  std::vector<LogLine> lines = traceback(1, 0ms, "RuntimeError: Connection reset by peer");
  for (LogLine& one : lines) one.time = run.now();
  run.diagnosis().addLines(lines);
  run.facts().stage = RunStage::Failed;
  run.facts().failure = "rank 5 on worker_2 was ended by signal 9 (Killed)";
  run.lookNow();
  const RunFinding* found = findingOf(run.report(), FindingKind::FirstFailure);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->ranks, std::vector{Rank(5)});
  ASSERT_EQ(found->evidence.size(), 1U);
  EXPECT_NE(englishOf(found->evidence[0]).find("rank 1 only followed"), std::string::npos);
}

}  // namespace
}  // namespace lockstep
