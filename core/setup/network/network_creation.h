// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <memory>

#include "oci/calls/service_client.h"
#include "oci/services/identity_types.h"
#include "setup/network/network_needs.h"
#include "setup/step/setup_step.h"

namespace lockstep {

/// "create-network", for a tenancy without a subnet: a VCN of its own with a private subnet, a service
/// gateway, a route to it, and a security list that lets pass what is asked for and nothing else. There is no
/// way to or from the internet. What was created before a failure is removed again.
[[nodiscard]] ProposedFix networkCreation(const std::shared_ptr<oci::ServiceClient>& services,
                                          const oci::Compartment& compartment, const NetworkNeeds& needs);

inline constexpr const char* kNetworkCreated = "network-created";
/// Deletes what was created, innermost first; what is gone already is no failure. FailedPrecondition when
/// something is in use or has been added to it.
Result<void> deleteNetwork(const std::shared_ptr<oci::ServiceClient>& services, const AppliedChange& change,
                           const std::stop_token& stop);

}  // namespace lockstep
