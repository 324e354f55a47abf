// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <filesystem>
#include <string>

#include "base/error.h"
#include "cluster/spec/cluster_spec.h"

namespace lockstep {

/// The train.yaml of the starter "pytorch-cpp" (core/starter): three C++ ranks on CIFAR-10, ready for the
/// rehearsal region.
[[nodiscard]] std::string starterText();

/// The user's own copy of it, `<data folder>/projects/cifar-ddp/train.yaml`: written at the first call, and
/// never again, so that the user's edits stay. Blocks on disk.
Result<std::filesystem::path> ensureStarterProject(const std::filesystem::path& dataDir);

/// The spec without the ids that only the starter's own rehearsal tenancy has: whoever has not replaced them
/// yet has named nothing, and the set-up finds or makes what is to stand there.
[[nodiscard]] ClusterSpec withoutStarterIds(ClusterSpec spec);

}  // namespace lockstep
