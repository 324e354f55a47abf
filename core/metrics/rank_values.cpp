// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/rank_values.h"

#include <algorithm>
#include <functional>
#include <iterator>

namespace lockstep {
namespace {

constexpr RankMetricColumn kColumns[] = {
    // metric, its place in a window and in a terminal, decimals in a terminal, only where measured
    {metric::kLoss, 1, 1, 4},       {metric::kSamplesPerSecond, 2, 2, 1},
    {metric::kAccuracy, 0, 3, 1},   {metric::kGpuPercent, 4, 4, 0, true},
    {metric::kCpuPercent, 3, 5, 0}, {metric::kMemoryBytes, 5, 0},
};

/// The samples of one rank, and the newest time among those that were asked for.
class Newest {
 public:
  Newest(const MetricStore& metrics, Rank rank) : metrics_(metrics), rank_(rank) {}

  std::optional<MetricPoint> point(std::string_view name) {
    auto point = metrics_.last(name, rank_);
    if (point) time_ = std::max(time_.value_or(point->time), point->time);
    return point;
  }
  [[nodiscard]] std::optional<TimePoint> time() const { return time_; }

 private:
  const MetricStore& metrics_;
  Rank rank_;
  std::optional<TimePoint> time_;
};

}  // namespace

std::span<const RankMetricColumn> rankColumns() {
  return kColumns;
}

std::vector<RankMetricColumn> rankColumnsIn(int RankMetricColumn::*view) {
  std::vector<RankMetricColumn> shown;
  std::ranges::copy_if(kColumns, std::back_inserter(shown),
                       [view](const RankMetricColumn& column) { return column.*view > 0; });
  std::ranges::sort(shown, std::less{}, view);
  return shown;
}

std::optional<double> RankValues::value(std::string_view metric) const {
  const auto found = measured.find(metric);
  return found == measured.end() ? std::nullopt : std::optional(found->second);
}

RankValues rankValues(const MetricStore& metrics, Rank rank) {
  Newest newest(metrics, rank);
  RankValues values;
  for (const std::string_view name : {metric::kStepMs, metric::kLoss}) {
    if (const auto point = newest.point(name)) values.step = std::max(values.step.value_or(0), point->step);
  }
  for (const RankMetricColumn& column : kColumns) {
    if (const auto point = newest.point(column.metric)) values.measured.emplace(column.metric, point->value);
  }
  values.newest = newest.time();
  return values;
}

std::set<Rank> ranksIn(const MetricStore& metrics) {
  const std::vector<Rank> ranks = metrics.ranks();
  return {ranks.begin(), ranks.end()};
}

}  // namespace lockstep
