// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "diagnosis/detectors/observation.h"
#include "runs/training_run.h"

namespace lockstep {

/// What of a run's record matters to a diagnosis. Reads the train.yaml that it was launched from: some milliseconds, so of a
/// run once, and then with what it said.
[[nodiscard]] RunFacts runFactsOf(const TrainingRun& run);
/// The same run a while later: only state and failure are taken anew.
[[nodiscard]] RunFacts runFactsOf(const TrainingRun& run, RunFacts before);

}  // namespace lockstep
