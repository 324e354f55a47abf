// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <memory>

#include "setup/step/setup_context.h"
#include "setup/step/setup_step.h"

namespace lockstep {

/// The step "network": subnet, ports, routes.
[[nodiscard]] std::unique_ptr<SetupStep> makeNetworkStep(SetupContextPtr context);

}  // namespace lockstep
