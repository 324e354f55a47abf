// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <filesystem>
#include <stop_token>

#include "base/error.h"
#include "plan/plan.h"

namespace lockstep {

/// Whether this machine has what the nodes of a rehearsal run in place of what the image holds: the entry
/// script, the program of a container, the programs of the cluster's kind, and every Python module that a
/// script imports, found without running it. Fails with what is missing and what to install; to be asked
/// before anything is started. Blocks: looks on disk, and asks python3.
Result<void> rehearsalNeeds(const Plan& plan, const std::filesystem::path& codeFolder,
                            const std::stop_token& stop);

}  // namespace lockstep
