// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <stop_token>

#include "app/desktop/runs/run_access.h"
#include "launch/launcher.h"

namespace lockstep {

/// What has become of the file that a run was launched from.
enum class TrainFileNow { Unknown, AsItWas, Changed, Gone };

struct Relaunched {
  TrainingRun run;
  TrainFileNow file = TrainFileNow::Unknown;
};

/// Blocks on disk.
[[nodiscard]] TrainFileNow trainFileNow(const TrainingRun& run);

/// Launches a run again as it was: the text that is kept with it, whatever its file says by now, with the
/// same profile, image and folder of the code. FailedPrecondition for a run whose text is not known. Blocks
/// on the network.
Result<Relaunched> relaunch(const TrainingRun& run, const PassPhrases& passPhrases,
                            const LaunchProgressHandler& progress, const std::stop_token& stop);

}  // namespace lockstep
