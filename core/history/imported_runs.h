// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <filesystem>
#include <stop_token>

#include "history/run_storage.h"
#include "runs/run_store.h"

namespace lockstep {

/// Where the files of runs lie that came from elsewhere and are in the list of runs: userDataDir()/imported.
[[nodiscard]] std::filesystem::path importedRunsFolder();

/// Puts the run of a .lockstep file (docs/formats/run-file.md) into the list of runs of this machine: with an id of its own, its
/// results, and a copy of the file, so that it stays whatever becomes of that. It can be opened, searched and compared, and
/// is kFileBackend's. Refusals are those of openSavedRun(); then, and once it is asked to stop (Cancelled), nothing is left.
/// Blocks on disk; reads all samples.
[[nodiscard]] Result<TrainingRun> importRunFile(const std::filesystem::path& file, RunStore& store,
                                                const std::stop_token& stop);

/// Removes the copy of such a run; what was freed. It stays in the list of runs. InvalidArgument: it is no imported run.
Result<StoredSize> freeImportedRun(const TrainingRun& run);

}  // namespace lockstep
