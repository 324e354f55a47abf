// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <functional>
#include <string>

namespace lockstep {

/// What a launch does now, in the order in which it does them.
enum class LaunchStage {
  CheckingMachine,  // whether this machine can rehearse; only for a rehearsal
  StartingRegion,   // the rehearsal region, unless it runs
  CopyingCode,      // what stands for /code, for the region
  CreatingJob,
  CreatingJobRun,
  Launched,
};

struct LaunchProgress {
  int done = 0, total = 0;  // requests
  LaunchStage stage = LaunchStage::CreatingJob;
  std::string name{};  // of the job or job run that is created
};
/// Told before each stage, on the thread that launches.
using LaunchProgressHandler = std::function<void(const LaunchProgress&)>;

/// "creating job run 'worker_1'", in English: for the command line and for what is kept about a failure.
[[nodiscard]] std::string toText(const LaunchProgress& progress);

}  // namespace lockstep
