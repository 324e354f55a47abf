// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/run_progress.h"

#include <algorithm>
#include <string>

#include "base/bounds.h"

namespace lockstep {
namespace {

// Long enough to even out a slow step, short enough to follow a change of pace.
constexpr std::size_t kRecentSamples = 200;
constexpr Step kMaxSteps = Step{1} << 53;  // what a sample can hold exactly
constexpr auto kLongestLeft = std::chrono::nanoseconds(std::chrono::years(100)).count();

bool isEarlier(const MetricPoint& a, const MetricPoint& b) {
  return a.time < b.time;
}

void keepNewest(std::optional<MetricPoint>& newest, const MetricPoint& point) {
  if (!newest || point.time >= newest->time) newest = point;
}

void keepLast(std::vector<MetricPoint>& points) {
  if (points.size() <= 2 * kRecentSamples) return;
  points.erase(points.begin(), points.end() - static_cast<std::ptrdiff_t>(kRecentSamples));
}

// The last step of each rank, and the total as it was sampled.
StepProgress progressOf(const std::vector<Step>& lastSteps, const std::optional<double>& total) {
  StepProgress progress;
  const auto slowest = std::min_element(lastSteps.begin(), lastSteps.end());
  if (slowest != lastSteps.end()) progress.step = std::min(*slowest, kMaxSteps) + 1;
  if (total) progress.total = integerIn(*total, 0, kMaxSteps);
  return progress;
}

}  // namespace

std::optional<double> StepProgress::fraction() const {
  if (!total || *total <= 0) return std::nullopt;
  return std::clamp(static_cast<double>(step) / static_cast<double>(*total), 0.0, 1.0);
}

StepProgress stepProgress(const MetricStore& metrics) {
  std::vector<Step> lastSteps;
  std::optional<double> total;
  const std::string loss(metric::kLoss), steps(metric::kTotalSteps);
  for (const Rank rank : metrics.ranks(loss)) {
    if (const auto last = metrics.last(loss, rank)) lastSteps.push_back(last->step);
    if (const auto last = metrics.last(steps, rank)) total = last->value;
  }
  return progressOf(lastSteps, total);
}

void RunProgress::clear() {
  *this = {};
}

void RunProgress::add(const std::vector<MetricSeriesBatch>& metrics) {
  for (const MetricSeriesBatch& batch : metrics) {
    if (batch.points.empty()) continue;
    const MetricPoint& last = batch.points.back();
    if (batch.name == metric::kLoss) addSteps(batch);
    if (batch.name == metric::kTotalSteps) keepNewest(total_, last);
    if (batch.name == metric::kAccuracy) keepNewest(accuracy_, last);
  }
}

void RunProgress::addSteps(const MetricSeriesBatch& batch) {
  std::vector<MetricPoint>& points = recent_[batch.rank];
  points.insert(points.end(), batch.points.begin(), batch.points.end());
  // The raw samples behind a summary come after it: new to us, and of the past.
  if (!std::is_sorted(points.begin(), points.end(), isEarlier))
    std::stable_sort(points.begin(), points.end(), isEarlier);
  keepLast(points);
}

StepProgress RunProgress::steps() const {
  std::vector<Step> lastSteps;
  for (const auto& [rank, points] : recent_) lastSteps.push_back(points.back().step);
  return progressOf(lastSteps, total_ ? std::optional(total_->value) : std::nullopt);
}

std::optional<Step> RunProgress::stepsDone() const {
  return recent_.empty() ? std::nullopt : std::optional(steps().step);
}

std::optional<Step> RunProgress::totalSteps() const {
  const auto total = steps().total;
  return total && *total >= 1 ? total : std::nullopt;
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
  const auto total = totalSteps();
  if (!total || !slowest || stalledFor(now)) return std::nullopt;
  const auto steps = static_cast<double>(std::max<Step>(0, *total - slowest->last.step - 1));
  const auto nanos = integerIn(steps * slowest->nanosecondsPerStep, 0, kLongestLeft);
  if (!nanos) return std::nullopt;
  const std::chrono::nanoseconds left(*nanos);
  const auto since = std::max(now - slowest->last.time, TimePoint::duration::zero());
  return std::max(left - since, std::chrono::nanoseconds::zero());
}

std::optional<std::chrono::nanoseconds> RunProgress::stalledFor(TimePoint now) const {
  const auto slowest = pace();
  const auto total = totalSteps();
  if (!slowest || (total && slowest->last.step + 1 >= *total)) return std::nullopt;
  const std::chrono::nanoseconds stallTimeout(
      integerIn(kStalledSteps * slowest->nanosecondsPerStep, 0, kLongestLeft).value_or(kLongestLeft));
  const auto since = now - slowest->last.time;
  return since >= std::max<std::chrono::nanoseconds>(stallTimeout, kMinStall) ? std::optional(since)
                                                                              : std::nullopt;
}

}  // namespace lockstep
