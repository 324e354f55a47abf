// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/text/line_difference.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include "base/atomic_file.h"
#include "base/text/quote.h"
#include "temp_dir.h"

namespace lockstep {
namespace {

TEST(LineDifference, IsEmptyForTheSameText) {
  EXPECT_EQ(unifiedDifference("", "", "a", "b"), "");
  EXPECT_EQ(unifiedDifference("x\n", "x\n", "a", "b"), "");
}

TEST(LineDifference, ShowsThreeLinesAround) {
  EXPECT_EQ(unifiedDifference("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n", "old", "new"),
            "--- old\n+++ new\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n");
  EXPECT_EQ(unifiedDifference("", "1\n2\n", "a", "b"), "--- a\n+++ b\n@@ -0,0 +1,2 @@\n+1\n+2\n");
  EXPECT_EQ(unifiedDifference("1", "", "a", "b"),
            "--- a\n+++ b\n@@ -1,1 +0,0 @@\n-1\n\\ No newline at end of file\n");
  EXPECT_EQ(unifiedDifference("1\n", "1", "a", "b"),
            "--- a\n+++ b\n@@ -1,1 +1,1 @@\n-1\n+1\n\\ No newline at end of file\n");
}

std::string randomText(std::mt19937& random) {
  std::string text;
  for (unsigned i = random() % 60; i > 0; --i) text += "line " + std::to_string(random() % 7) + "\n";
  if (random() % 3 == 0) text += "no end";
  return text;
}

TEST(LineDifference, IsWhatPatchApplies) {
  if (std::system("patch --version >/dev/null 2>&1") != 0) GTEST_SKIP() << "patch is not installed";
  TempDir dir;
  std::mt19937 random(7);
  for (int i = 0; i < 60; ++i) {
    const std::string before = randomText(random), after = randomText(random);
    if (before == after) continue;
    ASSERT_TRUE(writeFileAtomically(dir.path() / "f", before));
    ASSERT_TRUE(writeFileAtomically(dir.path() / "d", unifiedDifference(before, after, "f", "f")));
    const std::string command = "cd " + quoteShell(dir.path().string()) + " && patch -s f d";
    ASSERT_EQ(std::system(command.c_str()), 0) << before << "---\n" << after;
    EXPECT_EQ(readFile(dir.path() / "f").value_or(""), after);  // patch removes a file that ends up empty
  }
}

TEST(LineDifference, StaysBoundedWhenEverythingDiffers) {
  std::string before, after;
  for (int i = 0; i < 20'000; ++i) {
    before += "a" + std::to_string(i) + "\n";
    after += "b" + std::to_string(i) + "\n";
  }
  EXPECT_NE(unifiedDifference(before, after, "a", "b").find("@@ -1,20000 +1,20000 @@"), std::string::npos);
}

TEST(LineDifference, ChangesAreStretchesOfLines) {
  EXPECT_TRUE(lineChanges({"a", "b"}, {"a", "b"}).empty());
  const auto changes = lineChanges({"1", "2", "3", "4"}, {"1", "two", "3", "4", "5"});
  ASSERT_EQ(changes.size(), 2U);
  EXPECT_EQ(changes[0].before, 1U);
  EXPECT_EQ(changes[0].removed, 1U);
  EXPECT_EQ(changes[0].after, 1U);
  EXPECT_EQ(changes[0].added, 1U);
  EXPECT_EQ(changes[1].before, 4U);
  EXPECT_EQ(changes[1].removed, 0U);
  EXPECT_EQ(changes[1].after, 4U);
  EXPECT_EQ(changes[1].added, 1U);
}

TEST(LineDifference, TheCoarseAnswerLeavesOutTheCommonBeginningAndEnd) {
  std::vector<std::string> texts;
  for (int i = 0; i < 8'000; ++i) texts.push_back(std::to_string(i));
  std::vector<std::string_view> before{"first"}, after{"first"};
  before.insert(before.end(), texts.begin(), texts.begin() + 4'000);
  after.insert(after.end(), texts.begin() + 4'000, texts.end());
  before.push_back("last");
  after.push_back("last");
  const auto changes = lineChanges(before, after);
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_EQ(changes[0].before, 1U);
  EXPECT_EQ(changes[0].removed, 4'000U);
  EXPECT_EQ(changes[0].after, 1U);
  EXPECT_EQ(changes[0].added, 4'000U);
}

}  // namespace
}  // namespace lockstep
