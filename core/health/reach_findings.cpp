// SPDX-License-Identifier: GPL-3.0-or-later
#include "health/reach_findings.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "base/json_fields.h"
#include "base/outside_json.h"

namespace lockstep {
namespace {

using Json = nlohmann::json;

constexpr int kMaxPort = 65535;
constexpr std::size_t kMaxLinks = 4 * kMaxNodes;  // of one node

std::optional<ReachLink> linkFrom(const Json& entry) {
  if (!entry.is_object()) return std::nullopt;
  const auto node = outsideNumber(entry, "node", 0, kMaxNodes - 1);
  const auto reached = entry.find("reached");
  if (!node || reached == entry.end() || !reached->is_boolean()) return std::nullopt;
  ReachLink link;
  link.node = static_cast<int>(*node);
  link.name = outsideText(entry, "name");
  link.address = outsideText(entry, "address");
  link.port = static_cast<int>(outsideNumber(entry, "port", 1, kMaxPort).value_or(0));
  link.reached = reached->get<bool>();
  link.cause = outsideText(entry, "cause");
  link.ms = numberField(entry, "ms");
  if (link.ms && !(std::isfinite(*link.ms) && *link.ms >= 0)) link.ms.reset();
  return link;
}

void nameNode(std::map<int, ReachNode>& nodes, int node, const std::string& name,
              const std::string& address) {
  ReachNode& known = nodes[node];
  known.node = node;
  if (known.name.empty()) known.name = name;
  if (known.address.empty()) known.address = address;
}

LinkState stateOf(const ReachLink* out, const ReachLink* back) {
  if (out == nullptr) return LinkState::Untested;
  if (back == nullptr) return out->reached ? LinkState::ThisWay : LinkState::NotThisWay;
  if (out->reached) return back->reached ? LinkState::BothWays : LinkState::OnlyThisWay;
  return back->reached ? LinkState::OnlyBack : LinkState::NeitherWay;
}

}  // namespace

Result<NodeFindings> parseNodeFindings(std::string_view text) {
  const auto json = parseOutsideJson(text, kMaxFindingsBytes, "what a node found out about the network");
  if (!json) return failure(json.error());
  const auto node = outsideNumber(*json, "node", 0, kMaxNodes - 1);
  if (!node)
    return failure(ErrorCode::DataLoss, "cannot read what a node found out about the network",
                   "it does not say which node it is of");
  NodeFindings found{
      static_cast<int>(*node),   outsideText(*json, "name"), outsideText(*json, "address"), {}, {},
      outsideTime(*json, "time")};
  std::map<std::pair<int, int>, ReachLink> peers;
  for (const Json& entry : arrayField(*json, "peers"))
    if (auto link = linkFrom(entry); link && link->node != found.node && peers.size() < kMaxLinks) {
      const std::pair place(link->node, link->port);
      peers.emplace(place, *std::move(link));
    }
  for (auto& [key, link] : peers) found.peers.push_back(std::move(link));
  for (const Json& entry : arrayField(*json, "missing")) {
    const auto number = entry.is_number_integer() ? entry.get<std::int64_t>() : -1;
    if (number >= 0 && number < kMaxNodes) found.missing.push_back(static_cast<int>(number));
  }
  std::sort(found.missing.begin(), found.missing.end());
  found.missing.erase(std::unique(found.missing.begin(), found.missing.end()), found.missing.end());
  return found;
}

bool isClosed(LinkState state) {
  return state == LinkState::OnlyBack || state == LinkState::NeitherWay || state == LinkState::NotThisWay;
}

ReachMatrix::ReachMatrix(const std::vector<NodeFindings>& findings) {
  std::map<int, ReachNode> nodes;
  for (const NodeFindings& one : findings) {
    nameNode(nodes, one.node, one.name, one.address);
    nodes[one.node].tookPart = true;
    for (const ReachLink& link : one.peers) nameNode(nodes, link.node, link.name, link.address);
    for (const int missing : one.missing) nameNode(nodes, missing, {}, {});
  }
  for (auto& [number, node] : nodes) nodes_.push_back(std::move(node));
  links_.resize(nodes_.size());
  for (const NodeFindings& one : findings) {
    const auto from = placeOf(one.node);
    for (const ReachLink& link : one.peers)
      if (const auto to = placeOf(link.node); from && to) links_[*from][*to].push_back(link);
  }
}

std::optional<std::size_t> ReachMatrix::placeOf(int node) const {
  const auto found = std::lower_bound(nodes_.begin(), nodes_.end(), node,
                                      [](const ReachNode& one, int wanted) { return one.node < wanted; });
  if (found == nodes_.end() || found->node != node) return std::nullopt;
  return static_cast<std::size_t>(found - nodes_.begin());
}

const ReachLink* ReachMatrix::link(std::size_t from, std::size_t to) const {
  if (from >= nodes_.size() || to >= nodes_.size()) return nullptr;
  const auto known = links_[from].find(to);
  if (known == links_[from].end()) return nullptr;
  const auto& links = known->second;
  const auto closed =
      std::find_if(links.begin(), links.end(), [](const ReachLink& one) { return !one.reached; });
  return closed != links.end() ? &*closed : &links.front();
}

LinkState ReachMatrix::state(std::size_t from, std::size_t to) const {
  return stateOf(link(from, to), link(to, from));
}

std::vector<ReachMatrix::Gap> ReachMatrix::gaps() const {
  std::vector<Gap> found;
  for (std::size_t from = 0; from < nodes_.size(); ++from)
    for (const auto& [to, links] : links_[from])
      for (const ReachLink& link : links)
        if (!link.reached) found.push_back({from, to, state(from, to), link});
  return found;
}

}  // namespace lockstep
