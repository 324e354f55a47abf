// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <memory>
#include <vector>

#include "oci/calls/service_client.h"
#include "setup/policies/policies_review.h"
#include "setup/step/setup_step.h"

namespace lockstep {

/// "grant-missing": what is missing, in a policy of our own, with the dynamic group when it is missing or
/// does not take in the job runs. "proof-of-concept", unsafe: everything in the compartment, for two weeks.
/// Reads what is to be changed, so that only this version of it will be. Blocks on the network.
[[nodiscard]] std::vector<ProposedFix> policyFixes(const PolicySnapshot& snapshot,
                                                   const PoliciesReview& review,
                                                   const std::shared_ptr<oci::ServiceClient>& services,
                                                   TimePoint now, const std::stop_token& stop);

/// Takes back what one of them did. Kinds: "policy-created", "policy-extended", "dynamic-group-created",
/// "dynamic-group-changed".
Result<void> takeBackPolicyChange(const AppliedChange& change, oci::IdentityClient& identity,
                                  const std::stop_token& stop);

/// Whether statements about who launches can be written at all: that is known by name, and there.
[[nodiscard]] bool isLauncherKnown(const PoliciesReview& review);

}  // namespace lockstep
