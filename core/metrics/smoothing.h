// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <vector>

#include "metrics/metric_store.h"

namespace lockstep {

/// Exponential moving average for drawing. `weight` in [0, 1): 0 leaves the curve as it is. The weight of
/// what came before shrinks with the distance in steps, scaled so that the visible range is like a thousand
/// even steps: uneven steps and zooming smooth alike. Debiased: the first value is itself. A gap stays a gap;
/// behind it, and with each attempt, it starts anew. min = max = last = first = the average.
[[nodiscard]] std::vector<PixelSpan> smoothed(const std::vector<PixelSpan>& spans, double weight,
                                              double visibleRange);

}  // namespace lockstep
