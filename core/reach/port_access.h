// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>

#include "reach/reach.h"

namespace lockstep {

/// Why ports are closed, in the words of the rules that come nearest.
enum class ClosedBecause {
  Open,             // they are not
  NoRule,           // no rule names them
  OtherAddresses,   // a rule does, for somebody else
  PartOfAddresses,  // rules do, for some addresses of the peer
  SourcePorts,      // rules do, from source ports that are not those of connections
  NoReturn          // stateless rules do, and the answers have none
};

struct PortAccess {
  PortSet closed;  // of those asked for
  ClosedBecause why = ClosedBecause::Open;
  std::string because;   // "no ingress rule lets TCP 29400 in from 10.0.0.0/24"; empty when open
  std::string deciding;  // "security list 'a', ingress rule 1 (TCP from 10.0.0.0/24)"; empty: no rule does
};

/// What decides about TCP ports between a node and a peer that is called `peerName` in texts.
[[nodiscard]] PortAccess evaluatePorts(const RuleBook& node, RuleDirection direction, const Peer& peer,
                                       const std::string& peerName, const PortSet& asked);

/// How many of the peer's addresses a TCP port is open for.
[[nodiscard]] std::uint64_t addressesOpen(const RuleBook& node, RuleDirection direction, const Peer& peer,
                                          int port);

}  // namespace lockstep
