// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "starter/starter_values.h"

namespace lockstep {

struct StarterFile {
  std::string path;  // relative, '/' between folders
  std::string_view content;
  bool executable = false;
};

/// A starter project, from resources/starter/, which is compiled in.
struct Starter {
  std::string name;                // "pytorch-cpp", as `lockstep init --framework` has it
  std::string title;               // "PyTorch in C++ (Lockstep's trainer)"
  std::string summary;             // one sentence
  std::vector<StarterFile> files;  // train.yaml first
};

[[nodiscard]] const std::vector<Starter>& starters();
/// nullptr: there is none of that name.
[[nodiscard]] const Starter* findStarter(std::string_view name);

/// Writes the project's files below `folder`, creating it, every train.yaml with `values` filled in; refuses
/// before anything is written when one of them exists. Blocks on disk. Returns what was written.
Result<std::vector<std::filesystem::path>> writeStarter(const Starter& starter,
                                                        const std::filesystem::path& folder,
                                                        const StarterValues& values = {});

}  // namespace lockstep
