// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "runs/training_run.h"

namespace lockstep {

/// Brings a run up to date with the rows of one ListJobRuns (oci-rest-contract 4.5). Pure. A row of a job run
/// that we have no id for (its answer was lost when the launching process died) is taken over by its display
/// name. Returns the nodes that have an id but no row, as indices.
std::vector<std::size_t> applyJobRuns(TrainingRun& run, const std::vector<nlohmann::json>& rows);

/// State, details and times of one JobRun or JobRunSummary; the states of its node groups, which only a
/// JobRun has, stand in front of the details: "[main ACTIVE, worker CREATING] …".
void applyJobRun(NodeRun& node, const nlohmann::json& row);

/// When the last of its nodes ended, as far as that is known.
[[nodiscard]] std::optional<TimePoint> lastFinished(const TrainingRun& run);

}  // namespace lockstep
