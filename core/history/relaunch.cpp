// SPDX-License-Identifier: GPL-3.0-or-later
#include "history/relaunch.h"

#include <utility>
#include <vector>

#include "base/atomic_file.h"
#include "base/text/line_difference.h"

namespace lockstep {

TrainFileNow trainFileNow(const TrainingRun& run) {
  if (run.trainFile.empty()) return TrainFileNow::Unknown;
  const auto text = readFile(run.trainFile);
  if (text) return *text == run.trainYaml ? TrainFileNow::AsItWas : TrainFileNow::Changed;
  return text.error().code == ErrorCode::NotFound ? TrainFileNow::Gone : TrainFileNow::Unknown;
}

Result<Relaunch> planRelaunch(const TrainingRun& run, std::span<const LaunchChange> changes) {
  if (run.trainYaml.empty())
    return failure(ErrorCode::FailedPrecondition, "the run '" + run.name + "' cannot be launched again",
                   "its train.yaml is not known here: it was launched by something else",
                   "open its train.yaml and launch that");
  std::string image = run.image;
  std::string imageChange;
  std::vector<LaunchChange> inText;
  for (const LaunchChange& change : changes) {
    if (change.key != "image" || run.image.empty()) {
      inText.push_back(change);
      continue;
    }
    imageChange = "-image: " + image + "\n+image: " + change.value + "\n";
    image = change.value;
  }
  auto document = withChanges(ClusterDocument(run.trainYaml), inText);
  if (!document) return failure(std::move(document.error()));
  std::string difference =
      unifiedDifference(run.trainYaml, document->text(), run.id.value + "/train.yaml", "train.yaml");
  return Relaunch{
      *std::move(document), {run.trainFile, run.codeFolder, image, run.name}, imageChange + difference};
}

}  // namespace lockstep
