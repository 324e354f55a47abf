// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <filesystem>

#include "base/error.h"

namespace lockstep {

/// Moves a run history that cannot be used aside, with what SQLite keeps beside it, to a name that is free
/// ("runs.db.damaged"), and says which. Nothing is deleted. FailedPrecondition for a history that can be read
/// after all, or that a newer version wrote. Blocks on disk.
[[nodiscard]] Result<std::filesystem::path> moveDamagedAside(const std::filesystem::path& history);

}  // namespace lockstep
