// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/network/service/seed_network.h"

#include "rehearsal/network/rules/security_rules.h"
#include "rehearsal/network/service/network_resources.h"
#include "rehearsal/state/well_known.h"

namespace lockstep::rehearsal {
namespace {

using nlohmann::json;

constexpr const char* kName = "lockstep";
constexpr const char* kVcnBlock = "10.0.0.0/16";
constexpr const char* kSubnetBlock = "10.0.0.0/24";

Resource seeded(const char* kind, const std::string& id, const std::string& vcn, const std::string& name,
                TimePoint now) {
  Resource r = freshResource(kind, seed::kCompartment, vcn, name, toMillis(now));
  r.id = id;
  r.body["id"] = id;
  return r;
}

std::string wellKnown(const char* kind) {
  return std::string("ocid1.") + kind + ".oc1.rehearsal.aaaaaaaalockstep";
}

void addVcn(Transaction& transaction, TimePoint now) {
  Resource vcn = seeded(kind::kVcn, seed::kVcn, "", kName, now);
  vcn.body["cidrBlock"] = kVcnBlock;
  vcn.body["cidrBlocks"] = {kVcnBlock};
  vcn.body["ipv6CidrBlocks"] = json::array();
  vcn.body["dnsLabel"] = kName;
  vcn.body["vcnDomainName"] = "lockstep.oraclevcn.com";
  addDefaults(transaction, vcn);
  insertResource(transaction, vcn);
}

json rule(const json& sent, Direction direction) {
  return checkRule(sent, direction, RuleHome::SecurityList, "rule")->shown;
}

void addRules(Transaction& transaction, TimePoint now) {
  Resource list = seeded(kind::kSecurityList, wellKnown(kind::kSecurityList), seed::kVcn, kName, now);
  list.body["ingressSecurityRules"] = {
      rule({{"source", kSubnetBlock}, {"protocol", "6"}, {"description", "between the nodes of a cluster"}},
           Direction::Ingress),
      rule({{"source", kVcnBlock}, {"protocol", "1"}, {"icmpOptions", {{"type", 3}}}}, Direction::Ingress)};
  list.body["egressSecurityRules"] = {
      rule({{"destination", "0.0.0.0/0"}, {"protocol", "all"}}, Direction::Egress)};
  insertResource(transaction, list);
}

void addRoutes(Transaction& transaction, TimePoint now) {
  const CloudService& all = cloudServices().front();
  Resource gateway = seeded(kind::kServiceGateway, wellKnown(kind::kServiceGateway), seed::kVcn, kName, now);
  gateway.body["blockTraffic"] = false;
  gateway.body["routeTableId"] = nullptr;
  gateway.body["services"] = {{{"serviceId", all.id}, {"serviceName", all.name}}};
  insertResource(transaction, gateway);
  Resource table = seeded(kind::kRouteTable, wellKnown(kind::kRouteTable), seed::kVcn, kName, now);
  table.body["routeRules"] = {{{"destination", all.label},
                               {"destinationType", "SERVICE_CIDR_BLOCK"},
                               {"networkEntityId", gateway.id},
                               {"description", "to Object Storage and the other services"},
                               {"routeType", "STATIC"},
                               {"cidrBlock", nullptr}}};
  insertResource(transaction, table);
}

void addSubnet(Transaction& transaction, TimePoint now) {
  const auto vcn = findResource(transaction, kind::kVcn, seed::kVcn);
  Resource subnet = seeded(kind::kSubnet, seed::kSubnet, seed::kVcn, kName, now);
  subnet.body.update(json{{"cidrBlock", kSubnetBlock},
                          {"ipv4CidrBlocks", {kSubnetBlock}},
                          {"dnsLabel", kName},
                          {"subnetDomainName", "lockstep.lockstep.oraclevcn.com"},
                          {"routeTableId", wellKnown(kind::kRouteTable)},
                          {"securityListIds", {wellKnown(kind::kSecurityList)}},
                          {"dhcpOptionsId", vcn->body["defaultDhcpOptionsId"]},
                          {"availabilityDomain", nullptr},
                          {"prohibitPublicIpOnVnic", true},
                          {"prohibitInternetIngress", true},
                          {"virtualRouterIp", "10.0.0.1"},
                          {"virtualRouterMac", "00:00:17:00:00:01"}});
  insertResource(transaction, subnet);
}

}  // namespace

void seedNetwork(Transaction& transaction, TimePoint now) {
  if (!findResource(transaction, kind::kCompartment, seed::kCompartment)) return;
  auto& begin = transaction.sql("INSERT OR IGNORE INTO settings(name, value) VALUES('network.seeded', '1')");
  if (begin.exec() == 0) return;
  for (const char* id : {seed::kSubnet, seed::kVcn}) removeResource(transaction, id);
  addVcn(transaction, now);
  addRules(transaction, now);
  addRoutes(transaction, now);
  addSubnet(transaction, now);
}

}  // namespace lockstep::rehearsal
