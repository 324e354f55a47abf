// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "oci/calls/service_client.h"

namespace lockstep::oci {

/// Where a region's services live.
struct Region {
  std::string id;         // "us-ashburn-1"; for a whole domain: that domain
  std::string shortCode;  // "iad"; empty when unknown
  std::string realm;      // "oc1"; empty when unknown
  std::string domain;     // "oraclecloud.com"; empty: `id` is the whole domain
};

/// The region of an id or a short code, in any case. nullopt: not in our table.
[[nodiscard]] std::optional<Region> findRegion(std::string_view idOrShortCode);

/// What a client uses for the region named in a profile: the table, then OCI_REGION_METADATA when it
/// describes that region, then ~/.oci/regions-config.json, then OCI_DEFAULT_REALM, then realm oc1. A text
/// with a dot is a whole domain. May read that file.
[[nodiscard]] Region regionFor(std::string_view text, const std::map<std::string, std::string>& environment);

/// "https://datascience.us-ashburn-1.oci.oraclecloud.com"
[[nodiscard]] std::string serviceUrl(Service service, const Region& region);

}  // namespace lockstep::oci
