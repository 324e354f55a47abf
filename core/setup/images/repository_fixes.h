// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <memory>
#include <vector>

#include "oci/services/identity_types.h"
#include "oci/services/image_name.h"
#include "oci/services/registry_client.h"
#include "setup/step/setup_step.h"

namespace lockstep {

inline constexpr const char* kRepositoryCreated = "repository-created";

/// "create-repository": private, in that compartment. Taken back only while it has no images.
[[nodiscard]] ProposedFix createRepositoryFix(const std::shared_ptr<oci::ServiceClient>& services,
                                              const oci::ImageName& image,
                                              const oci::Compartment& compartment);
Result<void> takeBackRepository(oci::ServiceClient& services, const AppliedChange& change,
                                const std::stop_token& stop);

/// The repositories of all compartments that may be seen.
Result<std::vector<oci::ContainerRepository>> repositoriesOfTenancy(oci::ServiceClient& services,
                                                                    const std::string& tenancyId,
                                                                    const std::stop_token& stop);

}  // namespace lockstep
