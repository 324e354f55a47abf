// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>
#include <vector>

#include "rehearsal/network/rules/security_rules.h"

namespace lockstep::rehearsal {

/// What is enforced on one node.
struct NodeRules {
  std::vector<SecurityRule> rules;  // every list's and group's; the peers of groups are filled in
  bool reachesServices = false;     // by routes and egress rules
  std::vector<int> servicePorts;    // at 127.0.0.1, where the node finds the region
};

/// A script for nft that replaces the node's packet filter in one transaction. Connections that stand and
/// were tracked go on, as the service has it. Says what packet_verdict.h says, which a test holds against it
/// with real packets.
[[nodiscard]] std::string packetFilterScript(const NodeRules& node);

}  // namespace lockstep::rehearsal
