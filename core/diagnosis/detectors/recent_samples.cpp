// SPDX-License-Identifier: GPL-3.0-or-later
#include "diagnosis/detectors/recent_samples.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "diagnosis/detectors/robust.h"

namespace lockstep {
namespace {

using namespace std::chrono_literals;

/// A quantity that detectors look at: of each step, or measured each second.
struct Quantity {
  std::string_view metric;
  bool isOfSteps = true;
};
constexpr Quantity kQuantities[] = {{metric::kStepMs},
                                    {metric::kDataMs},
                                    {metric::kHostToDeviceMs},
                                    {metric::kForwardMs},
                                    {metric::kBackwardMs},
                                    {metric::kWaitMs},
                                    {metric::kTransferMs},
                                    {metric::kOptimizerMs},
                                    {metric::kOtherMs},
                                    {metric::kLoss},
                                    {metric::kGradientNorm},
                                    {metric::kSamplesPerSecond},
                                    {metric::kTokensPerSecond},
                                    {metric::kReducedBytes},
                                    {metric::kGpuPercent, false},
                                    {metric::kGpuMemoryBytes, false},
                                    {metric::kGpuTemperatureCelsius, false},
                                    {metric::kGpuSmClockMhz, false},
                                    {metric::kGpuEccErrors, false},
                                    {metric::kGpuXid, false},
                                    {metric::kCpuPercent, false},
                                    {metric::kMemoryBytes, false},
                                    {metric::kNodeCpuPercent, false},
                                    {metric::kNodeMemoryPercent, false},
                                    {metric::kNodeDiskPercent, false},
                                    {metric::kNetworkOutBytesPerSecond, false}};

constexpr auto kSilence = 20s;             // a rank that is so far behind the others is not waited for
constexpr std::size_t kUsageSamples = 16;  // of what is measured each second

std::size_t indexOf(std::string_view metric) {
  return static_cast<std::size_t>(std::ranges::find(kQuantities, metric, &Quantity::metric) - kQuantities);
}

RecentValues valuesOf(std::span<const MetricPoint> points, bool isOfSteps) {
  RecentValues recent;
  if (points.empty()) return recent;
  std::size_t first = points.size();
  const TimePoint from = points.back().time - RecentSamples::kReach;
  while (first > 0 && (points[first - 1].time >= from ||
                       points.size() - first < static_cast<std::size_t>(RecentSamples::kMinSamples)))
    --first;
  std::vector<double> values;
  values.reserve(points.size() - first);
  for (const MetricPoint& point : points.subspan(first)) {
    if (std::isfinite(point.value)) {
      if (values.empty() || point.value > recent.largest) {
        recent.largest = point.value;
        recent.largestStep = point.step;
        recent.largestTime = point.time;
      }
      values.push_back(point.value);
    } else if (recent.isFinite) {
      recent.isFinite = false;
      recent.firstNotFinite = point.step;
    }
  }
  recent.count = static_cast<int>(points.size() - first);
  recent.median = medianOf(values);
  if (isOfSteps) recent.spread = spreadAround(values, recent.median);
  recent.last = points.back().value;
  recent.firstStep = points[first].step;
  recent.lastStep = points.back().step;
  recent.firstTime = points[first].time;
  recent.lastTime = points.back().time;
  return recent;
}

}  // namespace

RecentSamples::RecentSamples(const RunTimeline& timeline, std::optional<TimePoint> until) {
  const MetricStore& samples = timeline.samples();
  findPlaces(timeline, until);
  columns_.resize(std::size(kQuantities));
  for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
    MetricStore::Reached by = reached_[rank];
    by.step = std::min(by.step, step_);
    const std::size_t ofSteps = samplesFor(samples, rank);
    for (std::size_t i = 0; i < std::size(kQuantities); ++i) {
      const auto points = samples.newest(kQuantities[i].metric, ranks_[rank],
                                         kQuantities[i].isOfSteps ? ofSteps : kUsageSamples, by);
      if (points.empty()) continue;
      columns_[i].resize(ranks_.size());
      columns_[i][rank] = valuesOf(points, kQuantities[i].isOfSteps);
    }
  }
  findWarmth(samples);
}

void RecentSamples::findPlaces(const RunTimeline& timeline, std::optional<TimePoint> until) {
  const MetricStore& samples = timeline.samples();
  std::vector<TimePoint> last;
  for (const Rank rank : samples.ranks()) {
    const auto attempts = samples.attempts(rank);
    const auto reached = until ? samples.reachedAt(rank, timeline.ownTime(rank, *until))
                               : std::optional(MetricStore::Reached{static_cast<int>(attempts.size()) - 1,
                                                                    attempts.back().maxStep()});
    if (!reached) continue;
    const TimePoint end =
        timeline.aligned(rank, attempts[static_cast<std::size_t>(reached->attempt)].maxTime);
    ranks_.push_back(rank);
    reached_.push_back(*reached);
    last.push_back(until ? std::min(*until, end) : end);
    attempts_ = std::max(attempts_, reached->attempt + 1);
  }
  if (ranks_.empty()) return;
  newest_ = *std::ranges::max_element(last);
  step_ = std::numeric_limits<Step>::max();
  for (std::size_t i = 0; i < ranks_.size(); ++i)
    if (newest_ - last[i] <= kSilence) step_ = std::min(step_, reached_[i].step);
}

/// As many as the rank made steps in kReach; of very many ranks no more than fit.
std::size_t RecentSamples::samplesFor(const MetricStore& samples, std::size_t index) const {
  constexpr std::size_t kFew = 32;
  const std::size_t most = std::clamp<std::size_t>(kMostSamples / ranks_.size(), 16, 1000);
  MetricStore::Reached by = reached_[index];
  by.step = std::min(by.step, step_);
  const auto few = samples.newest(metric::kLoss, ranks_[index], kFew, by);
  const auto some = few.size() > 1 ? few : samples.newest(metric::kStepMs, ranks_[index], kFew, by);
  if (some.size() < 2) return kFew;
  const auto each = (some.back().time - some.front().time) / static_cast<std::int64_t>(some.size() - 1);
  if (each <= std::chrono::nanoseconds(0)) return kFew;
  return std::clamp<std::size_t>(static_cast<std::size_t>(kReach / each) + 2, kMinSamples, most);
}

void RecentSamples::findWarmth(const MetricStore& samples) {
  if (ranks_.empty()) return;
  for (const Quantity& quantity : kQuantities) {
    const auto column = of(quantity.metric);
    if (!quantity.isOfSteps || column.empty() || column.front().count == 0) continue;
    const Attempt& attempt =
        samples.attempts(ranks_.front())[static_cast<std::size_t>(reached_.front().attempt)];
    begin_ = column.front().firstTime;
    beginStep_ = column.front().firstStep;
    attemptBegin_ = attempt.minTime;
    isWarm_ = column.front().count >= kMinSamples &&
              static_cast<double>(beginStep_) - static_cast<double>(attempt.minStep()) >= kWarmUp;
    return;
  }
}

std::span<const RecentValues> RecentSamples::of(std::string_view metric) const {
  const std::size_t index = indexOf(metric);
  return index < columns_.size() ? std::span<const RecentValues>(columns_[index])
                                 : std::span<const RecentValues>();
}

std::vector<double> RecentSamples::medians(std::string_view metric) const {
  std::vector<double> medians;
  for (const RecentValues& recent : of(metric))
    medians.push_back(recent.count > 0 ? recent.median : std::numeric_limits<double>::quiet_NaN());
  return medians;
}

double RecentSamples::median(std::string_view metric) const {
  std::vector<double> medians;
  for (const RecentValues& recent : of(metric))
    if (recent.count > 0 && std::isfinite(recent.median)) medians.push_back(recent.median);
  return medianOf(std::move(medians));
}

}  // namespace lockstep
