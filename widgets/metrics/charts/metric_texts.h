// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>

#include "metrics/metric_catalogue.h"
#include "widgets/metrics/charts/chart_spec.h"

namespace lockstep {

// The rows of the catalogue in the user's language.
[[nodiscard]] QString titleOfMetric(const MetricInfo& metric);       // "GPU utilization"
[[nodiscard]] QString headingOfMetric(const MetricInfo& metric);     // "GPU utilization, %"
[[nodiscard]] QString shortTitleOfMetric(const MetricInfo& metric);  // "GPU"; the title where it has none
[[nodiscard]] QString noteOfMetric(const MetricInfo& metric);        // "100 % is one core"; may be empty
[[nodiscard]] QString titleOfGroup(MetricGroup group);               // "Time of a step"

/// A value of such a unit as people read it: "97 %", "1.2 GB".
[[nodiscard]] QString metricValueText(MetricUnit unit, double value);

/// What a plot of that quantity shows. A name that is not in the catalogue is its own title.
[[nodiscard]] PlotQuantity plotQuantity(std::string_view name);

}  // namespace lockstep
