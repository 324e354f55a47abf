// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "oci/profile.h"
#include "setup/setup_step.h"

namespace lockstep {

/// "auth": the profile is there and complete, its key file can be read, has a safe mode and the fingerprint
/// that the profile names, the region is known, and a signed GetNamespace is accepted.
[[nodiscard]] std::unique_ptr<SetupStep> makeAuthStep(oci::ProfileQuery query);

/// "bucket": the bucket of a work dir exists in the profile's tenancy, and the namespace is the tenancy's.
/// `workDir`: "oci://bucket@namespace/prefix"; a file:// work dir needs no bucket; empty: nothing to look at.
[[nodiscard]] std::unique_ptr<SetupStep> makeBucketStep(oci::ProfileQuery query, std::string workDir);

/// The names that makeSetupStep() knows, in the order in which a newcomer needs them.
[[nodiscard]] const std::vector<std::string>& setupStepNames();
/// Null for a name that is none of them.
[[nodiscard]] std::unique_ptr<SetupStep> makeSetupStep(const std::string& name,
                                                       const oci::ProfileQuery& query,
                                                       const std::string& workDir);

}  // namespace lockstep
