// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/runs/relaunch.h"

#include <filesystem>
#include <utility>

#include "app/desktop/runs/launch_cluster.h"
#include "base/atomic_file.h"

namespace lockstep {

TrainFileNow trainFileNow(const TrainingRun& run) {
  if (run.trainFile.empty()) return TrainFileNow::Unknown;
  const auto text = readFile(run.trainFile);
  if (text) return *text == run.trainYaml ? TrainFileNow::AsItWas : TrainFileNow::Changed;
  return text.error().code == ErrorCode::NotFound ? TrainFileNow::Gone : TrainFileNow::Unknown;
}

Result<Relaunched> relaunch(const TrainingRun& run, const PassPhrases& passPhrases,
                            const LaunchProgressHandler& progress, const std::stop_token& stop) {
  if (run.trainYaml.empty())
    return failure(ErrorCode::FailedPrecondition, "the run '" + run.name + "' cannot be launched again",
                   "its train.yaml is not known here: it was launched by something else",
                   "open its train.yaml and launch that");
  const LaunchAsk ask{run.trainYaml, run.trainFile,  {run.configFile, run.profile, passPhrases},
                      run.name,      run.codeFolder, run.image};
  auto launched = launchCluster(ask, progress, stop);
  if (!launched) return failure(launched.error());
  return Relaunched{*std::move(launched), trainFileNow(run)};
}

}  // namespace lockstep
