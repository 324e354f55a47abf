// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>
#include <vector>

#include "oci/services/data_science_client.h"
#include "oci/services/identity_types.h"
#include "oci/services/logging_client.h"
#include "oci/services/network_types.h"
#include "oci/services/registry_client.h"
#include "oci/storage/object_storage_types.h"
#include "widgets/common/pickers/resource_choices.h"

namespace lockstep {

// From what the services list (oci-rest-contract 4.1 to 4.6) to what the fields of designer and set-up offer.
// Pure; what has no id or name is left out.

/// Every compartment with its way from the tenancy ("team / training"), the tenancy itself first.
[[nodiscard]] std::vector<ResourceChoice> compartmentChoices(
    const oci::Tenancy& tenancy, const std::vector<oci::Compartment>& compartments);
[[nodiscard]] std::vector<ResourceChoice> projectChoices(const std::vector<oci::Project>& projects);
/// With their CIDRs.
[[nodiscard]] std::vector<ResourceChoice> vcnChoices(const std::vector<oci::Vcn>& vcns);
/// With the VCN's name, the CIDR, and whether the subnet is private.
[[nodiscard]] std::vector<ResourceChoice> subnetChoices(const std::vector<oci::Subnet>& subnets,
                                                        const std::vector<oci::Vcn>& vcns);
/// By name, as policy statements have them.
[[nodiscard]] std::vector<ResourceChoice> groupChoices(const std::vector<oci::Group>& groups);
/// Likewise, with the matching rule.
[[nodiscard]] std::vector<ResourceChoice> dynamicGroupChoices(const std::vector<oci::DynamicGroup>& groups);
[[nodiscard]] std::vector<ResourceChoice> logGroupChoices(const std::vector<oci::LogGroup>& groups);
/// Custom logs only: those are what job runs write to.
[[nodiscard]] std::vector<ResourceChoice> logChoices(const std::vector<oci::ServiceLog>& logs);
[[nodiscard]] std::vector<ResourceChoice> bucketChoices(const std::vector<oci::Bucket>& buckets);
/// Images with a tag, as "<registry>/<namespace>/<repository>:<tag>".
[[nodiscard]] std::vector<ResourceChoice> imageChoices(const std::vector<oci::ContainerImage>& images,
                                                       const std::string& registry,
                                                       const std::string& nameSpace);

}  // namespace lockstep
