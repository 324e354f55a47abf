// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <memory>

#include "setup/step/setup_context.h"
#include "setup/step/setup_step.h"

namespace lockstep {

/// The step "limits": of shape and count.
[[nodiscard]] std::unique_ptr<SetupStep> makeLimitsStep(SetupContextPtr context);

}  // namespace lockstep
