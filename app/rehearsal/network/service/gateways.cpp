// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>

#include "rehearsal/network/rules/cidr.h"
#include "rehearsal/network/service/network_resources.h"

namespace lockstep::rehearsal {
namespace {

using nlohmann::json;

// A VCN has one gateway of each kind (the service's default limits).
std::optional<ServiceError> refuseSecond(const Change& change, const char* kind, const char* name) {
  if (resourcesOfParent(change.transaction, kind, change.resource.parent).empty()) return std::nullopt;
  return refuse(400, "LimitExceeded",
                fmt::format("The limit of 1 {} per VCN is reached in {}.", name, change.resource.parent))
      .value();
}

std::optional<ServiceError> deleteGateway(Transaction& transaction, const Resource& gateway) {
  return refuseIfUsed(transaction, gateway, kind::kRouteTable, [&](const Resource& table) {
    const json& rules = table.body["routeRules"];
    return std::any_of(rules.begin(), rules.end(),
                       [&](const json& rule) { return rule["networkEntityId"] == gateway.id; });
  });
}

// A flag that is taken over when it was sent.
void readFlag(const Change& change, const char* key) {
  if (const auto flag = change.body.optionalFlag(key)) change.resource.body[key] = *flag;
}

std::optional<ServiceError> createInternet(const Change& change) {
  if (!change.body.has("isEnabled")) return missingParameter("isEnabled").value();
  readFlag(change, "isEnabled");
  return refuseSecond(change, kind::kInternetGateway, "internet gateway");
}

std::optional<ServiceError> createNat(const Change& change) {
  change.resource.body["blockTraffic"] = false;
  readFlag(change, "blockTraffic");
  // A documentation address: nothing of this region is ever sent there.
  change.resource.body["natIp"] = fmt::format("198.51.100.{}", 1 + change.resource.created % 250);
  return refuseSecond(change, kind::kNatGateway, "NAT gateway");
}

std::optional<ServiceError> readServices(const Change& change) {
  readFlag(change, "blockTraffic");
  if (!change.body.has("services")) return std::nullopt;
  const json& sent = change.body.json()["services"];
  if (!sent.is_array()) return invalidParameter("The parameter 'services' must be an array.").value();
  json services = json::array();
  for (std::size_t i = 0; i < sent.size(); ++i) {
    const std::string field = fmt::format("services[{}].serviceId", i);
    const auto id = sent[i].is_object() ? sent[i].find("serviceId") : sent[i].end();
    if (!sent[i].is_object() || id == sent[i].end() || !id->is_string())
      return missingParameter(field).value();
    const auto& all = cloudServices();
    const auto known = std::find_if(all.begin(), all.end(), [&](const auto& s) { return *id == s.id; });
    if (known == all.end())
      return invalidParameter("The parameter '" + field + "' is '" + id->get<std::string>() +
                              "', which is not a service of this region.")
          .value();
    services.push_back({{"serviceId", known->id}, {"serviceName", known->name}});
  }
  change.resource.body["services"] = std::move(services);
  return std::nullopt;
}

std::optional<ServiceError> createService(const Change& change) {
  if (!change.body.has("services")) return missingParameter("services").value();
  change.resource.body["blockTraffic"] = false;
  change.resource.body["routeTableId"] = nullptr;
  if (auto error = readServices(change)) return error;
  return refuseSecond(change, kind::kServiceGateway, "service gateway");
}

ChangeStep changeFlag(const char* key) {
  return [key](const Change& change) -> std::optional<ServiceError> {
    readFlag(change, key);
    return std::nullopt;
  };
}

}  // namespace

ResourceKind internetGatewayKind() {
  return {kind::kInternetGateway, "/20160918/internetGateways",
          "InternetGateway",      "InternetGateways",
          "internetgateway",      true,
          createInternet,         changeFlag("isEnabled"),
          deleteGateway};
}

ResourceKind natGatewayKind() {
  return {kind::kNatGateway, "/20160918/natGateways",    "NatGateway", "NatGateways", "natgateway", true,
          createNat,         changeFlag("blockTraffic"), deleteGateway};
}

ResourceKind serviceGatewayKind() {
  return {kind::kServiceGateway, "/20160918/serviceGateways",
          "ServiceGateway",      "ServiceGateways",
          "servicegateway",      true,
          createService,         readServices,
          deleteGateway};
}

}  // namespace lockstep::rehearsal
