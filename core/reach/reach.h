// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <set>
#include <string>

#include "reach/ipv4_range.h"
#include "reach/rule_book.h"

namespace lockstep {

using RuleDirection = oci::SecurityRule::Direction;

inline constexpr const char* kTcp = "6";
inline constexpr const char* kUdp = "17";

/// From where connections are opened: the ports that Linux hands out (ip_local_port_range).
[[nodiscard]] PortSet ephemeralPorts();

/// The other end, as rules can name it.
struct Peer {
  Ipv4Range addresses;
  std::set<std::string> groups;  // the network security groups that all of it is in
  bool isObjectStorage = false;  // Oracle's, at some public address that we do not know

  [[nodiscard]] static Peer at(const Ipv4Range& addresses) { return {addresses, {}, false}; }
  [[nodiscard]] static Peer objectStorage() { return {kEveryAddress, {}, true}; }
};

/// Whether the label of a service CIDR block stands for Object Storage: "oci-iad-objectstorage", "all-iad-…".
[[nodiscard]] bool meansObjectStorage(const std::string& serviceLabel);

/// To which ports connections can be opened, from whatever ephemeral port, so that they are also answered.
/// A packet that a stateless rule lets pass is not remembered, even when a stateful one lets it pass as well:
/// what answers it needs a rule of its own (oci-rest-contract 4.2).
struct DirectionReach {
  PortSet all;         // with every address of the peer
  PortSet some;        // with one of them at least
  PortSet passing;     // the first packet passes with every address, answered or not
  PortSet unanswered;  // let pass without memory, and for one address at least the answer has no rule
};

/// Ingress: ports of the node that the peer can open. Egress: ports of the peer that the node can open. What
/// the peer's own rules say does not matter here. `protocol` is TCP or UDP. Exact.
[[nodiscard]] DirectionReach reachOf(const RuleBook& node, RuleDirection direction, const Peer& peer,
                                     const std::string& protocol = kTcp);

/// One end of a connection: who it is for the other's rules, and its own.
struct ReachEnd {
  const RuleBook& rules;
  Peer self;
};
/// The ports of `to` that every address of `from` can open at every address of `to`.
[[nodiscard]] PortSet openPorts(const ReachEnd& from, const ReachEnd& to, const std::string& protocol = kTcp);

/// Two nodes of one subnet, which have the same rules.
struct NodeReach {
  DirectionReach in, out;
  [[nodiscard]] PortSet open() const { return in.all & out.all; }
};
[[nodiscard]] NodeReach reachWithin(const RuleBook& node, const Ipv4Range& subnet,
                                    const std::string& protocol = kTcp);

/// What a rule can do for a peer: which of the peer's addresses it names, and with which ports.
struct RuleSpan {
  Ipv4Range peers;
  PortSet destination, source;
};
/// nullopt: the rule is of the other direction or of another protocol, or names nobody of the peer.
[[nodiscard]] std::optional<RuleSpan> spanOf(const oci::SecurityRule& rule, RuleDirection direction,
                                             const Peer& peer, const std::string& protocol = kTcp);

}  // namespace lockstep
