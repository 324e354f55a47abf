// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/rehearsal/network/network_rule_text.h"

#include <gtest/gtest.h>

#include <sstream>

namespace lockstep::testing {
namespace {

using nlohmann::json;
using namespace rehearsal;

json rangeOf(const std::string& text) {
  const std::size_t dash = text.find('-');
  const int min = std::stoi(text);
  return {{"min", min}, {"max", dash == std::string::npos ? min : std::stoi(text.substr(dash + 1))}};
}

void readRule(const std::string& text, RuleArrays& into) {
  std::istringstream words(text);
  std::string direction, protocol, peer;
  words >> direction >> protocol >> peer;
  const bool inward = direction == "in";
  const bool hasPorts = protocol == "tcp" || protocol == "udp";
  json rule{{inward ? "source" : "destination", peer},
            {"protocol", protocol == "tcp"    ? "6"
                         : protocol == "udp"  ? "17"
                         : protocol == "icmp" ? "1"
                                              : protocol}};
  if (peer.starts_with("all-")) rule[inward ? "sourceType" : "destinationType"] = "SERVICE_CIDR_BLOCK";
  for (std::string word; words >> word;) {
    if (word == "stateless") {
      rule["isStateless"] = true;
    } else if (word == "from") {
      words >> word;
      rule[protocol + "Options"]["sourcePortRange"] = rangeOf(word);
    } else if (word == "type") {
      words >> word;
      rule["icmpOptions"]["type"] = std::stoi(word);
      if (const auto slash = word.find('/'); slash != std::string::npos)
        rule["icmpOptions"]["code"] = std::stoi(word.substr(slash + 1));
    } else if (hasPorts) {
      rule[protocol + "Options"]["destinationPortRange"] = rangeOf(word);
    }
  }
  (inward ? into.ingress : into.egress).push_back(rule);
}

}  // namespace

RuleArrays readRules(const std::string& text) {
  RuleArrays arrays;
  std::istringstream rules(text);
  for (std::string rule; std::getline(rules, rule, ';');)
    if (rule.find_first_not_of(' ') != std::string::npos) readRule(rule, arrays);
  return arrays;
}

std::vector<SecurityRule> checkedRules(const std::string& text) {
  const RuleArrays arrays = readRules(text);
  std::vector<SecurityRule> rules;
  for (const auto& [array, direction] :
       {std::pair{&arrays.ingress, Direction::Ingress}, std::pair{&arrays.egress, Direction::Egress}}) {
    for (const json& sent : *array) {
      auto checked = checkRule(sent, direction, RuleHome::SecurityList, "rule");
      EXPECT_TRUE(checked) << sent.dump() << ": " << (checked ? "" : checked.error().message);
      if (checked) rules.push_back(checked->rule);
    }
  }
  return rules;
}

const std::vector<PacketCase>& packetCases() {
  static constexpr const char* kOut = "out all 0.0.0.0/0";
  static const std::vector<PacketCase> kCases{
      {"no rules at all", "", "", "tcp 5000", false},
      {"everything open", kOut, "in all 0.0.0.0/0", "tcp 5000", true},
      {"the port is open", kOut, "in tcp 10.0.0.0/24 5000", "tcp 5000", true},
      {"another port is open", kOut, "in tcp 10.0.0.0/24 5001", "tcp 5000", false},
      {"first port of a range", kOut, "in tcp 10.0.0.0/24 5000-5010", "tcp 5000", true},
      {"last port of a range", kOut, "in tcp 10.0.0.0/24 5000-5010", "tcp 5010", true},
      {"just past a range", kOut, "in tcp 10.0.0.0/24 5000-5010", "tcp 5011", false},
      {"just before a range", kOut, "in tcp 10.0.0.0/24 5000-5010", "tcp 4999", false},
      {"all TCP", kOut, "in tcp 10.0.0.0/24", "tcp 1", true},
      {"TCP is not UDP", kOut, "in tcp 10.0.0.0/24", "udp 5000", false},
      {"UDP is not TCP", kOut, "in udp 10.0.0.0/24", "tcp 5000", false},
      {"UDP port", kOut, "in udp 10.0.0.0/24 5000", "udp 5000", true},
      {"UDP other port", kOut, "in udp 10.0.0.0/24 5000", "udp 5001", false},
      {"wrong CIDR", kOut, "in tcp 10.0.2.0/24 5000", "tcp 5000", false},
      {"CIDR of one host", kOut, "in tcp 10.0.0.2/32 5000", "tcp 5000", true},
      {"CIDR of the host beside", kOut, "in tcp 10.0.0.3/32 5000", "tcp 5000", false},
      {"own subnet is not the sender's", kOut, "in tcp 10.0.1.0/24 5000", "tcp 5000", false},
      {"IPv6 CIDR", kOut, "in tcp ::/0 5000", "tcp 5000", false},
      {"services are no nodes", kOut, "in all all-rehearsal-services-in-oracle-services-network", "tcp 5000",
       false},
      {"egress missing", "in all 0.0.0.0/0", "in all 0.0.0.0/0", "tcp 5000", false},
      {"egress to another CIDR", "out all 10.0.2.0/24", "in all 0.0.0.0/0", "tcp 5000", false},
      {"egress to the CIDR", "out tcp 10.0.1.0/24 5000", "in all 0.0.0.0/0", "tcp 5000", true},
      {"egress of another port", "out tcp 10.0.1.0/24 5001", "in all 0.0.0.0/0", "tcp 5000", false},
      {"two rules, the second fits", kOut, "in tcp 10.0.0.0/24 22; in tcp 10.0.0.0/16 5000", "tcp 5000",
       true},
      {"source port fits", kOut, "in tcp 10.0.0.0/24 5000 from 2000-3000", "tcp 5000 from 2500", true},
      {"source port does not fit", kOut, "in tcp 10.0.0.0/24 5000 from 2000-3000", "tcp 5000 from 3001",
       false},
      {"source port alone", kOut, "in tcp 10.0.0.0/24 from 2000-3000", "tcp 777 from 2001", true},
      {"stateful needs no way back", "out tcp 10.0.1.0/24 5000", "in tcp 10.0.0.0/24 5000", "tcp 5000", true},
      {"stateful UDP needs no way back", "out udp 10.0.1.0/24 5000", "in udp 10.0.0.0/24 5000", "udp 5000",
       true},
      {"stateless ingress, no way back", kOut, "in tcp 10.0.0.0/24 5000 stateless", "tcp 5000", false},
      {"stateless ingress, stateless way back", kOut,
       "in tcp 10.0.0.0/24 5000 stateless; out tcp 10.0.0.0/24 from 5000 stateless", "tcp 5000", true},
      {"stateless ingress, stateful way back", kOut, "in tcp 10.0.0.0/24 5000 stateless; out all 0.0.0.0/0",
       "tcp 5000", true},
      {"stateless ingress, way back of another port", kOut,
       "in tcp 10.0.0.0/24 5000 stateless; out tcp 10.0.0.0/24 from 5001 stateless", "tcp 5000", false},
      {"stateless ingress, way back to another CIDR", kOut,
       "in tcp 10.0.0.0/24 5000 stateless; out tcp 10.0.2.0/24 from 5000 stateless", "tcp 5000", false},
      {"stateless wins over stateful", kOut, "in tcp 10.0.0.0/24 5000; in tcp 10.0.0.0/24 5000 stateless",
       "tcp 5000", false},
      {"stateless of another port does not win", kOut,
       "in tcp 10.0.0.0/24 5000; in tcp 10.0.0.0/24 5001 stateless", "tcp 5000", true},
      {"stateless egress, no way back", "out tcp 10.0.1.0/24 stateless", "in tcp 10.0.0.0/24", "tcp 5000",
       false},
      {"stateless egress, way back", "out tcp 10.0.1.0/24 stateless; in tcp 10.0.1.0/24 from 5000 stateless",
       "in tcp 10.0.0.0/24", "tcp 5000", true},
      {"stateless egress, stateful way back", "out tcp 10.0.1.0/24 stateless; in tcp 10.0.1.0/24 from 5000",
       "in tcp 10.0.0.0/24", "tcp 5000", true},
      {"stateless everywhere", "out all 0.0.0.0/0 stateless; in all 0.0.0.0/0 stateless",
       "out all 0.0.0.0/0 stateless; in all 0.0.0.0/0 stateless", "tcp 5000", true},
      {"stateless UDP, no way back", kOut, "in udp 10.0.0.0/24 5000 stateless", "udp 5000", false},
      {"stateless UDP, way back", kOut,
       "in udp 10.0.0.0/24 5000 stateless; out udp 10.0.0.0/24 from 5000 stateless", "udp 5000", true},
      {"stateful back of stateful with stateless beside", kOut,
       "in tcp 10.0.0.0/24 5000; out tcp 10.0.0.0/24 from 5001 stateless", "tcp 5000", true},
      {"ping, all ICMP", kOut, "in icmp 10.0.0.0/24", "ping", true},
      {"ping, echo requests", kOut, "in icmp 10.0.0.0/24 type 8", "ping", true},
      {"ping, echo requests by code", kOut, "in icmp 10.0.0.0/24 type 8/0", "ping", true},
      {"ping, another code", kOut, "in icmp 10.0.0.0/24 type 8/1", "ping", false},
      {"ping, another type", kOut, "in icmp 10.0.0.0/24 type 3/4", "ping", false},
      {"ping, only TCP", kOut, "in tcp 10.0.0.0/24", "ping", false},
      {"ping, stateless without reply", kOut, "in icmp 10.0.0.0/24 type 8 stateless", "ping", false},
      {"ping, stateless with reply", kOut,
       "in icmp 10.0.0.0/24 type 8 stateless; out icmp 10.0.0.0/24 type 0 stateless", "ping", true},
      {"protocol by number", kOut, "in 6 10.0.0.0/24", "tcp 5000", true},
      {"another protocol", kOut, "in 47 10.0.0.0/24", "tcp 5000", false},
      {"wide block", kOut, "in tcp 10.0.0.0/8 1-65535", "tcp 65535", true},
      {"half a subnet", kOut, "in tcp 10.0.0.128/25", "tcp 5000", false},
      {"the other half", kOut, "in tcp 10.0.0.0/25", "tcp 5000", true},
  };
  return kCases;
}

Packet readPacket(const PacketCase& row, int sourcePort) {
  std::istringstream words(row.packet);
  std::string protocol, word;
  Packet packet{*parseIpv4("10.0.0.2"), *parseIpv4("10.0.1.2"), kTcp, sourcePort, 0, 0, 0};
  words >> protocol >> packet.destinationPort;
  if (protocol == "udp") packet.protocol = kUdp;
  if (protocol == "ping") {
    packet.protocol = kIcmp;
    packet.icmpType = 8;
    packet.destinationPort = 0;
  }
  words.clear();
  if (words >> word && word == "from") words >> packet.sourcePort;
  return packet;
}

}  // namespace lockstep::testing
