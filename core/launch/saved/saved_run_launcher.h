// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "launch/launcher.h"

namespace lockstep {

/// A run in a .lockstep file: it is as the file says, and neither launched nor cancelled (FailedPrecondition).
class SavedRunLauncher final : public Launcher {
 public:
  Result<TrainingRun> launch(const LaunchRequest& request, const LaunchProgressHandler& progress,
                             const std::stop_token& stop) override;
  Result<TrainingRun> cancel(TrainingRun run, const std::stop_token& stop) override;
  Result<TrainingRun> refresh(TrainingRun run, const std::stop_token& stop) override;
};

}  // namespace lockstep
