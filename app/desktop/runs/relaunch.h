// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <span>
#include <stop_token>

#include "app/desktop/runs/run_access.h"
#include "history/relaunch.h"
#include "launch/launcher.h"

namespace lockstep {

struct Relaunched {
  TrainingRun run;
  TrainFileNow file = TrainFileNow::Unknown;
};

/// Launches a run again as it was, but for the changes (planRelaunch), with the same profile. Blocks on the network.
Result<Relaunched> relaunch(const TrainingRun& run, std::span<const LaunchChange> changes,
                            const PassPhrases& passPhrases, const LaunchProgressHandler& progress,
                            const std::stop_token& stop);

}  // namespace lockstep
