// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <bitset>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "oci/services/network_types.h"
#include "reach/port_set.h"

// Rules drawn by chance, and what they mean for one packet: written from oci-rest-contract 4.2 with nothing
// of core/reach but the type of a set of ports, so that the two can be held against each other.
namespace lockstep::testing {

using oci::SecurityRule;
using Direction = SecurityRule::Direction;

inline constexpr const char* kBlock = "10.0.0.0/28";
inline constexpr std::uint32_t kFirstAddress = 0x0a000000, kLastAddress = 0x0a00000f;

/// A packet that begins a connection, as one node sees it.
struct Packet {
  Direction direction = Direction::Ingress;
  std::uint32_t peer = 0;
  std::vector<std::string> peerGroups;
  int sourcePort = 0, destinationPort = 0;
};

/// Whether the packet passes and, when it was not remembered, its answer does too.
[[nodiscard]] bool passes(const std::vector<SecurityRule>& rules, const Packet& packet);

/// The same for all 65536 destination ports at once, and besides the ports to which a packet passes, answered
/// or not.
struct PassingPorts {
  std::bitset<65536> passing, answered;
};
[[nodiscard]] PassingPorts passingPorts(const std::vector<SecurityRule>& rules, Direction direction,
                                        std::uint32_t peer, int sourcePort);

/// Up to `max` rules about the block and its surroundings, all kinds of them.
[[nodiscard]] std::vector<SecurityRule> drawRules(std::mt19937& random, int max);
[[nodiscard]] std::string shown(const std::vector<SecurityRule>& rules);

/// The ephemeral ports at which anything in the rules begins or ends, and both ends: one of each run of
/// source ports that the rules cannot tell apart.
[[nodiscard]] std::vector<int> tellingSources(const std::vector<SecurityRule>& rules);
[[nodiscard]] std::vector<int> tellingPorts(const std::vector<SecurityRule>& rules);

}  // namespace lockstep::testing
