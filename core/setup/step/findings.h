// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "oci/calls/service_client.h"
#include "setup/step/setup_context.h"
#include "setup/step/setup_step.h"

namespace lockstep {

/// A failure as a blocked finding: what and its cause, the service's answer as evidence, the way out;
/// its code is the status's ("not-found").
[[nodiscard]] Finding blockedFinding(const Error& error);
/// The same where it is the profile that fails, which the step "auth" explains and fixes; code "needs-auth".
[[nodiscard]] Finding needsAuth(const Error& error);
/// A service's refusal: needsAuth() where it does not know who asks, else blockedFinding().
[[nodiscard]] Finding refusedFinding(const Error& error);
/// That no compartment is known: which there are ("compartment-not-chosen"), or that the named one is not
/// there, which the step "project" explains and fixes ("needs-project"); else as refusedFinding().
[[nodiscard]] Finding noCompartmentFinding(const Error& error);
/// "GetNamespace 200, opc-request-id A/B": what an answered call proves.
[[nodiscard]] std::string evidenceOf(const std::string& operation, const HttpResponse& response);
/// The profile's client with fewer retries: a check answers within seconds or says that it could not reach
/// anything.
Result<std::shared_ptr<oci::ServiceClient>> openForCheck(const oci::Profile& profile);

/// The fix, which makes something in this compartment: it waits for one that isToBeMade() (code
/// FailedPrecondition until then).
[[nodiscard]] ProposedFix madeIn(const oci::Compartment& compartment, ProposedFix fix);
inline constexpr const char* kCreateCompartment = "create-compartment";

/// GET of one JSON value from Object Storage.
[[nodiscard]] oci::ServiceCall objectStorageRead(std::string operation, std::string path);

}  // namespace lockstep
