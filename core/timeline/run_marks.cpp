// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/run_marks.h"

#include <algorithm>
#include <string_view>

namespace lockstep {
namespace {

constexpr std::size_t kManyForMarks = 64;  // fewer are marks, however near to each other
constexpr double kLargestStep = 9e15;      // that a double holds exactly

bool isStep(double value) {
  return value >= 0 && value <= kLargestStep;
}

bool isCurve(const MetricStore& samples, std::string_view name) {
  const auto steps = samples.steps(name);
  if (!steps) return false;
  const std::size_t count = samples.sampleCount(name, samples.ranks(name).front());
  return count > kManyForMarks && 4 * static_cast<Step>(count) > steps->second - steps->first;
}

/// One for each of the newest samples of the lowest rank that has any.
template <class Describe>
std::vector<RunMark> marksAt(const RunTimeline& timeline, std::string_view name, Describe describe) {
  const std::vector<Rank> ranks = timeline.samples().ranks(name);
  if (ranks.empty()) return {};
  const std::vector<MetricPoint> points = timeline.samples().points(name, ranks.front());
  std::vector<RunMark> marks;
  for (std::size_t i = points.size() - std::min(points.size(), kMaxMarks); i < points.size(); ++i) {
    RunMark mark;
    mark.time = timeline.aligned(ranks.front(), points[i].time);
    describe(points[i], mark);
    marks.push_back(std::move(mark));
  }
  return marks;
}

}  // namespace

std::vector<RunMark> restartsIn(const RunTimeline& timeline) {
  std::vector<RunMark> marks;
  const auto& attempts = timeline.attempts();
  const std::size_t first = attempts.size() > kMaxMarks ? attempts.size() - kMaxMarks : 1;
  for (std::size_t i = first; i < attempts.size(); ++i) {
    RunMark mark{RunMark::Kind::Restart, attempts[i].begin, attempts[i].firstStep, {}, 0, 0, {}};
    mark.attempt = static_cast<int>(i);
    marks.push_back(std::move(mark));
  }
  return marks;
}

std::vector<RunMark> evaluationsIn(const RunTimeline& timeline) {
  if (isCurve(timeline.samples(), metric::kAccuracy)) return {};
  return marksAt(timeline, metric::kAccuracy, [](const MetricPoint& point, RunMark& mark) {
    mark.kind = RunMark::Kind::Evaluation;
    mark.step = point.step;
    mark.value = point.value;
  });
}

std::vector<RunMark> checkpointsIn(const RunTimeline& timeline) {
  return marksAt(timeline, metric::kCheckpointStep, [](const MetricPoint& point, RunMark& mark) {
    mark.kind = RunMark::Kind::Checkpoint;
    if (isStep(point.value)) mark.step = static_cast<Step>(point.value);
  });
}

std::vector<RunMark> marksIn(const RunTimeline& timeline) {
  std::vector<RunMark> marks = restartsIn(timeline);
  for (const auto& more : {evaluationsIn(timeline), checkpointsIn(timeline)})
    marks.insert(marks.end(), more.begin(), more.end());
  std::ranges::stable_sort(marks, {}, &RunMark::time);
  return marks;
}

}  // namespace lockstep
