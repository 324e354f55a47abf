// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/network/seed_network.h"

#include "rehearsal/network/network_resources.h"
#include "rehearsal/network/security_rules.h"
#include "rehearsal/state/seed.h"

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

void addVcn(Session& session, TimePoint now) {
  Resource vcn = seeded(kind::kVcn, seed::kVcn, "", kName, now);
  vcn.body["cidrBlock"] = kVcnBlock;
  vcn.body["cidrBlocks"] = {kVcnBlock};
  vcn.body["ipv6CidrBlocks"] = json::array();
  vcn.body["dnsLabel"] = kName;
  vcn.body["vcnDomainName"] = "lockstep.oraclevcn.com";
  addDefaults(session, vcn);
  insertResource(session, vcn);
}

json rule(json sent, Direction direction) {
  return checkRule(sent, direction, RuleHome::SecurityList, "rule")->shown;
}

void addRules(Session& session, TimePoint now) {
  Resource list = seeded(kind::kSecurityList, wellKnown(kind::kSecurityList), seed::kVcn, kName, now);
  list.body["ingressSecurityRules"] = {
      rule({{"source", kSubnetBlock}, {"protocol", "6"}, {"description", "between the nodes of a cluster"}},
           Direction::Ingress),
      rule({{"source", kVcnBlock}, {"protocol", "1"}, {"icmpOptions", {{"type", 3}}}}, Direction::Ingress)};
  list.body["egressSecurityRules"] = {
      rule({{"destination", "0.0.0.0/0"}, {"protocol", "all"}}, Direction::Egress)};
  insertResource(session, list);
}

void addRoutes(Session& session, TimePoint now) {
  const CloudService& all = cloudServices().front();
  Resource gateway = seeded(kind::kServiceGateway, wellKnown(kind::kServiceGateway), seed::kVcn, kName, now);
  gateway.body["blockTraffic"] = false;
  gateway.body["routeTableId"] = nullptr;
  gateway.body["services"] = {{{"serviceId", all.id}, {"serviceName", all.name}}};
  insertResource(session, gateway);
  Resource table = seeded(kind::kRouteTable, wellKnown(kind::kRouteTable), seed::kVcn, kName, now);
  table.body["routeRules"] = {{{"destination", all.label},
                               {"destinationType", "SERVICE_CIDR_BLOCK"},
                               {"networkEntityId", gateway.id},
                               {"description", "to Object Storage and the other services"},
                               {"routeType", "STATIC"},
                               {"cidrBlock", nullptr}}};
  insertResource(session, table);
}

void addSubnet(Session& session, TimePoint now) {
  const auto vcn = findResource(session, kind::kVcn, seed::kVcn);
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
  insertResource(session, subnet);
}

}  // namespace

void seedNetwork(Session& session, TimePoint now) {
  if (!findResource(session, kind::kCompartment, seed::kCompartment)) return;
  auto& begin = session.sql("INSERT OR IGNORE INTO settings(name, value) VALUES('network.seeded', '1')");
  if (begin.exec() == 0) return;
  for (const char* id : {seed::kSubnet, seed::kVcn}) removeResource(session, id);
  addVcn(session, now);
  addRules(session, now);
  addRoutes(session, now);
  addSubnet(session, now);
}

}  // namespace lockstep::rehearsal
