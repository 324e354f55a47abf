// SPDX-License-Identifier: GPL-3.0-or-later
#include "reach/port_access.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace lockstep {
namespace {

std::string named(const PlacedRule& placed) {
  return fmt::format("{} ({})", placed.place, ruleText(placed.rule));
}

const char* name(RuleDirection direction) {
  return direction == RuleDirection::Ingress ? "ingress" : "egress";
}

struct Relevant {
  const PlacedRule* rule = nullptr;
  RuleSpan span;
};

class PortEvaluation {
 public:
  PortEvaluation(const RuleBook& node, RuleDirection direction, const Peer& peer, const std::string& peerName,
                 const PortSet& asked)
      : node_(node), direction_(direction), peer_(peer), peerName_(peerName), asked_(asked) {
    for (const PlacedRule& placed : node)
      if (auto span = spanOf(placed.rule, direction, peer); span && !(span->destination & asked).empty())
        relevant_.push_back({&placed, std::move(*span)});
  }

  PortAccess evaluate() {
    const DirectionReach reach = reachOf(node_, direction_, peer_);
    PortAccess access{asked_ - reach.all, ClosedBecause::Open, {}, {}};
    if (access.closed.empty()) {
      access.deciding = decidingOpen();
      return access;
    }
    closed_ = access.closed;
    explain(reach, access);
    return access;
  }

 private:
  void explain(const DirectionReach& reach, PortAccess& access) {
    if (const PortSet lost = reach.unanswered & closed_; !lost.empty()) {
      noReturn(lost, access);
    } else if (!(reach.some & closed_).empty()) {
      partOfAddresses(reach.some & closed_, access);
    } else if (const Relevant* rule = withFewSources()) {
      access.why = ClosedBecause::SourcePorts;
      access.deciding = named(*rule->rule);
      access.because =
          fmt::format("{} lets them pass from source ports {} only; connections come from {}",
                      access.deciding, rule->span.source.toString(), ephemeralPorts().toString());
    } else if (const PlacedRule* other = forOthers()) {
      access.why = ClosedBecause::OtherAddresses;
      access.deciding = named(*other);
      access.because =
          fmt::format("{} is for {}, of which {} is no part", access.deciding, other->rule.peer, peerName_);
    } else {
      access.why = ClosedBecause::NoRule;
      access.because = fmt::format("no {} rule lets TCP {} {} {}", name(direction_), closed_.toString(),
                                   isIngress() ? "in from" : "out to", peerName_);
    }
  }

  void noReturn(const PortSet& lost, PortAccess& access) const {
    const auto stateless = std::find_if(relevant_.begin(), relevant_.end(), [&](const Relevant& one) {
      return one.rule->rule.isStateless && !(one.span.destination & lost).empty();
    });
    access.why = ClosedBecause::NoReturn;
    access.deciding = named(*stateless->rule);
    access.because =
        fmt::format("{} is stateless, and no {} rule lets the answers from port {} {} ports {} of {}",
                    access.deciding, isIngress() ? "egress" : "ingress", lost.toString(),
                    isIngress() ? "out to" : "in to", ephemeralPorts().toString(), peerName_);
  }

  void partOfAddresses(const PortSet& some, PortAccess& access) const {
    const int port = some.intervals().front().first;
    access.why = ClosedBecause::PartOfAddresses;
    access.deciding = allNamed();
    if (peer_.isObjectStorage) {
      access.because = fmt::format("{} covers only some of the addresses of {}", access.deciding, peerName_);
      return;
    }
    access.because =
        fmt::format("{} covers {} of the {} addresses of {}", access.deciding,
                    addressesOpen(node_, direction_, peer_, port), peer_.addresses.size(), peerName_);
  }

  const Relevant* withFewSources() const {
    const auto found = std::find_if(relevant_.begin(), relevant_.end(), [&](const Relevant& one) {
      return !(one.span.destination & closed_).empty() && !one.span.source.contains(ephemeralPorts());
    });
    return found == relevant_.end() ? nullptr : &*found;
  }

  /// A rule that would open everything that is closed, were it not for its addresses.
  const PlacedRule* forOthers() const {
    const auto found = std::find_if(node_.begin(), node_.end(), [&](const PlacedRule& placed) {
      const oci::SecurityRule& rule = placed.rule;
      return rule.peerType == "CIDR_BLOCK" && rule.direction == direction_ &&
             (rule.protocol == "all" || rule.protocol == kTcp) && !spanOf(rule, direction_, peer_) &&
             portsOf(rule.destinationPorts).contains(closed_);
    });
    return found == node_.end() ? nullptr : &*found;
  }

  /// The one rule that opens everything, or all that take part in it.
  std::string decidingOpen() const {
    for (const Relevant& one : relevant_)
      if (one.span.peers == peer_.addresses && one.span.destination.contains(asked_) &&
          one.span.source.contains(ephemeralPorts()))
        return named(*one.rule);
    return allNamed();
  }

  std::string allNamed() const {
    std::string text;
    for (const Relevant& one : relevant_) text += (text.empty() ? "" : " and ") + named(*one.rule);
    return text;
  }

  [[nodiscard]] bool isIngress() const { return direction_ == RuleDirection::Ingress; }

  const RuleBook& node_;
  const RuleDirection direction_;
  const Peer& peer_;
  const std::string& peerName_;
  const PortSet& asked_;
  PortSet closed_;
  std::vector<Relevant> relevant_;  // that name the peer and some of the ports
};

}  // namespace

PortAccess evaluatePorts(const RuleBook& node, RuleDirection direction, const Peer& peer,
                         const std::string& peerName, const PortSet& asked) {
  return PortEvaluation(node, direction, peer, peerName, asked).evaluate();
}

std::uint64_t addressesOpen(const RuleBook& node, RuleDirection direction, const Peer& peer, int port) {
  std::vector<std::uint64_t> cuts{peer.addresses.first};
  for (const PlacedRule& placed : node) {
    const auto block = parseIpv4Block(placed.rule.peer);
    const auto inside = block ? block->meet(peer.addresses) : std::nullopt;
    if (!inside) continue;
    cuts.push_back(inside->first);
    cuts.push_back(std::uint64_t{inside->last} + 1);
  }
  cuts.push_back(std::uint64_t{peer.addresses.last} + 1);
  std::sort(cuts.begin(), cuts.end());
  std::uint64_t count = 0;
  for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
    if (cuts[i] == cuts[i + 1]) continue;
    Peer one = peer;
    one.addresses.first = one.addresses.last = static_cast<std::uint32_t>(cuts[i]);
    if (reachOf(node, direction, one).all.contains(PortSet::of(port, port))) count += cuts[i + 1] - cuts[i];
  }
  return count;
}

}  // namespace lockstep
