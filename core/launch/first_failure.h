// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "runs/training_run.h"

namespace lockstep {

/// Why a run with a failed node failed, for people: from what the failing node's agent wrote into the work
/// dir (layout::failureFile: rank, node, jobRun, what, signal, exitCode), else from the service's
/// lifecycleDetails of the node that failed first. Names rank or node, and the signal or exit code where
/// known. Empty when no node failed.
[[nodiscard]] std::string explainFailure(const TrainingRun& run,
                                         const std::optional<nlohmann::json>& failureFile);

}  // namespace lockstep
