// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <functional>
#include <memory>
#include <stop_token>
#include <vector>

#include "history/sweep.h"
#include "runs/run_store.h"

namespace lockstep::cli {

/// What working on a sweep needs of the world. All block on the network.
struct SweepHands {
  /// Launches a point; the run is in the store then, or was before it failed.
  std::function<Result<TrainingRun>(std::size_t point)> launch;
  /// The run as the service sees it now, saved.
  std::function<Result<TrainingRun>(const TrainingRun& run)> refresh;
  /// Told once of each run that has ended since the work began.
  std::function<void(const TrainingRun& run)> ended;
  /// Told whenever a state has changed.
  std::function<void(const std::vector<SweepPoint>& points)> show;
};

struct SweepOptions {
  int atOnce = 2;
  bool failedToo = false;  // points whose run failed are launched again, once
  std::chrono::nanoseconds interval = std::chrono::seconds(2);
};

/// Launches the points of a sweep that are open, never more than `atOnce` at a time, and follows their runs until all have ended,
/// or `stop`; what is launched goes on then, and the next call goes on with the rest. A launch that is refused ends the work, once
/// what goes on has ended. Returns the points as they are then. Blocks.
Result<std::vector<SweepPoint>> workOn(const Sweep& sweep, RunStore& store, const SweepHands& hands,
                                       const SweepOptions& options, Clock& clock,
                                       const std::stop_token& stop);

}  // namespace lockstep::cli
