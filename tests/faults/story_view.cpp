// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/faults/story_view.h"

#include <algorithm>

namespace lockstep::testing {

std::vector<Error> StoryView::look(TrainingRun& run, std::vector<std::string>& twice) {
  RunUpdate update = follower_->poll({});
  run = update.run;
  for (const LogLine& line : update.lines) {
    if (!lines_.emplace(line.id, line.text).second) twice.push_back("line twice: " + line.text);
    ++linesOf_[line.jobRun.value];
  }
  for (const MetricSeriesBatch& batch : update.metrics)
    for (const MetricPoint& point : batch.points)
      if (!samples_.emplace(point.step, point.value).second) twice.emplace_back("sample twice");
  return std::move(update.problems);
}

bool StoryView::hasLines(const TrainingRun& run, int each) const {
  return std::all_of(run.nodes.begin(), run.nodes.end(), [&](const NodeRun& node) {
    const auto found = linesOf_.find(node.id.value);
    return found != linesOf_.end() && found->second >= each;
  });
}

}  // namespace lockstep::testing
