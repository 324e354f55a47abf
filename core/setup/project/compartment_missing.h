// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "setup/setup_context.h"
#include "setup/setup_step.h"

namespace lockstep {

/// What the step "project" says of a compartment that is named and not there, or may not be seen
/// (SetupContext::compartment): which can be seen, the one that would do, or, for somebody who sees that the
/// tenancy has none, the fix "create-compartment". Code "compartment-missing".
[[nodiscard]] StepReport compartmentMissingReport(const SetupContext& context, const Status& missing,
                                                  const std::stop_token& stop);

inline constexpr const char* kCompartmentCreated = "compartment-created";
/// Deletes it; the service refuses while anything is in it.
Result<void> deleteCompartment(const SetupContext& context, const AppliedChange& change,
                               const std::stop_token& stop);

}  // namespace lockstep
