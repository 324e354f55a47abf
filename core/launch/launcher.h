// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <stop_token>
#include <string>

#include "plan/plan.h"
#include "runs/launch_progress.h"
#include "runs/run_store.h"
#include "runs/training_run.h"

namespace lockstep {

struct LaunchRequest {
  Plan plan;
  std::string name;
  std::string trainYaml;
  std::string configFile, profile;
  std::string trainFile, codeFolder, image;  // kept with the run, see TrainingRun
  CodeVersion code;                          // likewise
  std::string sweep;                         // likewise
  int sweepPoint = -1;
};

/// Starts and ends runs on one kind of place. Blocking, cancellable; one call at a time.
class Launcher {
 public:
  virtual ~Launcher() = default;
  /// Every id is in the run store before the next request goes out. When a request fails or the token stops,
  /// what was created is cancelled again and the failure says so; the run stays in the store as FAILED.
  virtual Result<TrainingRun> launch(const LaunchRequest& request, const LaunchProgressHandler& progress,
                                     const std::stop_token& stop) = 0;
  /// Asks every job run that has not ended to end, waits until each has (or `stop`), and returns the run as
  /// it is then.
  virtual Result<TrainingRun> cancel(TrainingRun run, const std::stop_token& stop) = 0;
  /// The run as the service sees it now; saved into the store when it changed.
  virtual Result<TrainingRun> refresh(TrainingRun run, const std::stop_token& stop) = 0;
};

}  // namespace lockstep
