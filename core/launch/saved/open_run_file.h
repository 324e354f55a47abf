// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>

#include "launch/run_services.h"
#include "portable/run_file.h"
#include "portable/save_run.h"

namespace lockstep {

/// A run from a .lockstep file and the way to its parts: `reference` as namesRunFile() takes it. Needs no profile, no run
/// store and no network. Blocks on disk.
[[nodiscard]] Result<OpenedRun> openRunFile(const std::string& reference);
/// The services of a run that openRunFile() brought (kFileBackend).
[[nodiscard]] Result<RunServices> servicesOfFile(const TrainingRun& run);

/// What of a run can be saved into a file: its parts by those services. Its lines are `lines`. Sends nothing yet.
[[nodiscard]] Result<RunToSave> partsToSave(const TrainingRun& run, RunServices& services,
                                            std::function<Result<void>(const PutLine&)> lines);

}  // namespace lockstep
