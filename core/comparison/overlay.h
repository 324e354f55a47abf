// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "metrics/metric_store.h"

namespace lockstep {

/// What curves of several runs are laid over each other by: steps, or seconds since the first sample of each run.
enum class OverlayAxis { Steps, Time };

/// One run's curve of a quantity, one value of all ranks for each of some columns (curveOf).
struct OverlayPoint {
  double x = 0;  // step, or seconds
  double value = 0, min = 0, max = 0;
};

/// Where a curve of the whole run begins and ends on that axis; absent: it has none.
[[nodiscard]] std::optional<std::pair<double, double>> overlayExtent(const MetricStore& samples,
                                                                     std::string_view metric,
                                                                     OverlayAxis axis);
/// At most `columns` points between `from` and `to`, ascending, and none of what was trained again. By time each column is as
/// many steps as any other, so that a pause is a gap without points. Cost: the columns and the chunks of each rank, whatever
/// the samples; by time a search for each point. Pure.
[[nodiscard]] std::vector<OverlayPoint> overlayOf(const MetricStore& samples, std::string_view metric,
                                                  OverlayAxis axis, double from, double to, int columns);

}  // namespace lockstep
