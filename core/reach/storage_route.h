// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>
#include <vector>

#include "oci/services/network_types.h"

namespace lockstep {

/// Where a subnet's route table leads packets to Object Storage.
struct StorageRoute {
  enum class State {
    Open,
    Closed,
    Unknown  // through something that we cannot look into
  };
  State state = State::Closed;
  std::string serviceLabel;  // of the route to a service gateway: what rules can name; else empty
  std::string text;          // "through the service gateway 'sgw' (route to all-iad-…)", or why not
};

/// Nodes of job runs have no public address: an internet gateway is no way out for them, a service gateway or
/// a NAT gateway is. A route to a service goes before one to a CIDR block, as it is narrower. `gateways`:
/// those that could be seen.
[[nodiscard]] StorageRoute storageRouteOf(const oci::RouteTable& table,
                                          const std::vector<oci::Gateway>& gateways);

}  // namespace lockstep
