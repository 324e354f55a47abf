// SPDX-License-Identifier: GPL-3.0-or-later
#include "drawn_rules.h"

#include <algorithm>
#include <set>

#include "reach/rule_book.h"

namespace lockstep::testing {
namespace {

bool inBlock(const std::string& block, std::uint32_t address) {
  unsigned a = 0, b = 0, c = 0, d = 0, bits = 0;
  if (std::sscanf(block.c_str(), "%u.%u.%u.%u/%u", &a, &b, &c, &d, &bits) != 5) return false;
  const std::uint64_t network = (a << 24) + (b << 16) + (c << 8) + d;
  return (network >> (32 - bits)) == (std::uint64_t{address} >> (32 - bits));
}

bool inRange(const std::optional<oci::PortRange>& range, int port) {
  return !range || (range->min <= port && port <= range->max);
}

bool namesPeer(const SecurityRule& rule, std::uint32_t peer, const std::vector<std::string>& groups) {
  if (rule.protocol != "all" && rule.protocol != "6") return false;
  if (rule.peerType == "SERVICE_CIDR_BLOCK") return false;
  if (rule.peerType == "NETWORK_SECURITY_GROUP")
    return std::find(groups.begin(), groups.end(), rule.peer) != groups.end();
  return inBlock(rule.peer, peer);
}

bool matches(const SecurityRule& rule, const Packet& packet) {
  return rule.direction == packet.direction && inRange(rule.destinationPorts, packet.destinationPort) &&
         inRange(rule.sourcePorts, packet.sourcePort) && namesPeer(rule, packet.peer, packet.peerGroups);
}

template <class T>
const T& oneOf(std::mt19937& random, const std::vector<T>& all) {
  return all[random() % all.size()];
}

std::optional<oci::PortRange> drawRange(std::mt19937& random) {
  static const std::vector<int> kEnds{1,     443,   1023,  1024,  8786,  8787,  29400, 32767, 32768,
                                      32769, 40000, 40001, 50000, 60998, 60999, 61000, 65535};
  if (random() % 3 == 0) return std::nullopt;
  const int a = oneOf(random, kEnds), b = random() % 3 == 0 ? a : oneOf(random, kEnds);
  return oci::PortRange{std::min(a, b), std::max(a, b)};
}

void collect(const std::optional<oci::PortRange>& range, std::set<int>& ports) {
  if (!range) return;
  for (const int edge : {range->min - 1, range->min, range->max, range->max + 1})
    if (edge >= 0 && edge <= 65535) ports.insert(edge);
}

}  // namespace

bool passes(const std::vector<SecurityRule>& rules, const Packet& packet) {
  bool isLetPass = false, isForgotten = false;
  for (const SecurityRule& rule : rules) {
    if (!matches(rule, packet)) continue;
    isLetPass = true;
    isForgotten = isForgotten || rule.isStateless;
  }
  if (!isLetPass || !isForgotten) return isLetPass;
  Packet answer = packet;
  answer.direction = packet.direction == Direction::Ingress ? Direction::Egress : Direction::Ingress;
  std::swap(answer.sourcePort, answer.destinationPort);
  return std::any_of(rules.begin(), rules.end(), [&](const auto& rule) { return matches(rule, answer); });
}

PassingPorts passingPorts(const std::vector<SecurityRule>& rules, Direction direction, std::uint32_t peer,
                          int sourcePort) {
  std::bitset<65536> passing, forgotten, answered;
  for (const SecurityRule& rule : rules) {
    if (!namesPeer(rule, peer, {})) continue;
    const bool isFirst = rule.direction == direction;
    if (!inRange(isFirst ? rule.sourcePorts : rule.destinationPorts, sourcePort)) continue;
    for (int port = 0; port < 65536; ++port) {
      const auto at = static_cast<std::size_t>(port);
      if (!inRange(isFirst ? rule.destinationPorts : rule.sourcePorts, port)) continue;
      (isFirst ? passing : answered).set(at);
      if (isFirst && rule.isStateless) forgotten.set(at);
    }
  }
  return {passing, passing & ~(forgotten & ~answered)};
}

std::vector<SecurityRule> drawRules(std::mt19937& random, int max) {
  static const std::vector<std::string> kBlocks{
      "10.0.0.0/28", "10.0.0.0/28", "10.0.0.0/28", "10.0.0.0/29",  "10.0.0.8/29",    "10.0.0.4/30",
      "10.0.0.7/32", "10.0.0.0/16", "0.0.0.0/0",   "10.0.0.16/28", "192.168.0.0/16", "::/0"};
  static const std::vector<std::string> kProtocols{"6", "6", "6", "all", "17", "1"};
  std::vector<SecurityRule> rules(random() % static_cast<unsigned>(max + 1));
  for (SecurityRule& rule : rules) {
    rule.direction = random() % 2 == 0 ? Direction::Ingress : Direction::Egress;
    rule.protocol = oneOf(random, kProtocols);
    rule.isStateless = random() % 3 == 0;
    rule.peer = oneOf(random, kBlocks);
    if (random() % 10 == 0) {
      rule.peerType = "NETWORK_SECURITY_GROUP";
      rule.peer = random() % 2 == 0 ? "group-a" : "group-b";
    } else if (random() % 12 == 0) {
      rule.peerType = "SERVICE_CIDR_BLOCK";
      rule.peer = "all-iad-services-in-oracle-services-network";
    }
    if (rule.protocol != "6") continue;
    rule.destinationPorts = drawRange(random);
    if (random() % 2 == 0) rule.sourcePorts = drawRange(random);
  }
  return rules;
}

std::string shown(const std::vector<SecurityRule>& rules) {
  std::string text;
  for (const SecurityRule& rule : rules) text += ruleText(rule) + "\n";
  return text;
}

std::vector<int> tellingPorts(const std::vector<SecurityRule>& rules) {
  std::set<int> ports{0, 1, 32767, 32768, 60999, 61000, 65535};
  for (const SecurityRule& rule : rules) {
    collect(rule.destinationPorts, ports);
    collect(rule.sourcePorts, ports);
  }
  return {ports.begin(), ports.end()};
}

std::vector<int> tellingSources(const std::vector<SecurityRule>& rules) {
  std::vector<int> sources = tellingPorts(rules);
  std::erase_if(sources, [](int port) { return port < 32768 || port > 60999; });
  return sources;
}

}  // namespace lockstep::testing
