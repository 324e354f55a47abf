// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/saved/saved_run_launcher.h"

#include <fmt/format.h>

namespace lockstep {
namespace {

tl::unexpected<Error> cannot(const char* verb, const std::string& name) {
  return failure(ErrorCode::FailedPrecondition, fmt::format("cannot {} the run '{}'", verb, name),
                 "it is read from a file, in which it is as it was when it was saved",
                 "name it by its id on the machine that launched it, or by the OCID of its job");
}

}  // namespace

Result<TrainingRun> SavedRunLauncher::launch(const LaunchRequest& request, const LaunchProgressHandler&,
                                             const std::stop_token&) {
  return cannot("launch", request.name);
}

Result<TrainingRun> SavedRunLauncher::cancel(TrainingRun run, const std::stop_token&) {
  return cannot("cancel", run.name);
}

Result<TrainingRun> SavedRunLauncher::refresh(TrainingRun run, const std::stop_token&) {
  return run;
}

}  // namespace lockstep
