// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "oci/calls/service_client.h"
#include "oci/services/identity_types.h"
#include "setup/step/setup_step.h"
#include "workdir/work_dir_uri.h"

namespace lockstep {

using ServicesPtr = std::shared_ptr<oci::ServiceClient>;

/// "create-bucket": private, in that compartment. Taken back only while it is empty.
[[nodiscard]] ProposedFix createBucketFix(const ServicesPtr& services, const WorkDirUri& uri,
                                          const oci::Compartment& compartment);
/// "close-bucket": no access for the public.
[[nodiscard]] ProposedFix closeBucketFix(const ServicesPtr& services, const WorkDirUri& uri,
                                         const std::string& etag, const std::string& publicAccess);
/// "probe-bucket": writes an object with a name of its own, reads it and deletes it; leaves nothing.
[[nodiscard]] ProposedFix probeBucketFix(const ServicesPtr& services, const WorkDirUri& uri);

/// Takes back what the first two have done.
Result<void> takeBackBucketChange(const ServicesPtr& services, const AppliedChange& change,
                                  const std::stop_token& stop);

}  // namespace lockstep
