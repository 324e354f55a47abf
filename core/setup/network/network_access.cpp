// SPDX-License-Identifier: GPL-3.0-or-later
#include "setup/network/network_verdict.h"

#include <fmt/format.h>

namespace lockstep {
namespace {

constexpr int kHttps = 443;
constexpr const char* kStorageName = "Object Storage";

StepState stateOf(const PortRow& row, const PortVerdict& verdict) {
  if (verdict.closed.empty()) return StepState::Ready;
  if (!row.isSure) return StepState::Warning;
  const bool enoughAreFree = row.isAnyFree && (verdict.closed & ephemeralPorts()).empty();
  return enoughAreFree ? StepState::Warning : StepState::Blocked;
}

StorageVerdict evaluateStorage(const NetworkView& view, const RuleBook& rules) {
  StorageVerdict verdict;
  if (view.routes) {
    verdict.route = storageRouteOf(*view.routes, view.gateways);
  } else {
    verdict.route.state = StorageRoute::State::Unknown;
    verdict.route.text = "by a route table that cannot be read: " + view.routes.error().what;
  }
  verdict.rule = evaluatePorts(rules, RuleDirection::Egress, Peer::objectStorage(), kStorageName,
                               PortSet::of(kHttps, kHttps));
  const bool onlyPart = verdict.rule.why == ClosedBecause::PartOfAddresses;
  if (verdict.route.state == StorageRoute::State::Closed || (!verdict.rule.closed.empty() && !onlyPart))
    verdict.state = StepState::Blocked;
  else if (verdict.route.state == StorageRoute::State::Unknown || onlyPart)
    verdict.state = StepState::Warning;
  return verdict;
}

const char* wordFor(const PortVerdict& verdict) {
  switch (verdict.why) {
    case ClosedBecause::Open:
      return "open";
    case ClosedBecause::PartOfAddresses:
      return "for some nodes only";
    case ClosedBecause::NoReturn:
      return "no way back";
    default:
      return "closed";
  }
}

ReportTable::Cell cellOf(const PortRow& row, const PortVerdict& verdict, StepState state) {
  std::string text = wordFor(verdict);
  if (!verdict.closed.empty() && verdict.closed != row.ports) text += ": " + verdict.closed.toString();
  return {text, state, verdict.closed.empty() ? verdict.deciding : verdict.because};
}

std::vector<ReportTable::Cell> storageRow(const StorageVerdict& storage) {
  ReportTable::Cell cell{storage.state == StepState::Ready ? "open" : "closed", storage.state,
                         storage.route.text + "; " +
                             (storage.rule.closed.empty() ? storage.rule.deciding : storage.rule.because)};
  if (storage.state == StepState::Warning) cell.text = "cannot tell";
  return {{"443"}, {kStorageName}, {"-"}, std::move(cell)};
}

}  // namespace

PortSet NetworkVerdict::closed() const {
  PortSet all;
  for (const RowVerdict& row : rows) all = all | row.in.closed | row.out.closed;
  return all;
}

NetworkVerdict evaluateNetwork(const NetworkView& view, const NetworkNeeds& needs) {
  NetworkVerdict verdict;
  verdict.block = parseIpv4Block(view.subnet.cidrBlock).value_or(Ipv4Range());
  verdict.rules = rulesOf(view.lists);
  const Peer peer = Peer::at(verdict.block);
  for (const PortRow& row : needs.rows) {
    RowVerdict one;
    one.in = evaluatePorts(verdict.rules, RuleDirection::Ingress, peer, view.subnet.cidrBlock, row.ports);
    one.out = evaluatePorts(verdict.rules, RuleDirection::Egress, peer, view.subnet.cidrBlock, row.ports);
    one.inState = stateOf(row, one.in);
    one.outState = stateOf(row, one.out);
    verdict.rows.push_back(std::move(one));
  }
  verdict.storage = evaluateStorage(view, verdict.rules);
  return verdict;
}

ReportTable portTable(const NetworkView& view, const NetworkNeeds& needs, const NetworkVerdict& verdict) {
  ReportTable table{
      fmt::format("TCP between the nodes of {} ({})", view.subnet.displayName, view.subnet.cidrBlock),
      {"port", "for", "into a node", "out of a node"},
      {}};
  for (std::size_t i = 0; i < needs.rows.size(); ++i) {
    const PortRow& row = needs.rows[i];
    const RowVerdict& one = verdict.rows[i];
    table.rows.push_back(
        {{row.name}, {row.purpose}, cellOf(row, one.in, one.inState), cellOf(row, one.out, one.outState)});
  }
  table.rows.push_back(storageRow(verdict.storage));
  return table;
}

}  // namespace lockstep
