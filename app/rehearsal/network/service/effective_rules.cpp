// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/network/service/effective_rules.h"

#include <algorithm>

#include "rehearsal/network/service/network_resources.h"

namespace lockstep::rehearsal {
namespace {

using nlohmann::json;

constexpr int kHttps = 443;

void addRules(const json& rules, const std::optional<Direction>& direction, RuleHome home,
              std::vector<SecurityRule>& into) {
  if (!rules.is_array()) return;
  for (const json& shown : rules) {
    const auto way =
        direction ? tl::expected<Direction, ServiceError>(*direction) : directionOf(shown, "rule");
    if (!way) continue;  // was checked when it was written
    if (auto checked = checkRule(shown, *way, home, "rule")) into.push_back(std::move(checked->rule));
  }
}

void fillGroupPeers(Transaction& transaction, std::vector<SecurityRule>& rules) {
  const bool any = std::any_of(rules.begin(), rules.end(), [](const auto& r) { return !r.group.empty(); });
  if (!any) return;
  const std::vector<AddressLease> leases = allLeases(transaction);
  for (SecurityRule& rule : rules)
    for (const AddressLease& lease : leases)
      if (std::find(lease.groups.begin(), lease.groups.end(), rule.group) != lease.groups.end())
        rule.peers.push_back({lease.address, 32});
}

std::string labelOf(const std::string& serviceId) {
  for (const CloudService& service : cloudServices())
    if (serviceId == service.id) return service.label;
  return {};
}

bool leads(Transaction& transaction, const json& route) {
  const std::string entity = route.value("networkEntityId", "");
  const std::string target = route.value("destination", "");
  if (route.value("destinationType", "CIDR_BLOCK") == "SERVICE_CIDR_BLOCK") {
    const auto gateway = findResource(transaction, kind::kServiceGateway, entity);
    if (!gateway || gateway->body.value("blockTraffic", false)) return false;
    const json& services = gateway->body["services"];
    return std::any_of(services.begin(), services.end(),
                       [&](const json& one) { return labelOf(one.value("serviceId", "")) == target; });
  }
  const auto block = parseCidr(target);
  if (!block || !block->contains(kServicesBlock)) return false;
  const auto nat = findResource(transaction, kind::kNatGateway, entity);
  return nat && !nat->body.value("blockTraffic", false);
}

std::vector<SecurityRule> everythingWithin(const Cidr& block) {
  std::vector<SecurityRule> rules(2);
  rules[0].direction = Direction::Ingress;
  rules[0].peers = {block};
  rules[1].direction = Direction::Egress;
  rules[1].peers = {block};
  return rules;
}

}  // namespace

std::vector<SecurityRule> rulesOfSubnet(Transaction& transaction, const Resource& subnet,
                                        const std::vector<std::string>& groups) {
  std::vector<SecurityRule> rules;
  for (const json& id : subnet.body.value("securityListIds", json::array())) {
    const auto list = findResource(transaction, kind::kSecurityList, id.get<std::string>());
    if (!list) continue;
    addRules(list->body["ingressSecurityRules"], Direction::Ingress, RuleHome::SecurityList, rules);
    addRules(list->body["egressSecurityRules"], Direction::Egress, RuleHome::SecurityList, rules);
  }
  for (const std::string& id : groups)
    if (const auto group = findResource(transaction, kind::kSecurityGroup, id))
      addRules(group->hidden.value("rules", json::array()), std::nullopt, RuleHome::Group, rules);
  fillGroupPeers(transaction, rules);
  return rules;
}

bool routesLeadToServices(Transaction& transaction, const Resource& subnet) {
  const auto table = findResource(transaction, kind::kRouteTable, subnet.body.value("routeTableId", ""));
  if (!table) return false;
  const json& routes = table->body["routeRules"];
  return std::any_of(routes.begin(), routes.end(),
                     [&](const json& route) { return leads(transaction, route); });
}

bool rulesAllowServices(const std::vector<SecurityRule>& rules, const Cidr& node) {
  return findReach(rules, everythingWithin(Cidr{}), {node, kServicesBlock, kTcp, {kHttps, kHttps}}).open;
}

NodeRules rulesOfLease(Transaction& transaction, const AddressLease& lease, std::vector<int> servicePorts) {
  if (lease.subnet.empty()) return {everythingWithin(kDefaultBlock), true, std::move(servicePorts)};
  const auto subnet = findResource(transaction, kind::kSubnet, lease.subnet);
  if (!subnet) return {{}, false, std::move(servicePorts)};
  auto rules = rulesOfSubnet(transaction, *subnet, lease.groups);
  const bool reaches =
      routesLeadToServices(transaction, *subnet) && rulesAllowServices(rules, {lease.address, 32});
  return {std::move(rules), reaches, std::move(servicePorts)};
}

}  // namespace lockstep::rehearsal
