// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "oci/service_client.h"
#include "setup/setup_step.h"

namespace lockstep {

/// A failure as a blocked finding: what and its cause, the service's answer as evidence, the way out;
/// its code is the status's ("not-found").
[[nodiscard]] Finding blockedFinding(const Status& status);
/// The same where it is the profile that fails, which the step "auth" explains and mends; code "needs-auth".
[[nodiscard]] Finding needsAuth(const Status& status);
/// A service's refusal: needsAuth() where it does not know who asks, else blockedFinding().
[[nodiscard]] Finding refusedFinding(const Status& status);
/// That no compartment is known: which there are ("compartment-not-chosen"), or that the named one is not
/// there, which the step "project" explains and mends ("needs-project"); else as refusedFinding().
[[nodiscard]] Finding noCompartmentFinding(const Status& status);
/// "GetNamespace 200, opc-request-id A/B": what an answered call proves.
[[nodiscard]] std::string evidenceOf(const std::string& operation, const HttpResponse& response);
/// The profile's client with fewer retries: a check answers within seconds or says that it could not reach
/// anything.
Result<std::shared_ptr<oci::ServiceClient>> openForCheck(const oci::Profile& profile);

/// GET of one JSON value from Object Storage.
[[nodiscard]] oci::ServiceCall objectStorageRead(std::string operation, std::string path);

}  // namespace lockstep
