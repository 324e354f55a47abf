// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <filesystem>
#include <functional>

#include "base/error.h"

namespace lockstep {

/// Does `work` while no other process does the same for `file`: waits for a lock on "FILE.lock", which stays
/// behind, empty and of mode 0600. Makes the folder when it is missing, for its owner alone. Blocks on disk
/// and on others, who hold the lock for one read and one write only.
Result<void> whileAlone(const std::filesystem::path& file, const std::function<Result<void>()>& work);

}  // namespace lockstep
