// SPDX-License-Identifier: GPL-3.0-or-later
#include "setup/network/network_access.h"

#include <fmt/format.h>

namespace lockstep {
namespace {

constexpr int kHttps = 443;
constexpr const char* kStorageName = "Object Storage";

StepState stateOf(const PortRow& row, const PortAccess& access) {
  if (access.closed.empty()) return StepState::Ready;
  if (!row.isSure) return StepState::Warning;
  const bool enoughAreFree = row.isAnyFree && (access.closed & ephemeralPorts()).empty();
  return enoughAreFree ? StepState::Warning : StepState::Blocked;
}

StorageAccess evaluateStorage(const NetworkView& view, const RuleBook& rules) {
  StorageAccess access;
  if (view.routes) {
    access.route = storageRouteOf(*view.routes, view.gateways);
  } else {
    access.route.state = StorageRoute::State::Unknown;
    access.route.text = "by a route table that cannot be read: " + view.routes.error().what;
  }
  access.rule = evaluatePorts(rules, RuleDirection::Egress, Peer::objectStorage(), kStorageName,
                              PortSet::of(kHttps, kHttps));
  const bool onlyPart = access.rule.why == ClosedBecause::PartOfAddresses;
  if (access.route.state == StorageRoute::State::Closed || (!access.rule.closed.empty() && !onlyPart))
    access.state = StepState::Blocked;
  else if (access.route.state == StorageRoute::State::Unknown || onlyPart)
    access.state = StepState::Warning;
  return access;
}

const char* wordFor(const PortAccess& access) {
  switch (access.why) {
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

ReportTable::Cell cellOf(const PortRow& row, const PortAccess& access, StepState state) {
  std::string text = wordFor(access);
  if (!access.closed.empty() && access.closed != row.ports) text += ": " + access.closed.toString();
  return {text, state, access.closed.empty() ? access.deciding : access.because};
}

std::vector<ReportTable::Cell> storageRow(const StorageAccess& storage) {
  ReportTable::Cell cell{storage.state == StepState::Ready ? "open" : "closed", storage.state,
                         storage.route.text + "; " +
                             (storage.rule.closed.empty() ? storage.rule.deciding : storage.rule.because)};
  if (storage.state == StepState::Warning) cell.text = "cannot tell";
  return {{"443"}, {kStorageName}, {"-"}, std::move(cell)};
}

}  // namespace

PortSet NetworkAccess::closed() const {
  PortSet all;
  for (const RowAccess& row : rows) all = all | row.in.closed | row.out.closed;
  return all;
}

NetworkAccess evaluateNetwork(const NetworkView& view, const NetworkNeeds& needs) {
  NetworkAccess access;
  access.block = parseIpv4Block(view.subnet.cidrBlock).value_or(Ipv4Range());
  access.rules = rulesOf(view.lists);
  const Peer peer = Peer::at(access.block);
  for (const PortRow& row : needs.rows) {
    RowAccess one;
    one.in = evaluatePorts(access.rules, RuleDirection::Ingress, peer, view.subnet.cidrBlock, row.ports);
    one.out = evaluatePorts(access.rules, RuleDirection::Egress, peer, view.subnet.cidrBlock, row.ports);
    one.inState = stateOf(row, one.in);
    one.outState = stateOf(row, one.out);
    access.rows.push_back(std::move(one));
  }
  access.storage = evaluateStorage(view, access.rules);
  return access;
}

ReportTable portTable(const NetworkView& view, const NetworkNeeds& needs, const NetworkAccess& access) {
  ReportTable table{
      fmt::format("TCP between the nodes of {} ({})", view.subnet.displayName, view.subnet.cidrBlock),
      {"port", "for", "into a node", "out of a node"},
      {}};
  for (std::size_t i = 0; i < needs.rows.size(); ++i) {
    const PortRow& row = needs.rows[i];
    const RowAccess& one = access.rows[i];
    table.rows.push_back(
        {{row.name}, {row.purpose}, cellOf(row, one.in, one.inState), cellOf(row, one.out, one.outState)});
  }
  table.rows.push_back(storageRow(access.storage));
  return table;
}

}  // namespace lockstep
