// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <memory>

#include "setup/step/setup_context.h"
#include "setup/step/setup_step.h"

namespace lockstep {

/// The step "machine": clock, proxy, DNS, TLS.
[[nodiscard]] std::unique_ptr<SetupStep> makeMachineStep(SetupContextPtr context);

}  // namespace lockstep
