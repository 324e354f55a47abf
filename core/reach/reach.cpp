// SPDX-License-Identifier: GPL-3.0-or-later
#include "reach/reach.h"

#include <algorithm>
#include <cstdint>

namespace lockstep {
namespace {

using oci::SecurityRule;

RuleDirection opposite(RuleDirection direction) {
  return direction == RuleDirection::Ingress ? RuleDirection::Egress : RuleDirection::Ingress;
}

std::optional<Ipv4Range> peersNamed(const SecurityRule& rule, const Peer& peer) {
  if (rule.peerType == "NETWORK_SECURITY_GROUP")
    return peer.groups.contains(rule.peer) ? std::optional(peer.addresses) : std::nullopt;
  if (rule.peerType == "SERVICE_CIDR_BLOCK")
    return peer.isObjectStorage && meansObjectStorage(rule.peer) ? std::optional(peer.addresses)
                                                                 : std::nullopt;
  const auto block = parseIpv4Block(rule.peer);
  return block ? block->meet(peer.addresses) : std::nullopt;
}

/// The rules that say something about a peer in one direction.
struct Flow {
  RuleSpan span;
  bool isStateless = false;
};

std::vector<Flow> flowsOf(const RuleBook& node, RuleDirection direction, const Peer& peer,
                          const std::string& protocol) {
  std::vector<Flow> flows;
  for (const PlacedRule& placed : node)
    if (auto span = spanOf(placed.rule, direction, peer, protocol))
      flows.push_back({std::move(*span), placed.rule.isStateless});
  return flows;
}

/// Where something begins or ends within [first, last]: between two neighbours nothing changes, so that one
/// number stands for all of them.
class Cuts {
 public:
  Cuts(std::int64_t first, std::int64_t last) : first_(first), last_(last), at_{first} {}
  void add(std::int64_t first, std::int64_t last) {
    for (const std::int64_t cut : {first, last + 1})
      if (cut > first_ && cut <= last_) at_.push_back(cut);
  }
  void add(const PortSet& ports) {
    for (const PortSet::Interval& one : ports.intervals()) add(one.first, one.last);
  }
  [[nodiscard]] std::vector<std::int64_t> representatives() {
    std::sort(at_.begin(), at_.end());
    at_.erase(std::unique(at_.begin(), at_.end()), at_.end());
    return at_;
  }

 private:
  std::int64_t first_, last_;
  std::vector<std::int64_t> at_;
};

bool has(const PortSet& ports, int port) {
  const auto& all = ports.intervals();
  return std::any_of(all.begin(), all.end(),
                     [&](const auto& one) { return one.first <= port && port <= one.last; });
}

bool has(const Ipv4Range& range, std::uint32_t address) {
  return range.first <= address && address <= range.last;
}

class Computation {
 public:
  Computation(const RuleBook& node, RuleDirection direction, const Peer& peer, const std::string& protocol)
      : peer_(peer), first_(flowsOf(node, direction, peer, protocol)) {
    const bool anyStateless =
        std::any_of(first_.begin(), first_.end(), [](auto& f) { return f.isStateless; });
    if (anyStateless) back_ = flowsOf(node, opposite(direction), peer, protocol);
  }

  DirectionReach run() {
    DirectionReach reach;
    reach.all = reach.passing = PortSet::all();
    for (const std::int64_t address : addresses()) {
      const PortSet open = openAt(static_cast<std::uint32_t>(address), reach);
      reach.all = reach.all & open;
      reach.some = reach.some | open;
    }
    return reach;
  }

 private:
  std::vector<std::int64_t> addresses() const {
    Cuts cuts(peer_.addresses.first, peer_.addresses.last);
    for (const auto* flows : {&first_, &back_})
      for (const Flow& flow : *flows) cuts.add(flow.span.peers.first, flow.span.peers.last);
    return cuts.representatives();
  }

  /// The ports that are open from every ephemeral port, for one address of the peer.
  PortSet openAt(std::uint32_t address, DirectionReach& reach) const {
    const auto first = thoseFor(first_, address), back = thoseFor(back_, address);
    const PortSet::Interval ephemeral = ephemeralPorts().intervals().front();
    Cuts cuts(ephemeral.first, ephemeral.last);
    for (const Flow* flow : first) cuts.add(flow->span.source);
    for (const Flow* flow : back) cuts.add(flow->span.destination);
    PortSet open = PortSet::all();
    for (const std::int64_t from : cuts.representatives())
      open = open & openFrom(static_cast<int>(from), first, back, reach);
    return open;
  }

  static PortSet openFrom(int from, const std::vector<const Flow*>& first,
                          const std::vector<const Flow*>& back, DirectionReach& reach) {
    PortSet passing, forgotten, answered;
    for (const Flow* flow : first) {
      if (!has(flow->span.source, from)) continue;
      passing = passing | flow->span.destination;
      if (flow->isStateless) forgotten = forgotten | flow->span.destination;
    }
    for (const Flow* flow : back)  // the answer goes the other way, with the ports changed over
      if (has(flow->span.destination, from)) answered = answered | flow->span.source;
    const PortSet lost = forgotten - answered;
    reach.passing = reach.passing & passing;
    reach.unanswered = reach.unanswered | lost;
    return passing - lost;
  }

  static std::vector<const Flow*> thoseFor(const std::vector<Flow>& flows, std::uint32_t address) {
    std::vector<const Flow*> those;
    for (const Flow& flow : flows)
      if (has(flow.span.peers, address)) those.push_back(&flow);
    return those;
  }

  const Peer& peer_;
  std::vector<Flow> first_, back_;
};

}  // namespace

PortSet ephemeralPorts() {
  return PortSet::of(32768, 60999);
}

bool meansObjectStorage(const std::string& serviceLabel) {
  return serviceLabel.ends_with("-objectstorage") || serviceLabel.starts_with("all-");
}

std::optional<RuleSpan> spanOf(const SecurityRule& rule, RuleDirection direction, const Peer& peer,
                               const std::string& protocol) {
  if (rule.direction != direction || (rule.protocol != "all" && rule.protocol != protocol))
    return std::nullopt;
  const auto peers = peersNamed(rule, peer);
  if (!peers) return std::nullopt;
  return RuleSpan{*peers, portsOf(rule.destinationPorts), portsOf(rule.sourcePorts)};
}

DirectionReach reachOf(const RuleBook& node, RuleDirection direction, const Peer& peer,
                       const std::string& protocol) {
  return Computation(node, direction, peer, protocol).run();
}

PortSet openPorts(const ReachEnd& from, const ReachEnd& to, const std::string& protocol) {
  return reachOf(from.rules, RuleDirection::Egress, to.self, protocol).all &
         reachOf(to.rules, RuleDirection::Ingress, from.self, protocol).all;
}

NodeReach reachWithin(const RuleBook& node, const Ipv4Range& subnet, const std::string& protocol) {
  const Peer peer = Peer::at(subnet);
  return {reachOf(node, RuleDirection::Ingress, peer, protocol),
          reachOf(node, RuleDirection::Egress, peer, protocol)};
}

}  // namespace lockstep
