// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <filesystem>
#include <memory>

#include "workdir/object_store.h"

namespace lockstep {

/// A folder of a disk as an ObjectStore. Nothing is created before the first put; a folder that is not there
/// lists as empty. What a disk cannot hold that a bucket can (an object named like a folder, "..", empty name
/// parts) is refused with InvalidArgument or FailedPrecondition. Unfinished puts lie in ".lockstep-partial"
/// below the root and never list.
[[nodiscard]] std::shared_ptr<ObjectStore> openFolder(const std::filesystem::path& path);

}  // namespace lockstep
