// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <filesystem>
#include <string>

#include "base/status.h"

namespace lockstep {

/// The train.yaml of the starter "pytorch-cpp" (core/starter): three C++ ranks on CIFAR-10, ready for the
/// rehearsal region.
[[nodiscard]] std::string starterText();

/// The user's own copy of it, `<data folder>/projects/cifar-ddp/train.yaml`: written at the first call, and
/// never again, so that the user's edits stay. Blocks on disk.
Result<std::filesystem::path> ensureStarterProject(const std::filesystem::path& dataDir);

}  // namespace lockstep
