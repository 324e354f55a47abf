// SPDX-License-Identifier: GPL-3.0-or-later
#include "diagnosis/muted_findings.h"

#include <gtest/gtest.h>

#include <fstream>

#include "temp_dir.h"

namespace lockstep {
namespace {

using namespace std::chrono_literals;

const TimePoint kNow(1'700'000'000s);
const RunId kRun("cifar-7f3a");

TEST(MutedFindings, AreThoseOfOneRunUntilATime) {
  MutedFindings muted;
  muted.mute(kRun, "straggler 5 forward_ms", kNow + 1h);
  EXPECT_EQ(muted.mutedUntil(kRun, "straggler 5 forward_ms", kNow), kNow + 1h);
  EXPECT_FALSE(muted.mutedUntil(kRun, "straggler 5 forward_ms", kNow + 1h)) << "it is over";
  EXPECT_FALSE(muted.mutedUntil(kRun, "straggler 4 forward_ms", kNow));
  EXPECT_FALSE(muted.mutedUntil(RunId("other"), "straggler 5 forward_ms", kNow));
  muted.unmute(kRun, "straggler 5 forward_ms");
  EXPECT_FALSE(muted.mutedUntil(kRun, "straggler 5 forward_ms", kNow));
}

TEST(MutedFindings, AreKeptInAFileWithoutThoseThatAreOver) {
  const TempDir folder;
  const auto file = folder.path() / "new" / "muted-findings.json";
  EXPECT_FALSE(readMutedFindings(file)->mutedUntil(kRun, "stall", kNow)) << "there is none yet";
  ASSERT_TRUE(muteFinding(file, kRun, "stall", kNow + 1h, kNow));
  ASSERT_TRUE(muteFinding(file, kRun, "plateau", kNow + 3h, kNow + 2h));
  const auto muted = readMutedFindings(file);
  ASSERT_TRUE(muted);
  EXPECT_FALSE(muted->mutedUntil(kRun, "stall", kNow)) << "it was over when the other came";
  EXPECT_TRUE(muted->mutedUntil(kRun, "plateau", kNow));
  ASSERT_TRUE(muteFinding(file, kRun, "plateau", {}, kNow));
  EXPECT_FALSE(readMutedFindings(file)->mutedUntil(kRun, "plateau", kNow));
}

TEST(MutedFindings, ADamagedFileIsAnErrorThatNamesItAndIsNotReplaced) {
  const TempDir folder;
  const auto file = folder.path() / "muted-findings.json";
  std::ofstream(file) << "{\"muted\": [";
  const auto muted = readMutedFindings(file);
  ASSERT_FALSE(muted);
  EXPECT_EQ(muted.error().where, file.string());
  EXPECT_FALSE(muteFinding(file, kRun, "stall", kNow + 1h, kNow));
}

TEST(MutedFindings, EntriesThatAreNoneAreLeftOutAndTheirNumberIsBounded) {
  const auto muted = MutedFindings::parse(
      R"({"muted": [7, {"run": "a"}, {"run": "a", "finding": "b", "until": "never"}, {"run": "a", "finding": "c", "until": "2026-01-01T00:00:00Z"}]})");
  ASSERT_TRUE(muted);
  EXPECT_TRUE(muted->mutedUntil(RunId("a"), "c", TimePoint()));
  MutedFindings many;
  for (std::size_t i = 0; i < MutedFindings::kMost + 10; ++i)
    many.mute(RunId(std::to_string(i)), "stall", kNow + std::chrono::seconds(i));
  EXPECT_FALSE(many.mutedUntil(RunId("9"), "stall", TimePoint())) << "it ends first";
  EXPECT_TRUE(many.mutedUntil(RunId("10"), "stall", TimePoint()));
}

}  // namespace
}  // namespace lockstep
