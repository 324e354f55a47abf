// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/network/isolation/packet_filter.h"

#include <fmt/format.h>

namespace lockstep::rehearsal {
namespace {

std::string portsText(const char* protocol, const char* side, const PortRange& range) {
  if (range.isWhole()) return {};
  return fmt::format("{} {} {}-{} ", protocol, side, range.min, range.max);
}

// The part of a rule that does not depend on the peer.
std::string protocolText(const SecurityRule& rule) {
  if (rule.protocol == kAllProtocols) return {};
  std::string text = fmt::format("meta l4proto {} ", rule.protocol);
  if (rule.protocol == kTcp || rule.protocol == kUdp) {
    const char* name = rule.protocol == kTcp ? "tcp" : "udp";
    text += portsText(name, "dport", rule.destinationPorts) + portsText(name, "sport", rule.sourcePorts);
  }
  if (rule.protocol == kIcmp && rule.icmpType >= 0) text += fmt::format("icmp type {} ", rule.icmpType);
  if (rule.protocol == kIcmp && rule.icmpCode >= 0) text += fmt::format("icmp code {} ", rule.icmpCode);
  return text;
}

std::string rulesText(const NodeRules& node, Direction direction, bool stateless) {
  std::string text;
  for (const SecurityRule& rule : node.rules) {
    if (rule.direction != direction || rule.isStateless != stateless) continue;
    for (const Cidr& peer : rule.peers)
      text += fmt::format("    ip {} {} {}{}accept\n", direction == Direction::Ingress ? "saddr" : "daddr",
                          peer.text(), protocolText(rule), stateless ? "notrack " : "");
  }
  return text;
}

// Packets to and from the relay. Dropped in silence, as a missing route or rule does it.
std::string servicesText(const NodeRules& node) {
  if (node.reachesServices) return {};
  std::string text;
  for (const int port : node.servicePorts)
    text += fmt::format("    ip daddr 127.0.0.1 tcp dport {} drop\n", port);
  return text;
}

}  // namespace

std::string packetFilterScript(const NodeRules& node) {
  // What a stateless rule lets pass is not tracked; what is not tracked therefore passed such a rule.
  return fmt::format(
      R"(table ip lockstep
delete table ip lockstep
table ip lockstep {{
  chain arriving {{
    type filter hook prerouting priority raw; policy accept;
    iifname "lo" accept
{}  }}
  chain leaving {{
    type filter hook output priority raw; policy accept;
    oifname "lo" accept
{}  }}
  chain input {{
    type filter hook input priority filter; policy drop;
    iifname "lo" accept
    ct state untracked accept
    ct state established,related accept
{}  }}
  chain output {{
    type filter hook output priority filter; policy drop;
{}    oifname "lo" accept
    ct state untracked accept
    ct state established,related accept
{}  }}
}}
table ip6 lockstep
delete table ip6 lockstep
table ip6 lockstep {{
  chain input {{
    type filter hook input priority filter; policy drop;
    iifname "lo" accept
  }}
  chain output {{
    type filter hook output priority filter; policy drop;
    oifname "lo" accept
  }}
}}
)",
      rulesText(node, Direction::Ingress, true), rulesText(node, Direction::Egress, true),
      rulesText(node, Direction::Ingress, false), servicesText(node),
      rulesText(node, Direction::Egress, false));
}

}  // namespace lockstep::rehearsal
