// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>

#include "base/json_fields.h"
#include "rehearsal/network/rules/cidr.h"
#include "rehearsal/network/service/network_resources.h"

namespace lockstep::rehearsal {
namespace {

using nlohmann::json;

std::optional<ServiceError> bad(const std::string& field, const std::string& why) {
  return invalidParameter("The parameter '" + field + "' " + why).value();
}

const char* kindOfEntity(Transaction& transaction, const std::string& id) {
  for (const char* kind :
       {kind::kInternetGateway, kind::kNatGateway, kind::kServiceGateway, kind::kPrivateIp})
    if (findResource(transaction, kind, id)) return kind;
  return nullptr;
}

std::optional<ServiceError> readRoute(const Change& change, const json& sent, const std::string& field,
                                      json& shown) {
  if (!sent.is_object()) return bad(field, "must be an object.");
  const std::string entity = stringField(sent, "networkEntityId");
  const std::string destination =
      sent.contains("destination") ? stringField(sent, "destination") : stringField(sent, "cidrBlock");
  const std::string type = sent.contains("destinationType") && !sent["destinationType"].is_null()
                               ? stringField(sent, "destinationType")
                               : "CIDR_BLOCK";
  if (entity.empty()) return missingParameter(field + ".networkEntityId").value();
  if (destination.empty()) return missingParameter(field + ".destination").value();
  const char* kind = kindOfEntity(change.transaction, entity);
  if (kind == nullptr) return notFound().value();
  if (auto error = checkAttachment(change, kind, entity, field + ".networkEntityId")) return error;
  const bool toServices = std::string(kind) == kind::kServiceGateway;
  const auto& services = cloudServices();
  const bool isService = std::any_of(services.begin(), services.end(),
                                     [&](const CloudService& one) { return destination == one.label; });
  if (type != "CIDR_BLOCK" && type != "SERVICE_CIDR_BLOCK")
    return bad(field + ".destinationType", "must be CIDR_BLOCK or SERVICE_CIDR_BLOCK.");
  if ((type == "SERVICE_CIDR_BLOCK") != toServices)
    return bad(field + ".destinationType", toServices
                                               ? "must be SERVICE_CIDR_BLOCK for a service gateway."
                                               : "can only be SERVICE_CIDR_BLOCK for a service gateway.");
  if (toServices ? !isService : !parseCidr(destination) && !isIpv6Cidr(destination))
    return bad(field + ".destination", "is '" + destination + "', which is not a valid " +
                                           (toServices ? "service CIDR label." : "CIDR block."));
  shown = {{"destination", destination},
           {"destinationType", type},
           {"networkEntityId", entity},
           {"description", stringField(sent, "description").empty() ? json(nullptr) : sent["description"]},
           {"routeType", "STATIC"},
           {"cidrBlock", toServices ? json(nullptr) : json(destination)}};
  return std::nullopt;
}

std::optional<ServiceError> readRoutes(const Change& change) {
  if (!change.body.has("routeRules")) return std::nullopt;
  const json& sent = change.body.json()["routeRules"];
  if (!sent.is_array()) return bad("routeRules", "must be an array.");
  json rules = json::array();
  for (std::size_t i = 0; i < sent.size(); ++i) {
    json shown;
    if (auto error = readRoute(change, sent[i], fmt::format("routeRules[{}]", i), shown)) return error;
    for (const json& other : rules)
      if (other["destination"] == shown["destination"])
        return bad(fmt::format("routeRules[{}].destination", i), "stands in another rule of the table.");
    rules.push_back(std::move(shown));
  }
  change.resource.body["routeRules"] = std::move(rules);
  return std::nullopt;
}

std::optional<ServiceError> deleteTable(Transaction& transaction, const Resource& table) {
  const auto vcn = findResource(transaction, kind::kVcn, table.parent);
  if (vcn && vcn->body.value("defaultRouteTableId", "") == table.id)
    return refuse(409, "Conflict", "The default route table of a VCN cannot be deleted: " + table.id).value();
  return refuseIfUsed(transaction, table, kind::kSubnet, [&](const Resource& subnet) {
    return stringField(subnet.body, "routeTableId") == table.id;
  });
}

std::optional<ServiceError> deleteOptions(Transaction& transaction, const Resource& options) {
  const auto vcn = findResource(transaction, kind::kVcn, options.parent);
  if (vcn && vcn->body.value("defaultDhcpOptionsId", "") == options.id)
    return refuse(409, "Conflict", "The default DHCP options of a VCN cannot be deleted: " + options.id)
        .value();
  return refuseIfUsed(transaction, options, kind::kSubnet, [&](const Resource& subnet) {
    return stringField(subnet.body, "dhcpOptionsId") == options.id;
  });
}

}  // namespace

ResourceKind routeTableKind() {
  const auto create = [](const Change& change) -> std::optional<ServiceError> {
    if (!change.body.has("routeRules")) return missingParameter("routeRules").value();
    return readRoutes(change);
  };
  return {kind::kRouteTable,
          "/20160918/routeTables",
          "RouteTable",
          "RouteTables",
          "routetable",
          true,
          create,
          readRoutes,
          deleteTable};
}

ResourceKind dhcpOptionsKind() {
  return {kind::kDhcpOptions,
          "/20160918/dhcps",
          "DhcpOptions",
          "DhcpOptions",
          "dhcpoptions",
          true,
          nullptr,
          nullptr,
          deleteOptions};
}

}  // namespace lockstep::rehearsal
