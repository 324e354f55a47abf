// SPDX-License-Identifier: GPL-3.0-or-later
#include "oci/services/network_client.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text/encoding.h"
#include "oci/calls/typed_calls.h"
#include "oci/services/security_rule_json.h"

namespace lockstep::oci {
namespace {

constexpr const char* kPageSize = "1000";
constexpr std::size_t kRulesPerCall = 25;
constexpr int kMergeAttempts = 4;

Vcn readVcn(AnswerFields& f) {
  Vcn vcn{f.text("id"),
          f.textOr("compartmentId"),
          f.textOr("displayName"),
          f.textOr("lifecycleState"),
          f.textOr("dnsLabel"),
          f.texts("cidrBlocks"),
          f.textOr("defaultSecurityListId"),
          f.textOr("defaultRouteTableId")};
  if (const std::string first = f.textOr("cidrBlock"); vcn.cidrBlocks.empty() && !first.empty())
    vcn.cidrBlocks.push_back(first);
  return vcn;
}

Subnet readSubnet(AnswerFields& f) {
  return {f.text("id"),
          f.textOr("compartmentId"),
          f.textOr("vcnId"),
          f.textOr("displayName"),
          f.textOr("lifecycleState"),
          f.textOr("dnsLabel"),
          f.textOr("cidrBlock"),
          f.textOr("availabilityDomain"),
          f.textOr("routeTableId"),
          f.texts("securityListIds"),
          f.flag("prohibitPublicIpOnVnic"),
          {}};
}

SecurityList readSecurityList(AnswerFields& f) {
  return {f.text("id"),
          f.textOr("compartmentId"),
          f.textOr("vcnId"),
          f.textOr("displayName"),
          f.textOr("lifecycleState"),
          f.list("ingressSecurityRules",
                 [](AnswerFields& r) { return readSecurityRule(r, SecurityRule::Direction::Ingress); }),
          f.list("egressSecurityRules",
                 [](AnswerFields& r) { return readSecurityRule(r, SecurityRule::Direction::Egress); }),
          {}};
}

NetworkSecurityGroup readGroup(AnswerFields& f) {
  return {f.text("id"),
          f.textOr("compartmentId"),
          f.textOr("vcnId"),
          f.textOr("displayName"),
          f.textOr("lifecycleState"),
          {}};
}

RouteTable readRouteTable(AnswerFields& f) {
  return {f.text("id"),
          f.textOr("compartmentId"),
          f.textOr("vcnId"),
          f.textOr("displayName"),
          f.textOr("lifecycleState"),
          f.list("routeRules",
                 [](AnswerFields& r) {
                   return RouteRule{r.textOr("destination", r.textOr("cidrBlock")),
                                    r.textOr("destinationType", "CIDR_BLOCK"), r.textOr("networkEntityId")};
                 }),
          {}};
}

Gateway readGateway(AnswerFields& f) {
  return {Gateway::Kind::Internet,
          f.text("id"),
          f.textOr("compartmentId"),
          f.textOr("vcnId"),
          f.textOr("displayName"),
          f.textOr("lifecycleState"),
          f.flag("isEnabled", true) && !f.flag("blockTraffic")};
}

SecurityRule readGroupRule(AnswerFields& f) {
  const bool egress = f.text("direction") == "EGRESS";
  return readSecurityRule(f, egress ? SecurityRule::Direction::Egress : SecurityRule::Direction::Ingress);
}

ServiceCall get(std::string operation, std::string path) {
  return callTo(Service::Core, std::move(operation), "GET", std::move(path));
}

ServiceCall list(std::string operation, const char* things, const std::string& compartmentId,
                 const std::string& vcnId) {
  return get(std::move(operation),
             pathWith(std::string("/20160918/") + things, {{"compartmentId", compartmentId},
                                                           {"vcnId", vcnId},
                                                           {"lifecycleState", "AVAILABLE"},
                                                           {"limit", kPageSize}}));
}

std::string groupPath(const std::string& groupId, const char* rest) {
  return fmt::format("/20160918/networkSecurityGroups/{}/{}", percentEncode(groupId), rest);
}

template <class T>
std::vector<std::vector<T>> portions(const std::vector<T>& all) {
  std::vector<std::vector<T>> result;
  for (std::size_t at = 0; at < all.size(); at += kRulesPerCall) {
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(at);
    result.emplace_back(first, first + static_cast<std::ptrdiff_t>(std::min(kRulesPerCall, all.size() - at)));
  }
  return result;
}

}  // namespace

Result<std::vector<Vcn>> NetworkClient::listVcns(const std::string& compartmentId,
                                                 const std::stop_token& stop) {
  return callForAll(*services_, list("ListVcns", "vcns", compartmentId, {}), stop, &readVcn);
}

Result<Vcn> NetworkClient::getVcn(const std::string& vcnId, const std::stop_token& stop) {
  return callForOne(*services_, get("GetVcn", "/20160918/vcns/" + percentEncode(vcnId)), stop, &readVcn);
}

Result<std::vector<Subnet>> NetworkClient::listSubnets(const std::string& compartmentId,
                                                       const std::stop_token& stop,
                                                       const std::string& vcnId) {
  return callForAll(*services_, list("ListSubnets", "subnets", compartmentId, vcnId), stop, &readSubnet);
}

Result<Subnet> NetworkClient::getSubnet(const std::string& subnetId, const std::stop_token& stop) {
  return callForOne(*services_, get("GetSubnet", "/20160918/subnets/" + percentEncode(subnetId)), stop,
                    &readSubnet);
}

Result<std::vector<SecurityList>> NetworkClient::listSecurityLists(const std::string& compartmentId,
                                                                   const std::stop_token& stop,
                                                                   const std::string& vcnId) {
  return callForAll(*services_, list("ListSecurityLists", "securityLists", compartmentId, vcnId), stop,
                    &readSecurityList);
}

Result<SecurityList> NetworkClient::getSecurityList(const std::string& securityListId,
                                                    const std::stop_token& stop) {
  return callForOne(*services_,
                    get("GetSecurityList", "/20160918/securityLists/" + percentEncode(securityListId)), stop,
                    &readSecurityList);
}

Result<SecurityList> NetworkClient::updateSecurityList(const SecurityList& list,
                                                       const std::stop_token& stop) {
  nlohmann::ordered_json body{{"ingressSecurityRules", nlohmann::ordered_json::array()},
                              {"egressSecurityRules", nlohmann::ordered_json::array()}};
  for (const SecurityRule& rule : list.ingress) body["ingressSecurityRules"].push_back(listRuleJson(rule));
  for (const SecurityRule& rule : list.egress) body["egressSecurityRules"].push_back(listRuleJson(rule));
  return callForOne(*services_,
                    putTo(Service::Core, "UpdateSecurityList",
                          "/20160918/securityLists/" + percentEncode(list.id), body, list.etag),
                    stop, &readSecurityList);
}

Result<SecurityList> NetworkClient::changeSecurityList(const std::string& securityListId,
                                                       const std::function<bool(SecurityList&)>& change,
                                                       const std::stop_token& stop) {
  for (int attempt = 1;; ++attempt) {
    auto list = getSecurityList(securityListId, stop);
    if (!list || !change(*list)) return list;
    auto updated = updateSecurityList(*list, stop);
    const bool changedMeanwhile =
        !updated && updated.error().service && updated.error().service->httpStatus == 412;
    if (!changedMeanwhile || attempt == kMergeAttempts) return updated;
  }
}

Result<std::vector<NetworkSecurityGroup>> NetworkClient::listNetworkSecurityGroups(
    const std::string& compartmentId, const std::stop_token& stop, const std::string& vcnId) {
  return callForAll(*services_,
                    list("ListNetworkSecurityGroups", "networkSecurityGroups", compartmentId, vcnId), stop,
                    &readGroup);
}

Result<NetworkSecurityGroup> NetworkClient::createNetworkSecurityGroup(const std::string& compartmentId,
                                                                       const std::string& vcnId,
                                                                       const std::string& displayName,
                                                                       const std::string& retryToken,
                                                                       const std::stop_token& stop) {
  nlohmann::ordered_json body{{"compartmentId", compartmentId}, {"vcnId", vcnId}};
  if (!displayName.empty()) body["displayName"] = displayName;
  return callForOne(*services_,
                    postTo(Service::Core, "CreateNetworkSecurityGroup", "/20160918/networkSecurityGroups",
                           body, retryToken),
                    stop, &readGroup);
}

Result<std::vector<SecurityRule>> NetworkClient::listRules(const std::string& groupId,
                                                           const std::stop_token& stop) {
  return callForAll(
      *services_,
      get("ListNetworkSecurityGroupSecurityRules", groupPath(groupId, "securityRules?limit=1000")), stop,
      &readGroupRule);
}

Result<std::vector<SecurityRule>> NetworkClient::sendRules(const std::string& groupId, const char* operation,
                                                           const char* action,
                                                           const std::vector<SecurityRule>& rules,
                                                           const std::stop_token& stop) {
  std::vector<SecurityRule> all;
  for (const auto& portion : portions(rules)) {
    nlohmann::ordered_json body{{"securityRules", nlohmann::ordered_json::array()}};
    for (const SecurityRule& rule : portion) body["securityRules"].push_back(groupRuleJson(rule));
    const ServiceCall call = postTo(Service::Core, operation, groupPath(groupId, action), body, {});
    const auto response = services_->call(call, stop);
    if (!response) return failure(response.error());
    const auto done = readAnswer(call, *response, [&](AnswerFields& f) {
      for (SecurityRule& rule : f.list("securityRules", &readGroupRule)) all.push_back(std::move(rule));
    });
    if (!done) return failure(done.error());
  }
  return all;
}

Result<std::vector<SecurityRule>> NetworkClient::addRules(const std::string& groupId,
                                                          const std::vector<SecurityRule>& rules,
                                                          const std::stop_token& stop) {
  return sendRules(groupId, "AddNetworkSecurityGroupSecurityRules", "actions/addSecurityRules", rules, stop);
}

Result<std::vector<SecurityRule>> NetworkClient::updateRules(const std::string& groupId,
                                                             const std::vector<SecurityRule>& rules,
                                                             const std::stop_token& stop) {
  return sendRules(groupId, "UpdateNetworkSecurityGroupSecurityRules", "actions/updateSecurityRules", rules,
                   stop);
}

Result<void> NetworkClient::removeRules(const std::string& groupId, const std::vector<std::string>& ruleIds,
                                        const std::stop_token& stop) {
  for (const auto& portion : portions(ruleIds)) {
    const auto done = services_->call(
        postTo(Service::Core, "RemoveNetworkSecurityGroupSecurityRules",
               groupPath(groupId, "actions/removeSecurityRules"), {{"securityRuleIds", portion}}, {}),
        stop);
    if (!done) return failure(done.error());
  }
  return {};
}

Result<std::vector<RouteTable>> NetworkClient::listRouteTables(const std::string& compartmentId,
                                                               const std::stop_token& stop,
                                                               const std::string& vcnId) {
  return callForAll(*services_, list("ListRouteTables", "routeTables", compartmentId, vcnId), stop,
                    &readRouteTable);
}

Result<RouteTable> NetworkClient::getRouteTable(const std::string& routeTableId,
                                                const std::stop_token& stop) {
  return callForOne(*services_, get("GetRouteTable", "/20160918/routeTables/" + percentEncode(routeTableId)),
                    stop, &readRouteTable);
}

Result<std::vector<Gateway>> NetworkClient::listGateways(Gateway::Kind kind, const std::string& compartmentId,
                                                         const std::stop_token& stop,
                                                         const std::string& vcnId) {
  struct Names {
    const char *operation, *things;
  };
  static constexpr Names kNames[] = {{"ListInternetGateways", "internetGateways"},
                                     {"ListNatGateways", "natGateways"},
                                     {"ListServiceGateways", "serviceGateways"}};
  const Names& names = kNames[static_cast<std::size_t>(kind)];
  auto found =
      callForAll(*services_, list(names.operation, names.things, compartmentId, vcnId), stop, &readGateway);
  if (found) {
    for (Gateway& gateway : *found) gateway.kind = kind;
  }
  return found;
}

}  // namespace lockstep::oci
