// SPDX-License-Identifier: GPL-3.0-or-later
#include "reach/rule_book.h"

#include <fmt/format.h>

#include <algorithm>

namespace lockstep {
namespace {

using oci::SecurityRule;

bool isIngress(const SecurityRule& rule) {
  return rule.direction == SecurityRule::Direction::Ingress;
}

void append(RuleBook& book, const std::vector<SecurityRule>& rules, const std::string& home) {
  for (std::size_t i = 0; i < rules.size(); ++i)
    book.push_back({rules[i], fmt::format("{} rule {}", home, i + 1)});
}

std::string protocolText(const std::string& protocol) {
  if (protocol == "all") return "all protocols";
  if (protocol == "1") return "ICMP";
  if (protocol == "6") return "TCP";
  if (protocol == "17") return "UDP";
  if (protocol == "58") return "ICMPv6";
  return "protocol " + protocol;
}

std::string peerText(const SecurityRule& rule) {
  const std::string way = isIngress(rule) ? "from " : "to ";
  if (rule.peerType == "NETWORK_SECURITY_GROUP") return way + "the group " + rule.peer;
  if (rule.peerType == "SERVICE_CIDR_BLOCK") return way + "the service " + rule.peer;
  return way + rule.peer;
}

std::string lines(const char* heading, const std::vector<SecurityRule>& rules) {
  std::string text = std::string(heading) + "\n";
  for (const SecurityRule& rule : rules) {
    text += "  " + ruleText(rule);
    if (!rule.description.empty()) text += fmt::format("  ({})", rule.description);
    text += "\n";
  }
  return text;
}

}  // namespace

RuleBook rulesOf(const std::vector<oci::SecurityList>& lists) {
  RuleBook book;
  for (const oci::SecurityList& list : lists) {
    const std::string home = fmt::format("security list '{}', ", list.displayName);
    append(book, list.ingress, home + "ingress");
    append(book, list.egress, home + "egress");
  }
  return book;
}

RuleBook rulesOf(const oci::NetworkSecurityGroup& group, const std::vector<SecurityRule>& rules) {
  RuleBook book;
  append(book, rules, fmt::format("network security group '{}',", group.displayName));
  return book;
}

std::string ruleText(const SecurityRule& rule) {
  std::string text = protocolText(rule.protocol);
  if (rule.destinationPorts) text += " " + portsOf(rule.destinationPorts).toString();
  if (rule.icmpType) text += fmt::format(" type {}", *rule.icmpType);
  if (rule.icmpCode) text += fmt::format(" code {}", *rule.icmpCode);
  text += " " + peerText(rule);
  if (rule.sourcePorts) text += ", source ports " + portsOf(rule.sourcePorts).toString();
  if (rule.isStateless) text += ", stateless";
  return text;
}

std::string listText(const oci::SecurityList& list) {
  return fmt::format("security list '{}'\n", list.displayName) + lines("ingress", list.ingress) +
         lines("egress", list.egress);
}

PortSet portsOf(const std::optional<oci::PortRange>& range) {
  return range ? PortSet::of(range->min, range->max) : PortSet::all();
}

std::optional<oci::PortRange> ruleRange(const PortSet::Interval& interval) {
  const PortSet whole = PortSet::of(interval.first, interval.last);
  if (whole.contains(PortSet::of(1, 65535))) return std::nullopt;
  // Rules count from 1; nobody listens on port 0.
  return oci::PortRange{std::max(interval.first, 1), interval.last};
}

}  // namespace lockstep
