// SPDX-License-Identifier: GPL-3.0-or-later
#include "comparison/overlay.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "history/run_results.h"
#include "timeline/rank_timeline.h"

namespace lockstep {
namespace {

double seconds(std::chrono::nanoseconds time) {
  return std::chrono::duration<double>(time).count();
}

/// The clock that steps of a run are told times by: that of its first rank with such samples.
class StepClock {
 public:
  StepClock(const MetricStore& samples, std::string_view metric) {
    const auto ranks = samples.ranks(metric);
    if (ranks.empty()) return;
    timeline_ = RankTimeline(samples, ranks.front());
    if (!timeline_.isEmpty()) begin_ = timeline_.span().first;
  }
  [[nodiscard]] bool isEmpty() const { return timeline_.isEmpty(); }
  /// In the newest attempt that has the step, as curveOf() has it. Absent: that rank has no such step.
  [[nodiscard]] std::optional<double> secondsAt(Step step) const {
    const auto time = timeline_.timeOf(step);
    return time ? std::optional(seconds(*time - begin_)) : std::nullopt;
  }
  /// The last step by then; absent: before the first.
  [[nodiscard]] std::optional<Step> stepAt(double after) const {
    const auto whole = timeline_.span();
    const double most = seconds(whole.second - whole.first);
    const auto since = std::chrono::duration<double>(std::clamp(after, 0.0, most));
    return timeline_.stepAt(begin_ + std::chrono::duration_cast<std::chrono::nanoseconds>(since));
  }

 private:
  RankTimeline timeline_{std::span<const Attempt>()};
  TimePoint begin_{};
};

PixelGrid gridOf(const std::pair<Step, Step>& steps, double from, double to, int columns) {
  const double first = std::max(from, static_cast<double>(steps.first));
  const double end = std::min(to, static_cast<double>(steps.second)) + 1;
  const double count = std::max(1.0, std::ceil(end - first));
  return {first, end, static_cast<int>(std::min<double>(columns, count))};
}

}  // namespace

std::optional<std::pair<double, double>> overlayExtent(const MetricStore& samples, std::string_view metric,
                                                       OverlayAxis axis) {
  const auto steps = samples.steps(metric);
  if (!steps) return std::nullopt;
  if (axis == OverlayAxis::Steps)
    return std::pair(static_cast<double>(steps->first), static_cast<double>(steps->second));
  const StepClock clock(samples, metric);
  const auto first = clock.secondsAt(steps->first), last = clock.secondsAt(steps->second);
  if (!first || !last) return std::nullopt;
  return std::pair(std::min(*first, *last), std::max(*first, *last));
}

std::vector<OverlayPoint> overlayOf(const MetricStore& samples, std::string_view metric, OverlayAxis axis,
                                    double from, double to, int columns) {
  std::vector<OverlayPoint> points;
  const auto steps = samples.steps(metric);
  if (!steps || columns <= 0 || !(from <= to)) return points;
  const bool isByTime = axis == OverlayAxis::Time;
  const StepClock clock(samples, metric);
  if (isByTime) {
    if (clock.isEmpty()) return points;
    from = static_cast<double>(clock.stepAt(from).value_or(steps->first));
    to = static_cast<double>(clock.stepAt(to).value_or(steps->second));
    if (from > to) std::swap(from, to);  // a restart lies between them
  }
  for (const auto& part : curveOf(samples, metric, gridOf(*steps, from, to, columns)).parts) {
    const auto x = isByTime ? clock.secondsAt(part.last) : std::optional(static_cast<double>(part.last));
    if (x) points.push_back({*x, part.value, part.min, part.max});
  }
  if (isByTime)
    std::stable_sort(points.begin(), points.end(),
                     [](const OverlayPoint& a, const OverlayPoint& b) { return a.x < b.x; });
  return points;
}

}  // namespace lockstep
