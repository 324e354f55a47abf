// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <initializer_list>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "metrics/metric_sample.h"
#include "trainer/usage/machine_usage.h"

namespace lockstep::trainer {

/// What was measured, each under its name of the catalogue; what was not is left out.
[[nodiscard]] std::vector<NamedValue> valuesOf(const Usage& usage);
[[nodiscard]] std::vector<NamedValue> measuredOf(
    std::initializer_list<std::pair<std::string_view, std::optional<double>>> all);

}  // namespace lockstep::trainer
