// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/run_marks.h"

#include <algorithm>

namespace lockstep {

std::vector<RunMark> restartsIn(const RunTimeline& timeline) {
  std::vector<RunMark> marks;
  const auto& attempts = timeline.attempts();
  const std::size_t first = attempts.size() > kMostMarks ? attempts.size() - kMostMarks : 1;
  for (std::size_t i = first; i < attempts.size(); ++i) {
    RunMark mark{RunMark::Kind::Restart, attempts[i].begin, attempts[i].firstStep, {}, 0, 0, {}};
    mark.attempt = static_cast<int>(i);
    marks.push_back(std::move(mark));
  }
  return marks;
}

std::vector<RunMark> evaluationsIn(const RunTimeline& timeline) {
  const MetricStore& samples = timeline.samples();
  const std::vector<Rank> ranks = samples.ranks(metric::kAccuracy);
  if (ranks.empty()) return {};
  if (samples.sampleCount(metric::kAccuracy, ranks.front()) > kMostMarks) return {};
  std::vector<RunMark> marks;
  for (const MetricPoint& point : samples.points(metric::kAccuracy, ranks.front())) {
    RunMark mark{RunMark::Kind::Evaluation,
                 timeline.aligned(ranks.front(), point.time),
                 point.step,
                 {},
                 0,
                 point.value,
                 {}};
    marks.push_back(std::move(mark));
  }
  return marks;
}

std::vector<RunMark> marksIn(const RunTimeline& timeline) {
  std::vector<RunMark> marks = restartsIn(timeline);
  const std::vector<RunMark> evaluations = evaluationsIn(timeline);
  marks.insert(marks.end(), evaluations.begin(), evaluations.end());
  std::ranges::stable_sort(marks, {}, &RunMark::time);
  return marks;
}

}  // namespace lockstep
