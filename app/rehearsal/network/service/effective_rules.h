// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>
#include <vector>

#include "rehearsal/network/isolation/packet_filter.h"
#include "rehearsal/network/rules/packet_verdict.h"
#include "rehearsal/network/service/address_leases.h"
#include "rehearsal/state/resources.h"

namespace lockstep::rehearsal {

/// The nodes of a run without a subnet have this network to themselves, in which they may all talk.
inline constexpr Cidr kDefaultBlock{0xac140000, 20};  // 172.20.0.0/20

/// The union of the rules of the subnet's security lists and of the NSGs (oci-rest-contract 4.2), with the
/// members of NSGs that are peers filled in.
[[nodiscard]] std::vector<SecurityRule> rulesOfSubnet(Transaction& transaction, const Resource& subnet,
                                                      const std::vector<std::string>& groups);

/// Whether the subnet's route table leads packets to the services: through a service gateway that has them
/// enabled, or a NAT gateway; an internet gateway needs a public address, which nodes of job runs do not
/// have.
[[nodiscard]] bool routesLeadToServices(Transaction& transaction, const Resource& subnet);

/// Whether a node of the subnet can open HTTPS connections to the services and be answered.
[[nodiscard]] bool rulesAllowServices(const std::vector<SecurityRule>& rules, const Cidr& node);

/// What is enforced on a node, as things are now. An address lease whose subnet is gone reaches nobody.
[[nodiscard]] NodeRules rulesOfLease(Transaction& transaction, const AddressLease& lease,
                                     std::vector<int> servicePorts);

}  // namespace lockstep::rehearsal
