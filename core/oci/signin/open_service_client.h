// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <map>
#include <memory>
#include <string>

#include "oci/calls/service_client.h"
#include "oci/signing/call_audit.h"
#include "oci/signing/profile.h"

namespace lockstep::oci {

/// With curl, the system clock, circuit breakers and the profile's endpoint or region. Sends nothing, but
/// what it takes to sign in: a session that ends soon is renewed, an instance asks for its token. Every
/// attempt is written into the user's CallLog, and told to `audit` when given. OCI_SDK_DEFAULT_RETRY_ENABLED=
/// false in the environment turns retries off.
Result<std::shared_ptr<ServiceClient>> openServiceClient(const Profile& profile,
                                                         std::shared_ptr<CallAudit> audit = nullptr);
/// Inside a job run: resource principal, OCI_RESOURCE_PRINCIPAL_REGION, OCI_CLI_ENDPOINT when set; with
/// OCI_IAM_TYPE=api_key the profile of OCI_CONFIG_PROFILE instead, as `ads` has it.
Result<std::shared_ptr<ServiceClient>> openServiceClientInJobRun(
    const std::map<std::string, std::string>& environment);

}  // namespace lockstep::oci
