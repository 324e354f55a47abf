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

// The last step of each rank, and the total as it was sampled.
StepProgress progressOf(const std::vector<Step>& lastSteps, const std::optional<double>& total) {
  StepProgress progress;
  const auto slowest = std::min_element(lastSteps.begin(), lastSteps.end());
  if (slowest != lastSteps.end()) progress.step = std::min(*slowest, kMaxSteps) + 1;
  if (total) progress.total = integerIn(*total, 0, kMaxSteps);
  return progress;
}

std::optional<Rank> slowestRank(const MetricStore& metrics) {
  std::optional<Rank> slowest;
  Step reached = 0;
  for (const Rank rank : metrics.ranks(metric::kLoss)) {
    const auto last = metrics.last(metric::kLoss, rank);
    if (!last || (slowest && last->step >= reached)) continue;
    slowest = rank;
    reached = last->step;
  }
  return slowest;
}

}  // namespace

std::optional<double> StepProgress::fraction() const {
  if (!total || *total <= 0) return std::nullopt;
  return std::clamp(static_cast<double>(step) / static_cast<double>(*total), 0.0, 1.0);
}

StepProgress stepProgress(const MetricStore& metrics) {
  std::vector<Step> lastSteps;
  std::optional<double> total;
  for (const Rank rank : metrics.ranks(metric::kLoss))
    if (const auto last = metrics.last(metric::kLoss, rank)) lastSteps.push_back(last->step);
  for (const Rank rank : metrics.ranks(metric::kTotalSteps))
    if (const auto last = metrics.last(metric::kTotalSteps, rank)) total = last->value;
  return progressOf(lastSteps, total);
}

void RunProgress::clear() {
  *this = {};
}

void RunProgress::update(const MetricStore& metrics) {
  clear();
  steps_ = stepProgress(metrics);
  std::optional<TimePoint> newest;
  for (const Rank rank : metrics.ranks(metric::kAccuracy)) {
    const auto last = metrics.last(metric::kAccuracy, rank);
    if (!last || (newest && last->time < *newest)) continue;
    newest = last->time;
    accuracy_ = last->value;
  }
  if (const auto slowest = slowestRank(metrics))
    pace_ = paceOf(metrics.newest(metric::kLoss, *slowest, kRecentSamples));
}

std::optional<RunProgress::Pace> RunProgress::paceOf(const std::vector<MetricPoint>& points) {
  if (points.empty()) return std::nullopt;
  const MetricPoint& first = points.front();
  const MetricPoint& last = points.back();
  if (last.step <= first.step || last.time <= first.time) return std::nullopt;
  return Pace{last, static_cast<double>((last.time - first.time).count()) /
                        static_cast<double>(last.step - first.step)};
}

std::optional<Step> RunProgress::stepsDone() const {
  return steps_.step == 0 ? std::nullopt : std::optional(steps_.step);
}

std::optional<Step> RunProgress::totalSteps() const {
  return steps_.total && *steps_.total >= 1 ? steps_.total : std::nullopt;
}

std::optional<double> RunProgress::accuracyPercent() const {
  return accuracy_;
}

std::optional<std::chrono::nanoseconds> RunProgress::remaining(TimePoint now) const {
  const auto& slowest = pace_;
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
  const auto& slowest = pace_;
  const auto total = totalSteps();
  if (!slowest || (total && slowest->last.step + 1 >= *total)) return std::nullopt;
  const std::chrono::nanoseconds stallTimeout(
      integerIn(kStalledSteps * slowest->nanosecondsPerStep, 0, kLongestLeft).value_or(kLongestLeft));
  const auto since = now - slowest->last.time;
  return since >= std::max<std::chrono::nanoseconds>(stallTimeout, kMinStall) ? std::optional(since)
                                                                              : std::nullopt;
}

}  // namespace lockstep
