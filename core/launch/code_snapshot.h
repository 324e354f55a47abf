// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <filesystem>
#include <stop_token>
#include <string>

#include "base/error.h"

namespace lockstep {

struct SnapshotLimits {
  std::uintmax_t bytes = 256ULL << 20;
  int files = 10'000;
};

/// Copies a folder, read only, to a folder of a new name below `target`, and returns the name. What no image
/// should have stays out: repositories of version control (.git), virtual environments, caches; so do
/// symbolic links that lead out of the folder, and what is neither file nor folder. InvalidArgument when
/// there is more than the limits allow: it names the largest entry. Nothing is left behind when it fails.
/// Blocks on disk.
Result<std::string> takeSnapshot(const std::filesystem::path& folder, const std::filesystem::path& target,
                                 const std::stop_token& stop, const SnapshotLimits& limits = {});

/// Removes a snapshot, also a half-made one. Blocks on disk.
void removeSnapshot(const std::filesystem::path& target, const std::string& name);

}  // namespace lockstep
