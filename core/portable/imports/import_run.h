// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <filesystem>
#include <stop_token>
#include <vector>

#include "portable/imports/board_samples.h"
#include "portable/imports/imported_run.h"

namespace lockstep {

/// The runs that another program has left there: a folder of TensorBoard, an event file, or a file of comma-separated values
/// (runsInBoard, runsInCsv). InvalidArgument: it is none of them. Blocks on disk; Cancelled once it is asked to stop.
[[nodiscard]] Result<std::vector<ImportedRun>> readForeignRuns(const std::filesystem::path& path,
                                                               const ReadProgress& progress,
                                                               const std::stop_token& stop);

/// Writes such a run into a .lockstep file, which openSavedRun() reads. Nobody knows how it ended: it is silent since its last
/// sample. Blocks on disk; Cancelled, and nothing is left, once it is asked to stop.
Result<void> saveImportedRun(const ImportedRun& run, const std::filesystem::path& path,
                             const std::stop_token& stop);

}  // namespace lockstep
