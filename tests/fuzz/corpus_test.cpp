// SPDX-License-Identifier: GPL-3.0-or-later
// Replays what the fuzzers started from and what they found, without a fuzzer and with every compiler.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <vector>

#include "base/atomic_file.h"
#include "fuzz_table.h"

namespace lockstep {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMin = 5;  // inputs to start from

const fs::path kInputs = fs::path(LOCKSTEP_TEST_DATA) / "fuzz";

class FuzzCorpus : public testing::TestWithParam<FuzzTarget> {};

TEST_P(FuzzCorpus, KeepsItsPromises) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(kInputs / GetParam().name)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  EXPECT_GE(files.size(), kMin) << "too little to start a fuzzer from";
  for (const fs::path& file : files) {
    const auto input = readFile(file);
    ASSERT_TRUE(input) << file;
    EXPECT_EQ(GetParam().attempt(*input), "") << file;
  }
}

INSTANTIATE_TEST_SUITE_P(All, FuzzCorpus, testing::ValuesIn(kFuzzTargets),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(FuzzCorpora, EachBelongsToATarget) {
  const std::set<std::string> known(std::begin(kFuzzNames), std::end(kFuzzNames));
  for (const auto& entry : fs::directory_iterator(kInputs))
    EXPECT_TRUE(known.contains(entry.path().filename().string())) << entry.path();
}

}  // namespace
}  // namespace lockstep
