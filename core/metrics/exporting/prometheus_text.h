// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>
#include <string_view>

#include "metrics/exporting/exported_values.h"

namespace lockstep {

/// What an answer with prometheusText() calls itself.
inline constexpr const char* kPrometheusContentType = "text/plain; version=0.0.4; charset=utf-8";

/// The text that Prometheus reads (exposition format 0.0.4): one gauge for each quantity of the catalogue, in base units
/// ("lockstep_gpu_ratio", "lockstep_step_seconds"), one for all others, which tells them apart by the label `quantity`, and
/// the steps and times of the ranks. docs/exporters.md lists them. Empty: there is nothing.
[[nodiscard]] std::string prometheusText(const ExportedRun& run);

/// A value between the quotes of a label: backslash, quote and line feed escaped, what is no UTF-8 replaced.
[[nodiscard]] std::string prometheusLabel(std::string_view value);

/// How a quantity of the catalogue is called and what its values are multiplied by there.
struct PrometheusName {
  std::string name;
  double factor = 1;
};
[[nodiscard]] PrometheusName prometheusName(const MetricInfo& info);

}  // namespace lockstep
