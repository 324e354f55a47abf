// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include "rehearsal/network/rules/cidr.h"
#include "rehearsal/network/rules/security_rules.h"
#include "rehearsal/network/service/network_resources.h"

namespace lockstep::rehearsal {
namespace {

using nlohmann::json;

// Blocks of /16 to /30 that do not overlap.
std::vector<std::string> readBlocks(BodyReader& body) {
  std::vector<std::string> texts = body.textList("cidrBlocks");
  if (const auto one = body.optionalText("cidrBlock")) {
    if (!texts.empty()) body.invalid("cidrBlock", "cannot be given together with cidrBlocks");
    texts = {*one};
  }
  if (texts.empty()) body.missing("cidrBlocks");
  std::vector<Cidr> blocks;
  for (const std::string& text : texts) {
    const auto block = parseCidr(text);
    if (!block || block->bits < 16 || block->bits > 30) {
      body.invalid("cidrBlocks", "has '" + text + "', which is not a CIDR block of /16 to /30");
      continue;
    }
    for (const Cidr& other : blocks)
      if (other.overlaps(*block)) body.invalid("cidrBlocks", "has blocks that overlap");
    blocks.push_back(*block);
  }
  return texts;
}

std::optional<ServiceError> createVcn(const Change& change) {
  const std::vector<std::string> blocks = readBlocks(change.body);
  const auto label = readDnsLabel(change.body);
  if (change.body.error()) return change.body.error();
  json& body = change.resource.body;
  body["cidrBlock"] = blocks.front();
  body["cidrBlocks"] = blocks;
  body["ipv6CidrBlocks"] = json::array();
  body["dnsLabel"] = label ? json(*label) : json(nullptr);
  body["vcnDomainName"] = label ? json(*label + ".oraclevcn.com") : json(nullptr);
  addDefaults(change.transaction, change.resource);
  return std::nullopt;
}

bool isDefault(const Resource& vcn, const Resource& child) {
  for (const char* key : {"defaultSecurityListId", "defaultRouteTableId", "defaultDhcpOptionsId"})
    if (vcn.body.value(key, "") == child.id) return true;
  return false;
}

std::optional<ServiceError> deleteVcn(Transaction& transaction, const Resource& vcn) {
  std::vector<Resource> defaults;
  for (const char* kind :
       {kind::kSubnet, kind::kInternetGateway, kind::kNatGateway, kind::kServiceGateway, kind::kSecurityGroup,
        kind::kSecurityList, kind::kRouteTable, kind::kDhcpOptions}) {
    for (Resource& child : resourcesOfParent(transaction, kind, vcn.id)) {
      if (!isDefault(vcn, child))
        return refuse(
                   409, "Conflict",
                   fmt::format("{} is referenced by {}. You must remove the reference to proceed with this "
                               "operation.",
                               vcn.id, child.id))
            .value();
      defaults.push_back(std::move(child));
    }
  }
  for (const Resource& child : defaults) removeResource(transaction, child.id);
  return std::nullopt;
}

json ingress(const std::string& source, const std::string& protocol, json more) {
  more["source"] = source;
  more["protocol"] = protocol;
  return checkRule(more, Direction::Ingress, RuleHome::SecurityList, "rule")->shown;
}

// The rules that the service gives a fresh VCN's list: ssh from anywhere, ICMP of path discovery, and
// everything out.
void fillDefaultRules(Resource& list, const std::string& block) {
  list.body["ingressSecurityRules"] = {
      ingress("0.0.0.0/0", "6", {{"tcpOptions", {{"destinationPortRange", {{"min", 22}, {"max", 22}}}}}}),
      ingress("0.0.0.0/0", "1", {{"icmpOptions", {{"type", 3}, {"code", 4}}}}),
      ingress(block, "1", {{"icmpOptions", {{"type", 3}}}})};
  const json everything{{"destination", "0.0.0.0/0"}, {"protocol", "all"}};
  list.body["egressSecurityRules"] = {
      checkRule(everything, Direction::Egress, RuleHome::SecurityList, "rule")->shown};
}

}  // namespace

void addDefaults(Transaction& transaction, Resource& vcn) {
  const auto fresh = [&](const char* kind, const std::string& what) {
    return freshResource(kind, vcn.compartment, vcn.id, "Default " + what + " for " + vcn.name, vcn.created);
  };
  Resource list = fresh(kind::kSecurityList, "Security List");
  fillDefaultRules(list, vcn.body["cidrBlock"]);
  Resource table = fresh(kind::kRouteTable, "Route Table");
  table.body["routeRules"] = json::array();
  Resource options = fresh(kind::kDhcpOptions, "DHCP Options");
  options.body["domainNameType"] = "SUBNET_DOMAIN";
  json search = json::array();
  if (vcn.body["vcnDomainName"].is_string()) search.push_back(vcn.body["vcnDomainName"]);
  options.body["options"] = {{{"type", "DomainNameServer"},
                              {"serverType", "VcnLocalPlusInternet"},
                              {"customDnsServers", json::array()}}};
  if (!search.empty())
    options.body["options"].push_back({{"type", "SearchDomain"}, {"searchDomainNames", search}});
  vcn.body["defaultSecurityListId"] = list.id;
  vcn.body["defaultRouteTableId"] = table.id;
  vcn.body["defaultDhcpOptionsId"] = options.id;
  for (const Resource* one : {&list, &table, &options}) insertResource(transaction, *one);
}

ResourceKind vcnKind() {
  return {kind::kVcn, "/20160918/vcns",
          "Vcn",      "Vcns",
          "vcn",      false,
          createVcn,  [](const Change&) -> std::optional<ServiceError> { return std::nullopt; },
          deleteVcn};
}

}  // namespace lockstep::rehearsal
