// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/grid/value_scale.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "metrics/grid/rank_cells.h"

namespace lockstep {
namespace {

/// Where `value` lies between two others, as a share; of two that are the same, the middle.
double shareOf(double value, double from, double to) {
  // Halves: the distance of two large numbers is none any more.
  return to > from ? std::clamp((value / 2 - from / 2) / (to / 2 - from / 2), 0.0, 1.0) : 0.5;
}

std::vector<Rank> sampled(std::span<const Rank> ranks) {
  std::vector<Rank> some;
  const std::size_t count = std::min<std::size_t>(ranks.size(), kSampled);
  for (std::size_t i = 0; i < count; ++i) some.push_back(ranks[i * ranks.size() / count]);
  return some;
}

double quantile(std::vector<float>& values, double share) {
  const auto at = values.begin() +
                  static_cast<std::ptrdiff_t>(std::lround(share * static_cast<double>(values.size() - 1)));
  std::nth_element(values.begin(), at, values.end());
  return static_cast<double>(*at);
}

}  // namespace

double ValueScale::position(double value) const {
  const double from = hasBelow() ? kShareBeyond : 0, to = hasAbove() ? 1 - kShareBeyond : 1;
  if (value < low) return from * shareOf(value, min, low);
  if (value > high) return to + (1 - to) * shareOf(value, high, max);
  return from + (to - from) * shareOf(value, low, high);
}

double ValueScale::valueAt(double position) const {
  const double from = hasBelow() ? kShareBeyond : 0, to = hasAbove() ? 1 - kShareBeyond : 1;
  if (position < from) return std::lerp(min, low, position / from);
  if (position > to) return std::lerp(high, max, (position - to) / (1 - to));
  return std::lerp(low, high, (position - from) / (to - from));
}

ValueScale valueScale(const MetricStore& metrics, std::string_view name, std::span<const Rank> ranks) {
  ValueScale scale;
  const auto extremes = findExtremes(metrics, name, ranks);
  const auto steps = stepsOf(metrics, name);
  if (!extremes || !steps) return scale;
  scale.isEmpty = false;
  scale.min = scale.low = extremes->smallest.value;
  scale.max = scale.high = extremes->largest.value;
  const StepColumns columns{steps->first, (steps->second - steps->first) / kSampled + 1, kSampled};
  std::vector<float> values;
  for (const RankCell& cell : rankCells(metrics, name, sampled(ranks), columns))
    if (cell.hasValue()) values.insert(values.end(), {cell.low, cell.high});
  if (values.empty()) return scale;
  const double quarter = quantile(values, 0.25), threeQuarters = quantile(values, 0.75);
  const double fence = kFence * (threeQuarters - quarter);
  if (!(fence > 0)) return scale;  // nearly all are the same: whatever is not shall be seen
  scale.low = std::max(scale.min, quarter - fence);
  scale.high = std::min(scale.max, threeQuarters + fence);
  return scale;
}

}  // namespace lockstep
