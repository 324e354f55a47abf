// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "rehearsal/network/rules/security_rules.h"

namespace lockstep::rehearsal {

/// Everything that security rules look at in a packet.
struct Packet {
  Ipv4 source = 0, destination = 0;
  int protocol = kTcp;
  int sourcePort = 0, destinationPort = 0;  // TCP and UDP
  int icmpType = 0, icmpCode = 0;           // ICMP
};

/// What the rules of one node say of a packet that begins something.
enum class Verdict {
  Denied,
  Tracked,   // by a stateful rule: what answers it may pass
  Untracked  // by a stateless rule, which wins over a stateful one: what answers it needs a rule of its own
};

[[nodiscard]] bool matches(const SecurityRule& rule, const Packet& packet);
[[nodiscard]] Verdict evaluateRules(const std::vector<SecurityRule>& rules, Direction direction,
                                    const Packet& packet);
/// Whether the first packet arrives and its answer comes back. An echo request is answered by an echo reply.
[[nodiscard]] bool mayTalk(const std::vector<SecurityRule>& senderRules,
                           const std::vector<SecurityRule>& receiverRules, const Packet& first);

/// A question about two sets of addresses: may every address of `from` open a connection from every source
/// port of `sourcePorts` to every port of `ports` at every address of `to`, and be answered?
struct ReachQuestion {
  Cidr from, to;
  int protocol = kTcp;  // kTcp or kUdp
  PortRange ports;
  PortRange sourcePorts{32768, 60999};  // what Linux hands out
};

struct Reach {
  bool open = false;
  std::string because;  // when closed: which packets do not pass, with an example
};

/// Exact: what is asked is a box of addresses and ports, each rule is one, and the question is whether the
/// union of the rules' boxes covers it on each of the ways that packets take.
[[nodiscard]] Reach findReach(const std::vector<SecurityRule>& senderRules,
                              const std::vector<SecurityRule>& receiverRules, const ReachQuestion& question);

}  // namespace lockstep::rehearsal
