// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <filesystem>
#include <vector>

#include "setup/step/setup_step.h"

namespace lockstep {

/// What is left where a folder lies, or will lie.
struct FreeSpace {
  std::filesystem::path folder;  // the nearest one that is there
  std::uint64_t bytes = 0;       // for this user
  std::uint64_t files = 0;       // inodes; the largest number where the file system does not count them
  bool isWritable = true;
};
[[nodiscard]] FreeSpace freeSpaceAt(const std::filesystem::path& folder);
/// "1.4 GB", "312 MB"
[[nodiscard]] std::string sizeText(std::uint64_t bytes);

/// Of our own data: "disk-full", "disk-low", "folder-read-only". Pure.
[[nodiscard]] Finding diskFinding(const std::filesystem::path& dataFolder, const FreeSpace& space);
/// Of this process: "file-limit" and "file-size-limit". Pure.
[[nodiscard]] std::vector<Finding> limitFindings(std::uint64_t openFiles, std::uint64_t fileBytes);
/// The same with this process's own limits.
[[nodiscard]] std::vector<Finding> limitFindings();

}  // namespace lockstep
