// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>

#include "base/error.h"

namespace lockstep {

/// The step of the set-up that looks at what a service refused a launch for: "auth" when it does not know who
/// asks, "policies" when it may not be asked, "limits", "bucket", "machine". Empty: no step would tell more.
[[nodiscard]] std::string stepBehind(const Error& refusal);

}  // namespace lockstep
