// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

#include "launch/rehearsal_control.h"
#include "launch/run_services.h"

namespace lockstep {

/// One value that a rehearsal of somebody's own train.yaml puts in place of another.
struct Replacement {
  std::string what;  // "subnetId"
  std::string from, to;
};
/// The plan on the region's tenancy. What already names the region's own ids stays, so does a work dir in its
/// bucket.
struct MovedPlan {
  Plan plan;
  std::vector<Replacement> replaced;
};
[[nodiscard]] MovedPlan movedToRehearsal(const Plan& plan, const RehearsalInfo& region);

/// Whether the rehearsal region can run this plan and this machine has what its nodes need; to be asked
/// before anything is started. `codeFolder` stands for /code (rehearsal_code.h). Blocks on disk.
Result<void> readyToRehearse(const Plan& plan, const std::filesystem::path& codeFolder,
                             const std::stop_token& stop);

/// Launches on the region of these services. Where that is one of this machine and the plan looks for code, a
/// copy of the folder goes with it, for as long as the job is there. Blocks.
Result<TrainingRun> launchWithCode(RunServices& services, LaunchRequest request,
                                   const std::filesystem::path& codeFolder,
                                   const LaunchProgressHandler& progress, const std::stop_token& stop);

}  // namespace lockstep
