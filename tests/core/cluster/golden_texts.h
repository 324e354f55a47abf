// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "base/atomic_file.h"

namespace lockstep {

/// Name and text of every train.yaml in tests/data/train_yaml, by name.
inline std::vector<std::pair<std::string, std::string>> goldenTexts() {
  namespace fs = std::filesystem;
  std::vector<std::pair<std::string, std::string>> texts;
  for (const auto& entry : fs::directory_iterator(fs::path(LOCKSTEP_TEST_DATA) / "train_yaml"))
    texts.emplace_back(entry.path().filename().string(), readFile(entry.path() / "in.yaml").value());
  std::sort(texts.begin(), texts.end());
  return texts;
}

}  // namespace lockstep
