// SPDX-License-Identifier: GPL-3.0-or-later
#include "reach/rule_change.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace lockstep {
namespace {

using oci::SecurityRule;

constexpr const char* kProofDescription = "Lockstep: proof of concept, open to everybody";
constexpr const char* kStorageDescription = "Lockstep: to Object Storage";
constexpr const char* kEverybody = "0.0.0.0/0";
constexpr int kHttps = 443;

SecurityRule tcpRule(RuleDirection direction, const std::string& peer, std::string description) {
  SecurityRule rule;
  rule.direction = direction;
  rule.peer = peer;
  rule.protocol = kTcp;
  rule.description = std::move(description);
  return rule;
}

/// Says in the description what the rule is for, so that one that somebody alters later can be told.
std::string describedAs(const char* what, const PortSet& ports) {
  return fmt::format("Lockstep: {} {} between the nodes of a cluster", what, ports.toString());
}

std::vector<SecurityRule>& rulesOfDirection(RuleChange& change, RuleDirection direction) {
  return direction == RuleDirection::Ingress ? change.ingress : change.egress;
}

PortSet hull(const PortSet& ports) {
  return PortSet::of(ports.intervals().front().first, ports.intervals().back().last);
}

/// One rule for each run of asked ports that is not wholly passing: from its first such port to its last.
void letPass(RuleChange& change, RuleDirection direction, const std::string& block, const PortSet& asked,
             const PortSet& passing) {
  for (const PortSet::Interval& run : asked.intervals()) {
    const PortSet missing = PortSet::of(run.first, run.last) - passing;
    if (missing.empty()) continue;
    const PortSet opened = hull(missing);
    SecurityRule rule = tcpRule(direction, block, describedAs("TCP", opened));
    rule.destinationPorts = ruleRange(opened.intervals().front());
    rulesOfDirection(change, direction).push_back(std::move(rule));
  }
}

/// The way back of connections to `asked` that stateless rules let pass in `direction`. A stateful rule does
/// for it and, unlike a stateless one, cannot make any other connection be forgotten.
void letAnswer(RuleChange& change, RuleDirection direction, const std::string& block,
               const PortSet& unanswered) {
  const auto back = direction == RuleDirection::Ingress ? RuleDirection::Egress : RuleDirection::Ingress;
  for (const PortSet::Interval& run : unanswered.intervals()) {
    const PortSet ports = PortSet::of(run.first, run.last);
    SecurityRule rule = tcpRule(back, block, describedAs("answers of TCP", ports));
    rule.sourcePorts = ruleRange(run);
    rule.destinationPorts = ruleRange(ephemeralPorts().intervals().front());
    rulesOfDirection(change, back).push_back(std::move(rule));
  }
}

bool isSame(const SecurityRule& a, const SecurityRule& b) {
  return a.direction == b.direction && a.peer == b.peer && a.peerType == b.peerType &&
         a.protocol == b.protocol && a.isStateless == b.isStateless && a.description == b.description &&
         a.destinationPorts == b.destinationPorts && a.sourcePorts == b.sourcePorts &&
         a.icmpType == b.icmpType && a.icmpCode == b.icmpCode;
}

/// Takes each of `those` out of `rules` once; those that are not there.
std::vector<SecurityRule> removeChange(std::vector<SecurityRule>& rules,
                                       const std::vector<SecurityRule>& those) {
  std::vector<SecurityRule> missing;
  for (const SecurityRule& rule : those) {
    // From the end: that is where they were added.
    const auto found = std::find_if(rules.rbegin(), rules.rend(),
                                    [&](const SecurityRule& other) { return isSame(rule, other); });
    if (found == rules.rend())
      missing.push_back(rule);
    else
      rules.erase(std::next(found).base());
  }
  return missing;
}

void openDirection(RuleChange& change, const RuleBook& node, RuleDirection direction) {
  const PortSet all = PortSet::of(1, 65535);
  const DirectionReach reach = reachOf(node, direction, Peer::at(kEveryAddress));
  if (reach.all.contains(all)) return;
  rulesOfDirection(change, direction).push_back(tcpRule(direction, kEverybody, kProofDescription));
}

}  // namespace

RuleChange smallestOpening(const RuleBook& node, const std::string& subnetBlock, const PortSet& asked) {
  RuleChange change;
  const auto block = parseIpv4Block(subnetBlock);
  if (!block) return change;
  const NodeReach reach = reachWithin(node, *block);
  letPass(change, RuleDirection::Ingress, subnetBlock, asked, reach.in.passing);
  letPass(change, RuleDirection::Egress, subnetBlock, asked, reach.out.passing);
  // What was just let pass may answer as well.
  const NodeReach then = reachWithin(with(node, change), *block);
  letAnswer(change, RuleDirection::Ingress, subnetBlock, asked & then.in.unanswered);
  letAnswer(change, RuleDirection::Egress, subnetBlock, asked & then.out.unanswered);
  return change;
}

RuleChange openEverything(const RuleBook& node) {
  RuleChange change;
  openDirection(change, node, RuleDirection::Ingress);
  openDirection(change, node, RuleDirection::Egress);
  return change;
}

RuleChange openStorage(const RuleBook& node, const std::string& serviceLabel) {
  RuleChange change;
  const PortSet https = PortSet::of(kHttps, kHttps);
  const DirectionReach reach = reachOf(node, RuleDirection::Egress, Peer::objectStorage());
  const auto toService = [&](RuleDirection direction) {
    SecurityRule rule = tcpRule(direction, serviceLabel, kStorageDescription);
    rule.peerType = "SERVICE_CIDR_BLOCK";
    return rule;
  };
  if (!reach.passing.contains(https)) {
    SecurityRule rule = toService(RuleDirection::Egress);
    rule.destinationPorts = ruleRange(https.intervals().front());
    change.egress.push_back(std::move(rule));
  }
  if (reach.unanswered.contains(https)) {
    SecurityRule rule = toService(RuleDirection::Ingress);
    rule.sourcePorts = ruleRange(https.intervals().front());
    rule.destinationPorts = ruleRange(ephemeralPorts().intervals().front());
    change.ingress.push_back(std::move(rule));
  }
  return change;
}

oci::SecurityList with(oci::SecurityList list, const RuleChange& change) {
  list.ingress.insert(list.ingress.end(), change.ingress.begin(), change.ingress.end());
  list.egress.insert(list.egress.end(), change.egress.begin(), change.egress.end());
  return list;
}

RuleBook with(RuleBook node, const RuleChange& change) {
  for (const auto* rules : {&change.ingress, &change.egress})
    for (const SecurityRule& rule : *rules) node.push_back({rule, "proposed"});
  return node;
}

const SecurityRule* findAltered(const oci::SecurityList& list, const RuleChange& change) {
  for (const auto& [there, added] :
       {std::pair{&list.ingress, &change.ingress}, {&list.egress, &change.egress}}) {
    for (const SecurityRule& mine : *added) {
      const auto isMine = [&](const SecurityRule& rule) { return isSame(rule, mine); };
      const auto isNamedSo = [&](const SecurityRule& rule) { return rule.description == mine.description; };
      if (std::any_of(there->begin(), there->end(), isMine)) continue;
      const auto altered = std::find_if(there->begin(), there->end(), isNamedSo);
      if (altered != there->end()) return &*altered;
    }
  }
  return nullptr;
}

bool hasAll(const oci::SecurityList& list, const RuleChange& change) {
  oci::SecurityList copy = list;
  return removeChange(copy, change).empty();
}

RuleChange removeChange(oci::SecurityList& list, const RuleChange& change) {
  return {removeChange(list.ingress, change.ingress), removeChange(list.egress, change.egress)};
}

}  // namespace lockstep
