// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "oci/calls/service_client.h"
#include "trainer/node/settings/node_settings.h"

namespace lockstep::node {

/// One IPv4 address of this machine.
struct InterfaceAddress {
  std::string interface;  // "eth0"
  std::string address;    // "10.0.0.7"
  std::string mask;       // "255.255.255.0"
};
[[nodiscard]] std::vector<InterfaceAddress> interfaceAddresses();

/// Whether an IPv4 address lies in "10.0.0.0/24". False for text that is neither.
[[nodiscard]] bool cidrContains(std::string_view cidr, std::string_view address);

/// Whether the text is an IPv4 or IPv6 address. What a node publishes goes into command lines and files of
/// SSH.
[[nodiscard]] bool isAddress(const std::string& text);

/// How the other nodes reach this one.
struct OwnAddress {
  std::string address;
  std::string interface;  // empty: not known
  std::string note;       // why it is only a guess; empty when the service was asked
};

/// The address that LOCKSTEP_NODE_ADDRESS says, when it is set. In a job run: the address inside the subnet
/// of the job (GetJob, GetSubnet; ads-contract 4.1). Outside the service, or when it refuses to answer: by
/// the name of this machine, with a note. `services` may be null.
Result<OwnAddress> findOwnAddress(const NodeSettings& settings,
                                  const std::shared_ptr<oci::ServiceClient>& services,
                                  const std::stop_token& stop);

/// This node's own among the addresses of all nodes of a multi-node job run (clusterAddresses()), with the
/// interface that has it.
[[nodiscard]] OwnAddress ownAmong(const std::vector<std::string>& addresses, const NodeSettings& settings);

}  // namespace lockstep::node
