// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <stop_token>
#include <string>
#include <vector>

#include "interrupt.h"
#include "launch/launch_session.h"
#include "target.h"
#include "telling_options.h"

namespace lockstep::cli {

// What `run`, `relaunch` and `sweep` do with a launch that is prepared (launch/launch_session.h), with words on stderr.

/// The issues of a file, on stderr; in a rehearsal without those that it has no use for.
void noteIssues(const ClusterDocument& document, const LaunchTarget& target, const std::string& file);

/// prepareLaunch of core. Sends and starts nothing.
[[nodiscard]] Result<PreparedLaunch> preparedHere(const ClusterDocument& document, const LaunchInput& input,
                                                  const LaunchTarget& target);

struct LaunchedRun {
  RunServices services;
  TrainingRun run;
};
/// Looks whether this machine is ready, starts the target, moves the launch there and launches. `file`: what is launched, for words. A bar on stderr unless `quiet`.
/// Blocks on the network.
[[nodiscard]] Result<LaunchedRun> launchOn(const LaunchTarget& chosen, PreparedLaunch prepared,
                                           const std::string& file, bool quiet, const std::stop_token& stop);

struct AfterLaunch {
  std::string infoFile, timeout;
  bool detach = false, json = false;
  TellingOptions telling = {};  // while it is followed
};
/// Says that it is launched, and follows it to its end unless that is not wanted. The exit status.
int reportAndFollow(LaunchedRun& launched, const AfterLaunch& options, const Interrupt& interrupt);

}  // namespace lockstep::cli
