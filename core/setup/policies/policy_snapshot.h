// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "oci/services/identity_client.h"
#include "oci/signing/profile.h"
#include "policy/policy_coverage.h"
#include "setup/step/setup_context.h"

namespace lockstep {

/// Who may do what in a tenancy, as far as this user may read it: what the compartment, those above it and
/// those of subnet and bucket have attached to them.
struct PolicySnapshot {
  /// Something that could not be read, and why.
  struct Unread {
    std::string what;  // "the policies of the compartment 'train'"
    Error why;
  };
  oci::Profile profile;
  CompartmentTree tree{""};
  std::string compartmentId;
  std::string networkId;  // compartment of the subnet
  std::string storageId;  // compartment of the bucket
  std::vector<oci::Group> groups;
  std::vector<oci::DynamicGroup> dynamicGroups;
  std::set<std::string> myGroupIds;
  std::vector<oci::Policy> policies;
  std::vector<AttachedStatement> statements;  // of all of them
  bool knowsGroups = false, knowsDynamicGroups = false, knowsMemberships = false, knowsPolicies = false;
  std::vector<Unread> unread;
  std::string evidence;  // "ListPolicies (compartments: 2, …)"
};

/// Reads it, what can be read side by side. Fails only when the profile or the compartment is unknown; what
/// this user may not read is in `unread`.
Result<PolicySnapshot> readPolicies(const SetupContext& context, const std::stop_token& stop);

}  // namespace lockstep
