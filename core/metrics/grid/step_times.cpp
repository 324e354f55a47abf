// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/grid/step_times.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "metrics/grid/rank_cells.h"

namespace lockstep {
namespace {

std::optional<double> meanBetween(const MetricStore& metrics, std::string_view name, Rank rank, Step from,
                                  Step to) {
  const ValueSummary values = summaryBetween(metrics, name, rank, from, to);
  // The mean of what is beyond all bounds may be infinite.
  return values.finite > 0 && std::isfinite(values.mean()) ? std::optional(values.mean()) : std::nullopt;
}

}  // namespace

bool StepTimes::isEmpty() const {
  return !step && std::ranges::none_of(parts, [](const auto& part) { return part.has_value(); });
}

double StepTimes::own() const {
  constexpr std::size_t kWait = 4;
  static_assert(kStepParts[kWait] == metric::kWaitMs);
  return step.value_or(sumOfParts()) - parts[kWait].value_or(0);
}

double StepTimes::sumOfParts() const {
  double sum = 0;
  for (const auto& part : parts) sum += std::max(0.0, part.value_or(0));
  return sum;
}

double StepTimes::untold() const {
  return std::max(0.0, step.value_or(0) - sumOfParts());
}

StepTimes stepTimes(const MetricStore& metrics, Rank rank, Step from, Step to) {
  StepTimes times{rank, meanBetween(metrics, metric::kStepMs, rank, from, to)};
  for (std::size_t i = 0; i < kStepParts.size(); ++i)
    times.parts[i] = meanBetween(metrics, kStepParts[i], rank, from, to);
  return times;
}

std::vector<StepTimes> stepTimesOf(const MetricStore& metrics, std::span<const Rank> ranks, Step from,
                                   Step to, std::size_t max) {
  std::vector<StepTimes> all;
  for (const Rank rank : ranks) {
    all.push_back(stepTimes(metrics, rank, from, to));
    if (all.back().isEmpty()) all.pop_back();
  }
  if (all.size() <= max) return all;
  std::ranges::stable_sort(all, std::greater{}, &StepTimes::own);
  StepTimes median = all[all.size() / 2];
  median.isMedian = true;
  all.resize(std::max<std::size_t>(max, 2) - 1);
  all.insert(all.begin(), median);
  return all;
}

std::optional<std::pair<Step, Step>> stepsOfStepTimes(const MetricStore& metrics) {
  std::optional<std::pair<Step, Step>> all = stepsOf(metrics, metric::kStepMs);
  for (const std::string_view part : kStepParts) {
    const auto steps = stepsOf(metrics, part);
    if (!steps) continue;
    if (!all) all = steps;
    all = std::pair(std::min(all->first, steps->first), std::max(all->second, steps->second));
  }
  return all;
}

std::vector<StepColumn> stepTimesOver(const MetricStore& metrics, Rank rank, const PixelGrid& grid) {
  std::map<int, StepColumn> columns;
  const auto add = [&](std::string_view name, const auto& cellOf) {
    metrics.forEachPixel(name, rank, grid, [&](const PixelPart& part) {
      if (part.pixel < 0 || part.pixel > grid.pixels || part.values.finite == 0) return;
      const auto [place, isNew] =
          columns.try_emplace(part.pixel, StepColumn{part.first, part.last, {rank, {}, {}, false}});
      StepColumn& column = place->second;
      column.first = std::min(column.first, part.first);
      column.last = std::max(column.last, part.last);
      cellOf(column.times) = part.values.mean();
    });
  };
  add(
      metric::kStepMs, [](StepTimes & times) -> auto& { return times.step; });
  for (std::size_t i = 0; i < kStepParts.size(); ++i)
    add(
        kStepParts[i], [i](StepTimes & times) -> auto& { return times.parts[i]; });
  std::vector<StepColumn> result;
  result.reserve(columns.size());
  for (const auto& [pixel, column] : columns) result.push_back(column);
  return result;
}

}  // namespace lockstep
