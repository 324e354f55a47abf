// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/network/rules/packet_verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>

namespace lockstep::rehearsal {
namespace {

constexpr int kEchoResponse = 0;
constexpr int kEchoRequest = 8;

Packet answerTo(const Packet& packet) {
  Packet answer = packet;
  std::swap(answer.source, answer.destination);
  std::swap(answer.sourcePort, answer.destinationPort);
  if (packet.protocol == kIcmp && packet.icmpType == kEchoRequest) answer.icmpType = kEchoResponse;
  return answer;
}

Direction opposite(Direction direction) {
  return direction == Direction::Ingress ? Direction::Egress : Direction::Ingress;
}

// A box of packets: the addresses of the peer, and the ports.
struct Interval {
  std::int64_t low = 0, high = 0;
  [[nodiscard]] bool empty() const { return low > high; }
};
enum Side { kPeer, kDestinationPort, kSourcePort, kSides };
using Box = std::array<Interval, kSides>;

bool isEmpty(const Box& box) {
  return std::any_of(box.begin(), box.end(), [](const Interval& side) { return side.empty(); });
}

Box meet(const Box& a, const Box& b) {
  Box both;
  for (std::size_t i = 0; i < kSides; ++i)
    both[i] = {std::max(a[i].low, b[i].low), std::min(a[i].high, b[i].high)};
  return both;
}

// What of `box` lies outside `hole`: at most two slices a side.
void cutOut(const Box& box, const Box& hole, std::vector<Box>& left) {
  if (isEmpty(meet(box, hole))) {
    left.push_back(box);
    return;
  }
  Box rest = box;
  for (std::size_t i = 0; i < kSides; ++i) {
    Box below = rest, above = rest;
    below[i].high = std::min(rest[i].high, hole[i].low - 1);
    above[i].low = std::max(rest[i].low, hole[i].high + 1);
    for (const Box& slice : {below, above})
      if (!isEmpty(slice)) left.push_back(slice);
    rest[i] = {std::max(rest[i].low, hole[i].low), std::min(rest[i].high, hole[i].high)};
  }
}

std::vector<Box> boxesOf(const std::vector<SecurityRule>& rules, Direction direction, int protocol,
                         bool onlyStateless) {
  std::vector<Box> boxes;
  for (const SecurityRule& rule : rules) {
    if (rule.direction != direction || (onlyStateless && !rule.isStateless)) continue;
    if (rule.protocol != kAllProtocols && rule.protocol != protocol) continue;
    for (const Cidr& peer : rule.peers)
      boxes.push_back({Interval{peer.first, peer.last()},
                       Interval{rule.destinationPorts.min, rule.destinationPorts.max},
                       Interval{rule.sourcePorts.min, rule.sourcePorts.max}});
  }
  return boxes;
}

// A part of `asked` that no box covers.
std::optional<Box> findGap(const Box& asked, const std::vector<Box>& boxes) {
  std::vector<Box> left{asked};
  for (const Box& box : boxes) {
    std::vector<Box> next;
    for (const Box& piece : left) cutOut(piece, box, next);
    left = std::move(next);
  }
  if (left.empty()) return std::nullopt;
  return left.front();
}

std::string describeGap(const Box& gap, Direction direction, const char* whose, bool isAnswer) {
  const std::string ports =
      gap[kDestinationPort].low == gap[kDestinationPort].high
          ? fmt::format("port {}", gap[kDestinationPort].low)
          : fmt::format("ports {}-{}", gap[kDestinationPort].low, gap[kDestinationPort].high);
  return fmt::format("no {} rule of the {} lets {} {} {} at {} pass (source port {})",
                     direction == Direction::Ingress ? "ingress" : "egress", whose,
                     isAnswer ? "the answer" : "packets", direction == Direction::Ingress ? "from" : "to",
                     ipv4Text(static_cast<Ipv4>(gap[kPeer].low)), ports, gap[kSourcePort].low);
}

/// One node's side of the question: its rules, and which way the first packet goes there.
struct Party {
  const std::vector<SecurityRule>& rules;
  Direction direction;
  const char* name;
};

std::optional<std::string> findProblem(const Party& party, const Cidr& peers, const ReachQuestion& question) {
  const Box first{Interval{peers.first, peers.last()}, Interval{question.ports.min, question.ports.max},
                  Interval{question.sourcePorts.min, question.sourcePorts.max}};
  const auto all = boxesOf(party.rules, party.direction, question.protocol, false);
  if (const auto gap = findGap(first, all)) return describeGap(*gap, party.direction, party.name, false);
  const Direction back = opposite(party.direction);
  const auto answers = boxesOf(party.rules, back, question.protocol, false);
  for (const Box& untracked : boxesOf(party.rules, party.direction, question.protocol, true)) {
    Box answer = meet(first, untracked);
    if (isEmpty(answer)) continue;
    std::swap(answer[kDestinationPort], answer[kSourcePort]);
    if (const auto gap = findGap(answer, answers))
      return describeGap(*gap, back, party.name, true) +
             "; the first packet passed by a stateless rule, so nothing remembers it";
  }
  return std::nullopt;
}

}  // namespace

bool matches(const SecurityRule& rule, const Packet& packet) {
  if (!rule.hasPeer(rule.direction == Direction::Ingress ? packet.source : packet.destination)) return false;
  if (rule.protocol == kAllProtocols) return true;
  if (rule.protocol != packet.protocol) return false;
  if (packet.protocol == kTcp || packet.protocol == kUdp)
    return rule.destinationPorts.contains(packet.destinationPort) &&
           rule.sourcePorts.contains(packet.sourcePort);
  if (packet.protocol == kIcmp)
    return (rule.icmpType < 0 || rule.icmpType == packet.icmpType) &&
           (rule.icmpCode < 0 || rule.icmpCode == packet.icmpCode);
  return true;
}

Verdict evaluateRules(const std::vector<SecurityRule>& rules, Direction direction, const Packet& packet) {
  Verdict verdict = Verdict::Denied;
  for (const SecurityRule& rule : rules) {
    if (rule.direction != direction || !matches(rule, packet)) continue;
    if (rule.isStateless) return Verdict::Untracked;
    verdict = Verdict::Tracked;
  }
  return verdict;
}

bool mayTalk(const std::vector<SecurityRule>& senderRules, const std::vector<SecurityRule>& receiverRules,
             const Packet& first) {
  const Verdict out = evaluateRules(senderRules, Direction::Egress, first);
  const Verdict in = evaluateRules(receiverRules, Direction::Ingress, first);
  if (out == Verdict::Denied || in == Verdict::Denied) return false;
  const Packet answer = answerTo(first);
  if (in == Verdict::Untracked && evaluateRules(receiverRules, Direction::Egress, answer) == Verdict::Denied)
    return false;
  return out == Verdict::Tracked || evaluateRules(senderRules, Direction::Ingress, answer) != Verdict::Denied;
}

Reach findReach(const std::vector<SecurityRule>& senderRules, const std::vector<SecurityRule>& receiverRules,
                const ReachQuestion& question) {
  if (const auto problem = findProblem({senderRules, Direction::Egress, "sender"}, question.to, question))
    return {false, *problem};
  if (const auto problem =
          findProblem({receiverRules, Direction::Ingress, "receiver"}, question.from, question))
    return {false, *problem};
  return {true, {}};
}

}  // namespace lockstep::rehearsal
