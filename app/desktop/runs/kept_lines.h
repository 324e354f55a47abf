// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <filesystem>

#include "app/desktop/runs/run_monitor.h"
#include "logs/store/kept_log.h"
#include "metrics/lines/line_choice.h"

namespace lockstep {

class RunDiagnosis;

/// The same looks at a run, whose lines are kept in the folder (KeptLog), or in memory where none is given: instead of lines
/// a look brings the whole log as it is now, if it has more lines than before. The first one brings what was there already,
/// and each line is there once, whether the service still has it or not. That lines cannot be kept is a problem of the
/// first look. The lines come newest first where there are many, and of those that are kept as a whole none is asked for
/// again. `choice`: the rules that read samples from them, where the nodes have left none. `diagnosis`, where there is one, is
/// shown all of them.
[[nodiscard]] RunPollFactory keepingLines(RunPollFactory open, std::filesystem::path folder,
                                          KeptLog::Limits limits = {}, const LineChoice& choice = {},
                                          std::shared_ptr<RunDiagnosis> diagnosis = nullptr);

/// Where the lines of that run are kept.
[[nodiscard]] std::filesystem::path linesFolder(const RunId& run);

/// Removes them; that there are none is no failure. Blocks on disk.
Result<void> forgetLines(const RunId& run);

}  // namespace lockstep
