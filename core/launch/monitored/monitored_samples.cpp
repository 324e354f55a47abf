// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/monitored/monitored_samples.h"

#include <algorithm>
#include <optional>

namespace lockstep {
namespace {

using namespace std::chrono_literals;

// Lines come within seconds; a training that has said nothing for so long is taken to be where it was.
constexpr std::chrono::nanoseconds kWaitForReport = 150s;
// After so long without a step no step is waited for.
constexpr std::chrono::nanoseconds kWaitForSteps = 180s;
// Values of a node may come that much later than those of others.
constexpr std::chrono::nanoseconds kKept = 10min;
constexpr std::size_t kMostWaiting = 500'000;
constexpr std::size_t kMostAdded = 100'000, kLongestPath = 4'000'000;  // of one rank; some 64 MB

TimePoint beginOf(const TrainingRun& run) {
  std::optional<TimePoint> begin;
  for (const NodeRun& node : run.nodes)
    if (node.started && (!begin || *node.started < *begin)) begin = node.started;
  return begin.value_or(run.created);
}

/// nullopt: not known yet.
std::optional<Step> stepAt(const std::vector<std::pair<TimePoint, Step>>& path, TimePoint time,
                           bool isCertain) {
  const auto after = std::ranges::upper_bound(path, time, {}, &std::pair<TimePoint, Step>::first);
  if (after == path.end() && !isCertain) return std::nullopt;
  return after == path.begin() ? path.front().second : std::prev(after)->second;
}

}  // namespace

void MonitoredSamples::note(std::span<const MetricSeriesBatch> reports) {
  for (const MetricSeriesBatch& batch : reports) {
    Path& added = reports_[batch.rank].added;
    for (const MetricPoint& point : batch.points) added.emplace_back(point.time, point.step);
    if (added.size() > kMostAdded) settle();
  }
}

void MonitoredSamples::add(std::vector<MonitoredValue> values) {
  std::ranges::move(values, std::back_inserter(waiting_));
  if (waiting_.size() > kMostWaiting)
    waiting_.erase(waiting_.begin(), waiting_.end() - static_cast<std::ptrdiff_t>(kMostWaiting));
}

void MonitoredSamples::settle() {
  for (auto& [rank, reports] : reports_) {
    if (reports.added.empty()) continue;
    const auto middle = static_cast<std::ptrdiff_t>(reports.path.size());
    std::ranges::sort(reports.added);
    reports.path.insert(reports.path.end(), reports.added.begin(), reports.added.end());
    std::inplace_merge(reports.path.begin(), reports.path.begin() + middle, reports.path.end());
    // clang 14 has no std::ranges::unique
    reports.path.erase(std::unique(reports.path.begin(), reports.path.end()), reports.path.end());
    reports.added.clear();
    if (reports.path.size() > kLongestPath)
      reports.path.erase(reports.path.begin(),
                         reports.path.end() - static_cast<std::ptrdiff_t>(kLongestPath / 2));
  }
}

const MonitoredSamples::Path* MonitoredSamples::pathOf(Rank rank) const {
  if (reports_.empty()) return nullptr;
  const auto own = reports_.find(rank);
  return own != reports_.end() ? &own->second.path : &reports_.begin()->second.path;
}

// The last one before stays: it says where the rank is.
void MonitoredSamples::forgetBefore(TimePoint time) {
  for (auto& [rank, reports] : reports_) {
    const auto kept = std::ranges::lower_bound(reports.path, time, {}, &std::pair<TimePoint, Step>::first);
    if (kept - reports.path.begin() > 1) reports.path.erase(reports.path.begin(), std::prev(kept));
  }
}

std::vector<MetricSeriesBatch> MonitoredSamples::take(const TrainingRun& run,
                                                      const std::map<std::string, Rank>& firstRanks,
                                                      TimePoint now, bool isAll) {
  if (waiting_.empty()) return {};
  settle();
  const TimePoint begin = beginOf(run);
  std::map<std::pair<Rank, std::string_view>, std::vector<MetricPoint>> series;
  std::vector<MonitoredValue> later;
  TimePoint newest = TimePoint::min();
  for (MonitoredValue& value : waiting_) {
    const auto rank = firstRanks.find(value.jobRun.value);
    if (rank == firstRanks.end()) continue;
    const Path* path = pathOf(rank->second);
    std::optional<Step> step;
    if (path != nullptr)
      step = stepAt(*path, value.time, isAll || now - value.time >= kWaitForReport);
    else if (isAll || now - begin >= kWaitForSteps)
      step = std::max<Step>(0, std::chrono::duration_cast<std::chrono::seconds>(value.time - begin).count());
    if (!step) {
      later.push_back(std::move(value));
      continue;
    }
    newest = std::max(newest, value.time);
    series[{rank->second, value.name}].push_back({*step, value.time, value.value});
  }
  waiting_ = std::move(later);
  if (newest > TimePoint::min() + kKept) forgetBefore(newest - kKept);
  std::vector<MetricSeriesBatch> batches;
  for (auto& [key, points] : series) {
    std::ranges::stable_sort(points, {}, &MetricPoint::step);
    batches.push_back({std::string(key.second), key.first, std::move(points), {}});
  }
  return batches;
}

std::set<Rank> MonitoredSamples::ranks() const {
  std::set<Rank> ranks;
  for (const auto& [rank, reports] : reports_) ranks.insert(rank);
  return ranks;
}

}  // namespace lockstep
