// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>

#include "history/run_results.h"
#include "metrics/metric_catalogue.h"

namespace lockstep {

/// A curve of a run as an SVG element for a page: a line of what the ranks come to together, and a band from the smallest to the
/// largest sample of any of them; steps below, values of `unit` at the left. Colours are those of the page: classes "line",
/// "band", "grid", "tick". `title` is what a screen reader says. Pure. Empty: the curve is.
[[nodiscard]] std::string curvePicture(const RunCurve& curve, MetricUnit unit, const std::string& title);

/// A value with its unit, for people: "0.4312", "23 %", "1.5 GB", "12.3 ms".
[[nodiscard]] std::string valueWithUnit(double value, MetricUnit unit);

/// How wide the curve is, in columns: more parts than that cannot be seen.
inline constexpr int kCurveColumns = 560;

}  // namespace lockstep
