// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <span>
#include <vector>

#include "metrics/metric_store.h"

namespace lockstep {

/// Debiased: exponential moving average over the points that are drawn, each as heavy as the next, as TensorBoard does it.
/// TimeWeighted: the same, but what came before weighs less the more steps ago it was: uneven steps smooth alike.
/// Gaussian, RunningMedian: of what lies around, on both sides; one spike does not move a median.
enum class SmoothingKind { None, Debiased, TimeWeighted, Gaussian, RunningMedian };

struct Smoothing {
  SmoothingKind kind = SmoothingKind::None;
  double amount = 0;  // [0, 1); 0: off

  [[nodiscard]] bool isOn() const { return kind != SmoothingKind::None && amount > 0; }
  bool operator==(const Smoothing&) const = default;
};

// How far Gaussian and RunningMedian look at an amount of 1, as shares of the steps in sight.
inline constexpr double kWidestDeviation = 0.03;  // one standard deviation; beyond three nothing counts
inline constexpr double kWidestReach = 0.06;      // of the median, to either side

/// For drawing; what is exported is never smoothed. `visibleRange`: how many steps are in sight; for TimeWeighted they are
/// like a thousand even steps, so that zooming smooths alike. A gap stays a gap; no average reaches beyond a gap or from
/// attempt to attempt. min = max = last = first = the average. Cost: the spans, times those within reach.
[[nodiscard]] std::vector<PixelSpan> smoothed(std::span<const PixelSpan> spans, const Smoothing& how,
                                              double visibleRange);

}  // namespace lockstep
