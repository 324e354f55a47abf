// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/runs/relaunch.h"

#include <utility>

#include "app/desktop/runs/launch_cluster.h"

namespace lockstep {

Result<Relaunched> relaunch(const TrainingRun& run, std::span<const LaunchChange> changes,
                            const PassPhrases& passPhrases, const LaunchProgressHandler& progress,
                            const std::stop_token& stop) {
  const auto again = planRelaunch(run, changes);
  if (!again) return failure(again.error());
  const LaunchAsk ask{
      again->document.text(), again->input.file,       {run.configFile, run.profile, passPhrases},
      again->input.name,      again->input.codeFolder, again->input.image};
  auto launched = launchCluster(ask, progress, stop);
  if (!launched) return failure(launched.error());
  return Relaunched{*std::move(launched), trainFileNow(run)};
}

}  // namespace lockstep
