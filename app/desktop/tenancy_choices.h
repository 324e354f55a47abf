// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "widgets/cluster/resource_choices.h"

namespace lockstep {

// From what the services list (oci-rest-contract 4.1 to 4.6) to what the designer's fields offer. Pure; what
// has no id or name is left out.
using JsonList = std::vector<nlohmann::json>;

/// Every compartment with its way from the tenancy ("team / training"), the tenancy itself first.
[[nodiscard]] std::vector<ResourceChoice> compartmentChoices(const nlohmann::json& tenancy,
                                                             const JsonList& compartments);
[[nodiscard]] std::vector<ResourceChoice> projectChoices(const JsonList& projects);
/// With the VCN's name, the CIDR, and whether the subnet is private.
[[nodiscard]] std::vector<ResourceChoice> subnetChoices(const JsonList& subnets, const JsonList& vcns);
[[nodiscard]] std::vector<ResourceChoice> logGroupChoices(const JsonList& groups);
/// Custom logs only: those are what job runs write to.
[[nodiscard]] std::vector<ResourceChoice> logChoices(const JsonList& logs);
[[nodiscard]] std::vector<ResourceChoice> bucketChoices(const JsonList& buckets);
/// Images with a tag, as "<registry>/<namespace>/<repository>:<tag>".
[[nodiscard]] std::vector<ResourceChoice> imageChoices(const JsonList& images, const std::string& registry,
                                                       const std::string& nameSpace);

}  // namespace lockstep
