// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <map>
#include <string>

#include "metrics/exporting/exported_values.h"

namespace lockstep {

/// Names and values that say what sends: "service.name" and what else somebody has set.
using OtlpAttributes = std::map<std::string, std::string>;

/// An ExportMetricsServiceRequest of OTLP 1.x in its JSON encoding: one resource a node, with lockstep.run, lockstep.node and
/// lockstep.job_run beside `resource`; each quantity is a gauge "lockstep.<name>", in the unit that it is recorded in
/// (UCUM), with a point for each rank. docs/exporters.md says more.
[[nodiscard]] std::string otlpMetrics(const ExportedRun& run, const OtlpAttributes& resource);

/// "%", "ms", "By/s": the unit of a quantity in UCUM's words.
[[nodiscard]] const char* ucumOf(MetricUnit unit);

}  // namespace lockstep
