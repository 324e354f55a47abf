// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "setup/step/setup_context.h"
#include "setup/step/setup_step.h"

namespace lockstep {

/// What the step "project" says of a compartment that is named and not there, or may not be seen
/// (SetupContext::compartment): which can be seen, the one that would do, or, for somebody who sees that the
/// tenancy has none, the fix "create-compartment". Code "compartment-missing".
[[nodiscard]] StepReport compartmentMissingReport(const SetupContext& context, const Error& missing,
                                                  const std::stop_token& stop);

/// What it says of a compartment that isToBeMade(): the fix "create-compartment". Code "compartment-none", or
/// "compartment-name" for a name that none can have.
[[nodiscard]] StepReport compartmentNoneReport(const SetupContext& context, const oci::Compartment& wished);

}  // namespace lockstep
