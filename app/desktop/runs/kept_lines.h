// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <filesystem>

#include "app/desktop/runs/run_monitor.h"
#include "logs/store/kept_log.h"

namespace lockstep {

/// The same looks at a run, whose lines are also kept in the folder (KeptLog): the first one brings the newest of those
/// that are there already, too, and each line comes once, whether the service still has it or not. That they cannot be kept
/// is a problem of the first look.
[[nodiscard]] RunPollFactory keepingLines(RunPollFactory open, std::filesystem::path folder,
                                          KeptLog::Limits limits = {});

/// Where the lines of that run are kept.
[[nodiscard]] std::filesystem::path linesFolder(const RunId& run);

/// Removes them; that there are none is no failure. Blocks on disk.
Result<void> forgetLines(const RunId& run);

}  // namespace lockstep
