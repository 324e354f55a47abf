// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/grid/rank_cells.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lockstep {
namespace {

constexpr int kSearchColumns = 64;

float narrowed(double value) {
  constexpr double kMost = std::numeric_limits<float>::max();
  return static_cast<float>(std::clamp(value, -kMost, kMost));
}

RankCell cellOf(const ValueSummary& values) {
  // Nothing finite leaves low above high.
  const bool hasValue = values.finite > 0;
  return {hasValue ? narrowed(values.min) : 1.0F, hasValue ? narrowed(values.max) : 0.0F, !values.isEmpty(),
          values.notFinite > 0};
}

PixelGrid gridOf(const StepColumns& columns) {
  const double from = static_cast<double>(columns.first);
  return {from, from + static_cast<double>(columns.perColumn) * columns.count, columns.count};
}

/// The first step of [from, to] at which the rank has exactly this value, which it has there: searched column by column,
/// each time in the first one that has it.
Step stepOf(const MetricStore& metrics, std::string_view name, Rank rank, double value, Step from, Step to) {
  while (from < to) {
    const Step width = (to - from) / kSearchColumns + 1;
    const StepColumns columns{from, width, kSearchColumns};
    int found = kSearchColumns;
    metrics.forEachPixel(name, rank, gridOf(columns), [&](const PixelPart& part) {
      const bool isInside = part.pixel >= 0 && part.pixel < kSearchColumns;
      const bool hasIt = part.values.finite > 0 && (part.values.min == value || part.values.max == value);
      if (isInside && hasIt) found = std::min(found, part.pixel);
    });
    if (found == kSearchColumns) break;  // cannot be: it is there
    from += width * found;
    to = std::min(to, from + width - 1);
  }
  return from;
}

}  // namespace

void RankCell::include(const RankCell& other) {
  if (!other.isMeasured) return;
  const bool hadValue = hasValue();
  if (!hadValue || (other.hasValue() && other.low < low)) low = other.low;
  if (!hadValue || (other.hasValue() && other.high > high)) high = other.high;
  isMeasured = true;
  hasGap = hasGap || other.hasGap;
}

double RankCell::farthestFrom(double middle) const {
  const double below = middle - static_cast<double>(low), above = static_cast<double>(high) - middle;
  return static_cast<double>(below > above ? low : high);
}

std::optional<std::pair<Step, Step>> stepsOf(const MetricStore& metrics, std::string_view name) {
  const auto steps = metrics.steps(name);
  if (!steps) return steps;
  return std::pair(std::clamp(steps->first, -kMaxStep, kMaxStep),
                   std::clamp(steps->second, -kMaxStep, kMaxStep));
}

std::vector<RankCell> rankCells(const MetricStore& metrics, std::string_view name,
                                std::span<const Rank> ranks, const StepColumns& columns) {
  const auto count = static_cast<std::size_t>(std::max(0, columns.count));
  std::vector<RankCell> cells(ranks.size() * count);
  if (count == 0) return cells;
  RankCell* row = cells.data();
  for (const Rank rank : ranks) {
    metrics.forEachPixel(name, rank, gridOf(columns), [&](const PixelPart& part) {
      if (part.pixel >= 0 && part.pixel < columns.count) row[part.pixel].include(cellOf(part.values));
    });
    row += count;
  }
  return cells;
}

std::vector<double> columnMedians(std::span<const RankCell> cells, int columns) {
  const auto count = static_cast<std::size_t>(std::max(1, columns));
  std::vector<double> medians;
  std::vector<double> middles;
  for (std::size_t column = 0; column < count; ++column) {
    middles.clear();
    for (std::size_t i = column; i < cells.size(); i += count)
      if (cells[i].hasValue())
        middles.push_back((static_cast<double>(cells[i].low) + static_cast<double>(cells[i].high)) / 2);
    const auto middle = middles.begin() + static_cast<std::ptrdiff_t>(middles.size() / 2);
    if (!middles.empty()) std::ranges::nth_element(middles, middle);
    medians.push_back(middles.empty() ? 0 : *middle);
  }
  return medians;
}

std::optional<Extremes> findExtremes(const MetricStore& metrics, std::string_view name,
                                     std::span<const Rank> ranks) {
  const auto steps = stepsOf(metrics, name);
  if (!steps) return std::nullopt;
  std::optional<Extremes> found;
  for (const Rank rank : ranks) {
    const ValueSummary all = summaryBetween(metrics, name, rank, steps->first, steps->second);
    if (all.finite == 0) continue;
    if (!found) found = Extremes{{rank, 0, all.min}, {rank, 0, all.max}};
    if (all.min < found->smallest.value) found->smallest = {rank, 0, all.min};
    if (all.max > found->largest.value) found->largest = {rank, 0, all.max};
  }
  if (!found) return std::nullopt;
  for (Extreme* one : {&found->smallest, &found->largest})
    one->step = stepOf(metrics, name, one->rank, one->value, steps->first, steps->second);
  return found;
}

ValueSummary summaryBetween(const MetricStore& metrics, std::string_view name, Rank rank, Step from,
                            Step to) {
  ValueSummary all;
  // One column that `to` lies in and not behind.
  const PixelGrid grid{static_cast<double>(from), static_cast<double>(to) + 1, 1};
  metrics.forEachPixel(name, rank, grid, [&](const PixelPart& part) {
    if (part.pixel == 0) all.append(part.values);
  });
  return all;
}

}  // namespace lockstep
