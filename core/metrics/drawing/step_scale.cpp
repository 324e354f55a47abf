// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/drawing/step_scale.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "metrics/drawing/tick_steps.h"

namespace lockstep {
namespace {

constexpr int kKnots = 64;
constexpr std::size_t kRecent = 9;  // samples of which the usual one is taken
constexpr int kMaxTicks = 50;

double seconds(TimePoint::duration duration) {
  return std::chrono::duration<double>(duration).count();
}

std::optional<Rank> farthestRank(const MetricStore& metrics, std::string_view name) {
  std::optional<Rank> farthest;
  Step reached = 0;
  for (const Rank rank : metrics.ranks(name)) {
    const auto last = metrics.last(name, rank);
    if (!last || (farthest && last->step <= reached)) continue;
    farthest = rank;
    reached = last->step;
  }
  return farthest;
}

/// What a rank takes in per step: how fast it is times how long it takes; 0: not measured.
double samplesPerStep(const MetricStore& metrics, Rank rank) {
  std::vector<double> recent;
  for (const MetricPoint& speed : metrics.newest(metric::kSamplesPerSecond, rank, kRecent)) {
    const auto step = metrics.nearest(metric::kStepMs, rank, static_cast<double>(speed.step));
    if (!step || step->step != speed.step) continue;
    const double samples = speed.value * step->value / 1000;
    if (std::isfinite(samples) && samples > 0) recent.push_back(samples);
  }
  if (recent.empty()) return 0;
  const auto middle = recent.begin() + static_cast<std::ptrdiff_t>(recent.size() / 2);
  std::ranges::nth_element(recent, middle);
  return std::max(1.0, std::round(*middle));
}

double samplesPerStep(const MetricStore& metrics) {
  double all = 0;
  for (const Rank rank : metrics.ranks(metric::kSamplesPerSecond)) all += samplesPerStep(metrics, rank);
  return all;
}

}  // namespace

StepScale::StepScale(StepUnit unit, std::shared_ptr<const MetricStore> metrics, Rank rank)
    : unit_(unit), metrics_(std::move(metrics)), rank_(rank) {
  if (const auto times = metrics_->times()) begin_ = times->first;
  if (unit_ == StepUnit::Samples) samplesPerStep_ = samplesPerStep(*metrics_);
}

std::optional<StepScale> StepScale::make(StepUnit unit, std::shared_ptr<const MetricStore> metrics,
                                         std::string_view name) {
  const auto rank = farthestRank(*metrics, unit == StepUnit::Epoch ? metric::kEpoch : name);
  if (!rank) return std::nullopt;
  StepScale scale(unit, std::move(metrics), *rank);
  return scale.isMeasured() ? std::optional(std::move(scale)) : std::nullopt;
}

bool StepScale::isMeasuredIn(const std::shared_ptr<const MetricStore>& metrics, StepUnit unit) {
  // By which rank it is written depends on the quantity, not whether it is measured.
  const std::vector<std::string> names = metrics->names();
  const auto any =
      std::ranges::find_if(names, [&](const auto& name) { return !metrics->ranks(name).empty(); });
  return any != names.end() && make(unit, metrics, *any).has_value();
}

bool StepScale::isMeasured() const {
  switch (unit_) {
    case StepUnit::RelativeTime:
    case StepUnit::WallTime:
      return begin_ > TimePoint{};
    case StepUnit::Samples:
      return samplesPerStep_ > 0;
    case StepUnit::Steps:
    case StepUnit::Epoch:
      break;
  }
  return true;
}

double StepScale::valueAt(double step) const {
  switch (unit_) {
    case StepUnit::Steps:
      break;
    case StepUnit::Samples:
      return (step + 1) * samplesPerStep_;
    case StepUnit::Epoch: {
      const auto epoch = metrics_->nearest(metric::kEpoch, rank_, step);
      return epoch && std::isfinite(epoch->value) ? epoch->value : 0;
    }
    case StepUnit::RelativeTime:
    case StepUnit::WallTime: {
      const auto row = metrics_->nearestRow(rank_, step);
      if (!row) return 0;
      return seconds(unit_ == StepUnit::WallTime ? row->time.time_since_epoch() : row->time - begin_);
    }
  }
  return step;
}

double StepScale::tickStep(double range, int count) const {
  if (unit_ == StepUnit::RelativeTime || unit_ == StepUnit::WallTime)
    return std::max(0.001, timeTickStep(range, count));
  return std::max(1.0, decimalTickStep(range, count));
}

bool StepScale::wasReachedBefore(double step, double value) const {
  const auto row = metrics_->nearestRow(rank_, step - 1);
  return row && static_cast<double>(row->step) < step && valueAt(static_cast<double>(row->step)) >= value;
}

std::vector<StepScale::Tick> StepScale::ticks(double from, double to, int count, double ahead,
                                              double* perTick) const {
  std::vector<Tick> result;
  if (!(from < to) || count <= 0) return result;
  // What is reached never falls: clocks and attempts may.
  std::vector<double> knots;
  const auto at = [&](int knot) { return from + (to - from) * knot / kKnots; };
  for (int i = 0; i <= kKnots; ++i) {
    const double value = valueAt(at(i)) + (unit_ == StepUnit::WallTime ? ahead : 0);
    knots.push_back(knots.empty() ? value : std::max(knots.back(), value));
  }
  const double apart = tickStep(knots.back() - knots.front(), count);
  if (perTick != nullptr) *perTick = apart;
  const double back = unit_ == StepUnit::WallTime ? ahead : 0;
  for (int i = 0; i < kMaxTicks; ++i) {
    const double value = (std::ceil(knots.front() / apart - 1e-9) + i) * apart;
    if (!(value <= knots.back())) break;
    const auto knot = static_cast<int>(std::ranges::lower_bound(knots, value) - knots.begin());
    if (knot == 0 && wasReachedBefore(from, value - back)) continue;
    double low = at(std::max(0, knot - 1)), high = at(knot);
    for (int halving = 0; halving < 20 && knot > 0; ++halving) {
      const double middle = (low + high) / 2;
      (valueAt(middle) + back >= value ? high : low) = middle;
    }
    result.push_back({high, value - back});
  }
  return result;
}

}  // namespace lockstep
