// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>
#include <string_view>

#include "base/error.h"
#include "plan/environment.h"

namespace lockstep {

/// Every value of a job's environment with `${NAME}` replaced by the variable of that name, as `ads` does
/// when it creates the job (ads-contract 2.4). The same names in the same order. Fails on `${` without `}`,
/// on `${}`, on `${a:b:c}` and on references deeper than ten levels.
[[nodiscard]] Result<Environment> interpolated(const Environment& environment);

/// Python's string.Template.safe_substitute: `$X` and `${X}` from `own`, else from `environment`; unknown
/// names stay, `$$` is `$` (display names, ads-contract 2.2).
[[nodiscard]] std::string substituted(std::string_view nameTemplate, const Environment& own,
                                      const Environment& environment = {});

}  // namespace lockstep
