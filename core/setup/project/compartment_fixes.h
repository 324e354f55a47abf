// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>

#include "setup/step/setup_context.h"
#include "setup/step/setup_step.h"

namespace lockstep {

inline constexpr const char* kCompartmentCreated = "compartment-created";

/// Whether a compartment can be called so: letters, digits, '-', '_' and '.', at most 100 of them.
[[nodiscard]] bool isCompartmentName(const std::string& name);
/// "create-compartment": a child of the tenancy. Waits until it is listed and Data Science knows it.
[[nodiscard]] ProposedFix createCompartmentFix(const std::shared_ptr<oci::ServiceClient>& services,
                                               const std::string& tenancyId, const std::string& name);
/// Deletes it and waits for the end of that: the service accepts it first and looks afterwards whether
/// anything is in it. FailedPrecondition where something is; DeadlineExceeded while the service is still at
/// it: the next attempt waits on.
Result<void> deleteCompartment(const SetupContext& context, const AppliedChange& change,
                               const std::stop_token& stop);

}  // namespace lockstep
