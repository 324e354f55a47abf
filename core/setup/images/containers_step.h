// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <memory>

#include "setup/step/setup_context.h"
#include "setup/step/setup_step.h"

namespace lockstep {

/// The step "containers": engine.
[[nodiscard]] std::unique_ptr<SetupStep> makeContainersStep(SetupContextPtr context);

}  // namespace lockstep
