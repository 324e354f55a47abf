// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/runs/run_progress.h"

#include <algorithm>
#include <cmath>

#include "base/bounds.h"

namespace lockstep {
namespace {

// Long enough to even out a slow step, short enough to follow a change of pace.
constexpr std::size_t kRecentSamples = 200;
constexpr Step kMostSteps = Step{1} << 53;  // what a sample can hold exactly
constexpr auto kLongestLeft = std::chrono::nanoseconds(std::chrono::years(100)).count();

void keepLast(std::vector<MetricPoint>& points) {
  if (points.size() <= 2 * kRecentSamples) return;
  points.erase(points.begin(), points.end() - static_cast<std::ptrdiff_t>(kRecentSamples));
}

}  // namespace

void RunProgress::clear() {
  *this = {};
}

void RunProgress::add(const std::vector<MetricSeriesBatch>& metrics) {
  for (const MetricSeriesBatch& batch : metrics) {
    if (batch.points.empty()) continue;
    const MetricPoint& last = batch.points.back();
    if (batch.name == metric::kLoss) addSteps(batch);
    if (batch.name == metric::kTotalSteps && last.value >= 1)
      total_ = integerIn(std::round(last.value), 1, kMostSteps);
    if (batch.name == metric::kAccuracy && (!accuracy_ || last.time >= accuracy_->time)) accuracy_ = last;
  }
}

void RunProgress::addSteps(const MetricSeriesBatch& batch) {
  std::vector<MetricPoint>& points = recent_[batch.rank];
  points.insert(points.end(), batch.points.begin(), batch.points.end());
  keepLast(points);
}

std::optional<Step> RunProgress::stepsDone() const {
  std::optional<Step> slowest;
  for (const auto& [rank, points] : recent_) {
    const Step done = std::min(points.back().step, kMostSteps) + 1;
    slowest = slowest ? std::min(*slowest, done) : done;
  }
  return slowest;
}

std::optional<double> RunProgress::accuracyPercent() const {
  return accuracy_ ? std::optional(accuracy_->value) : std::nullopt;
}

std::optional<RunProgress::Pace> RunProgress::pace() const {
  if (recent_.empty()) return std::nullopt;
  const auto slowest = std::min_element(recent_.begin(), recent_.end(), [](const auto& a, const auto& b) {
    return a.second.back().step < b.second.back().step;
  });
  const MetricPoint& first = slowest->second.front();
  const MetricPoint& last = slowest->second.back();
  if (last.step <= first.step || last.time <= first.time) return std::nullopt;
  return Pace{last, static_cast<double>((last.time - first.time).count()) /
                        static_cast<double>(last.step - first.step)};
}

std::optional<std::chrono::nanoseconds> RunProgress::remaining(TimePoint now) const {
  const auto slowest = pace();
  if (!total_ || !slowest || stalledFor(now)) return std::nullopt;
  const auto steps = static_cast<double>(std::max<Step>(0, *total_ - slowest->last.step - 1));
  const auto nanos = integerIn(steps * slowest->nanosecondsPerStep, 0, kLongestLeft);
  if (!nanos) return std::nullopt;
  const std::chrono::nanoseconds left(*nanos);
  const auto since = std::max(now - slowest->last.time, TimePoint::duration::zero());
  return std::max(left - since, std::chrono::nanoseconds::zero());
}

std::optional<std::chrono::nanoseconds> RunProgress::stalledFor(TimePoint now) const {
  const auto slowest = pace();
  if (!slowest || (total_ && slowest->last.step + 1 >= *total_)) return std::nullopt;
  const std::chrono::nanoseconds patience(
      integerIn(kStalledSteps * slowest->nanosecondsPerStep, 0, kLongestLeft).value_or(kLongestLeft));
  const auto since = now - slowest->last.time;
  return since >= std::max<std::chrono::nanoseconds>(patience, kStalledAtLeast) ? std::optional(since)
                                                                                : std::nullopt;
}

}  // namespace lockstep
