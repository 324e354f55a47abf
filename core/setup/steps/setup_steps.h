// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "setup/step/setup_context.h"
#include "setup/step/setup_step.h"

namespace lockstep {

/// The ids that makeSetupStep() knows, in the order in which a newcomer needs them.
[[nodiscard]] const std::vector<std::string>& setupStepNames();
/// Null for a name that is none of them.
[[nodiscard]] std::unique_ptr<SetupStep> makeSetupStep(const std::string& name, SetupContextPtr context);

}  // namespace lockstep
