// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <filesystem>
#include <map>
#include <stop_token>
#include <string>
#include <vector>

#include "cluster/document/cluster_document.h"
#include "launch/launch_target.h"
#include "launch/rehearsal_launch.h"
#include "launch/run_services.h"

namespace lockstep {

// A launch from a train.yaml, step by step, as desktop and command line both take it: chosenTarget(),
// prepareLaunch(), readyToLaunch(), startTarget(), moveToTarget(), servicesFor(), launchPrepared(). Each front
// end says in between what it is doing.

/// What goes into a launch beside the text of the train.yaml.
struct LaunchInput {
  std::string file;        // where the text stands; "-": stdin; empty: in no file yet
  std::string codeFolder;  // what is to stand for /code in a rehearsal; empty: codeFolderOf(file)
  std::string image;       // in the place of '@image'; empty: the file names its own
  std::string name{};      // of a run that is launched again; empty: the job's
  std::string sweep{};     // whose point this launch is; empty: of none
  int sweepPoint = -1;
  std::map<std::string, std::string> variables = {};  // of all nodes, beside those of the file
};

struct PreparedLaunch {
  LaunchRequest request;
  std::filesystem::path codeFolder;  // one that does not exist for a text that is in no file
  bool rehearsing = false;
};

/// The requests that this train.yaml stands for on that target, the name of the run and all that is kept with
/// it, the version of the code in the file's folder among them. The run has the name of its job. In a rehearsal, ids that are still placeholders do not matter: the
/// region's own take their places. Sends and starts nothing; fails as makePlan() does, with "line:column" as
/// the place. Blocks on disk.
[[nodiscard]] Result<PreparedLaunch> prepareLaunch(const ClusterDocument& document, const LaunchInput& input,
                                                   const LaunchTarget& target);

/// Whether this machine can rehearse what has been prepared (readyToRehearse); always, where it is no
/// rehearsal. To be asked before the target is started. Blocks on disk.
Result<void> readyToLaunch(const PreparedLaunch& prepared, const std::stop_token& stop);

/// Puts the ids of a target that is a rehearsal region in the place of the file's own. A work dir in the
/// region's bucket stays. Returns what was replaced. Pure.
std::vector<Replacement> moveToTarget(PreparedLaunch& prepared, const StartedTarget& target);

/// The services of the target over the store of this machine; the run keeps their config file and profile.
/// Fails, too, when the profile is that of a rehearsal region on another machine and this one is not ready
/// for it. Blocks on disk.
Result<RunServices> servicesFor(PreparedLaunch& prepared, const StartedTarget& target,
                                const std::stop_token& stop);

/// Launches what has been prepared and moved, with a copy of the code where the region wants one. Blocks on
/// the network.
Result<TrainingRun> launchPrepared(RunServices& services, PreparedLaunch prepared,
                                   const LaunchProgressHandler& progress, const std::stop_token& stop);

}  // namespace lockstep
