// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <span>
#include <string>

#include "history/launch_changes.h"
#include "launch/launch_session.h"
#include "runs/training_run.h"

namespace lockstep {

/// What has become of the file that a run was launched from.
enum class TrainFileNow { Unknown, AsItWas, Changed, Gone };
/// Blocks on disk.
[[nodiscard]] TrainFileNow trainFileNow(const TrainingRun& run);

/// A launch of the same again, as desktop and command line both make it.
struct Relaunch {
  ClusterDocument document;  // the text that is kept with the run, whatever its file says by now
  LaunchInput input;         // its image, folder of the code, file and name
  std::string difference;    // unified, from what was launched to what is going to be; empty: the same
};

/// Exactly the same, but for the changes. FailedPrecondition: the text of the run is not known, since something else has
/// launched it. An image is changed where it stands: in the text, or beside it where the text says '@image'. Pure.
[[nodiscard]] Result<Relaunch> planRelaunch(const TrainingRun& run, std::span<const LaunchChange> changes);

}  // namespace lockstep
