// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <stop_token>

#include "launch/run_services.h"
#include "portable/save_run.h"

namespace lockstep::cli {

/// All lines that the log of a run has, for saveRun(), which calls it; empty: it has no log. `services` outlives it.
[[nodiscard]] std::function<Result<void>(const PutLine&)> linesToSave(const TrainingRun& run,
                                                                      RunServices& services,
                                                                      const std::stop_token& stop);

}  // namespace lockstep::cli
