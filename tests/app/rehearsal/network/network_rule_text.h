// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "rehearsal/network/rules/packet_verdict.h"

namespace lockstep::testing {

/// Rules in short, separated by ';': "in tcp 10.0.0.0/24 5000-5010 from 1024-2000 stateless; out all
/// 0.0.0.0/0; in icmp 10.0.0.0/16 type 8/0". As the bodies of a security list.
struct RuleArrays {
  nlohmann::json ingress = nlohmann::json::array();
  nlohmann::json egress = nlohmann::json::array();
};
[[nodiscard]] RuleArrays readRules(const std::string& text);
/// The same, checked by the region.
[[nodiscard]] std::vector<rehearsal::SecurityRule> checkedRules(const std::string& text);

/// Two nodes in two subnets of a VCN, what their lists say, and a packet from the one to the other.
struct PacketCase {
  const char* name;
  const char* sender;    // rules of 10.0.0.2
  const char* receiver;  // rules of 10.0.1.2
  const char* packet;    // "tcp 5000" | "tcp 5000 from 1024" | "udp 53" | "ping"
  bool talks;
};
[[nodiscard]] const std::vector<PacketCase>& packetCases();
/// With `sourcePort` where the case names none.
[[nodiscard]] rehearsal::Packet readPacket(const PacketCase& row, int sourcePort);

}  // namespace lockstep::testing
