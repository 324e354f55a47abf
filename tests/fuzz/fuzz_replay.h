// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "base/atomic_file.h"

namespace lockstep {

/// Tries every kept input of tests/data/fuzz/<folder>.
template <class Try>
void replay(const char* folder, Try attempt) {
  namespace fs = std::filesystem;
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

}  // namespace lockstep
