// SPDX-License-Identifier: GPL-3.0-or-later
#include "reach/storage_route.h"

#include <fmt/format.h>

#include <algorithm>

#include "reach/reach.h"

namespace lockstep {
namespace {

using State = StorageRoute::State;

constexpr const char* kKindNames[] = {"internet gateway", "NAT gateway", "service gateway"};

const oci::Gateway* find(const std::vector<oci::Gateway>& gateways, const std::string& id) {
  const auto found =
      std::find_if(gateways.begin(), gateways.end(), [&](const oci::Gateway& one) { return one.id == id; });
  return found == gateways.end() ? nullptr : &*found;
}

bool toStorageService(const oci::RouteRule& rule) {
  return rule.destinationType == "SERVICE_CIDR_BLOCK" && meansObjectStorage(rule.destination);
}

bool toEveryAddress(const oci::RouteRule& rule) {
  const auto block = parseIpv4Block(rule.destination);
  return rule.destinationType != "SERVICE_CIDR_BLOCK" && block && *block == kEveryAddress;
}

StorageRoute through(const oci::RouteRule& rule, const oci::Gateway& gateway) {
  const std::string way =
      fmt::format("through the {} '{}' (route to {})", kKindNames[static_cast<std::size_t>(gateway.kind)],
                  gateway.displayName, rule.destination);
  const std::string label = toStorageService(rule) ? rule.destination : "";
  if (!gateway.isOpen) return {State::Closed, label, way + ", which is turned off"};
  if (gateway.kind == oci::Gateway::Kind::Internet)
    return {State::Closed, label, way + ", which needs a public address, and nodes of job runs have none"};
  return {State::Open, label, way};
}

StorageRoute routeBy(const oci::RouteRule& rule, const std::vector<oci::Gateway>& gateways) {
  if (const oci::Gateway* gateway = find(gateways, rule.networkEntityId)) return through(rule, *gateway);
  return {State::Unknown, toStorageService(rule) ? rule.destination : "",
          fmt::format("through {} (route to {}), which is no gateway that can be seen with this profile",
                      rule.networkEntityId, rule.destination)};
}

}  // namespace

StorageRoute storageRouteOf(const oci::RouteTable& table, const std::vector<oci::Gateway>& gateways) {
  for (const auto matches : {toStorageService, toEveryAddress}) {
    const auto rule = std::find_if(table.routeRules.begin(), table.routeRules.end(), matches);
    if (rule != table.routeRules.end()) return routeBy(*rule, gateways);
  }
  return {State::Closed,
          {},
          fmt::format("the route table '{}' has no route to Object Storage ({} routes)", table.displayName,
                      table.routeRules.size())};
}

}  // namespace lockstep
