// SPDX-License-Identifier: GPL-3.0-or-later
// Replays what the fuzzers started from and what they found, without a fuzzer.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "base/atomic_file.h"
#include "fuzz_targets.h"

namespace lockstep {
namespace {

namespace fs = std::filesystem;

template <class Try>
void replay(const char* folder, Try attempt) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(fs::path(LOCKSTEP_TEST_DATA) / "fuzz" / folder))
    files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  ASSERT_GT(files.size(), 40U);
  for (const fs::path& file : files) {
    const auto input = readFile(file);
    ASSERT_TRUE(input) << file;
    EXPECT_EQ(attempt(*input), "") << file;
  }
}

TEST(FuzzCorpus, TheReaderKeepsItsPromises) {
  replay("reader", tryReader);
}
TEST(FuzzCorpus, TheEditorKeepsItsPromises) {
  replay("editor", tryEditor);
}

}  // namespace
}  // namespace lockstep
