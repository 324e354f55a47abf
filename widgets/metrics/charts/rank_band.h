// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <span>

#include "metrics/rank_spread.h"
#include "widgets/metrics/charts/column_plottable.h"
#include "widgets/metrics/charts/plotted_quantity.h"

namespace lockstep {

/// Adds how many ranks lie: a light band of all their samples, and a stronger one from the 10th percentile to the 90th. A
/// column without a value is a gap. What is not positive has no place on a logarithmic axis: there a band ends at the
/// bottom. Returns what values are in sight.
ValueBounds addBand(ColumnPlottable& to, std::span<const RankSpread> spreads, const PlotScene& scene);
/// Adds their median as a line. Likewise.
ValueBounds addMedian(ColumnPlottable& to, std::span<const RankSpread> spreads, const PlotScene& scene,
                      const std::vector<double>& dashes);

}  // namespace lockstep
