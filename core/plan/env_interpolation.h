// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "base/status.h"

namespace lockstep {

/// Every value of a job's environment with `${NAME}` replaced by the variable of that name, as `ads` does
/// when it creates the job (ads-contract 2.4). An object of strings in, the same names in the same order out.
/// Fails on `${` without `}`, on `${}`, on `${a:b:c}` and on references deeper than ten levels.
[[nodiscard]] Result<nlohmann::ordered_json> interpolated(const nlohmann::ordered_json& environment);

/// Python's string.Template.safe_substitute: `$X` and `${X}` from the environment, unknown names stay, `$$`
/// is `$` (display names, ads-contract 2.2).
[[nodiscard]] std::string substituted(std::string_view nameTemplate,
                                      const nlohmann::ordered_json& environment);

}  // namespace lockstep
