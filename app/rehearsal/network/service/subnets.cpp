// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include "rehearsal/network/rules/cidr.h"
#include "rehearsal/network/service/address_leases.h"
#include "rehearsal/network/service/network_resources.h"

namespace lockstep::rehearsal {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxLists = 5;

// A block inside the VCN's that no other subnet has.
std::optional<Cidr> readBlock(const Change& change, const Resource& vcn) {
  const std::string text = change.body.text("cidrBlock");
  const auto block = parseCidr(text);
  if (!block || block->bits < 16 || block->bits > 30) {
    change.body.invalid("cidrBlock", "is '" + text + "', which is not a CIDR block of /16 to /30");
    return std::nullopt;
  }
  bool inside = false;
  for (const json& of : vcn.body["cidrBlocks"]) {
    const auto whole = parseCidr(of.get<std::string>());
    inside = inside || (whole && whole->contains(*block));
  }
  if (!inside)
    change.body.invalid("cidrBlock", "is '" + text + "', which is not within the blocks of the VCN");
  for (const Resource& other : resourcesOfParent(change.transaction, kind::kSubnet, vcn.id)) {
    const auto taken = parseCidr(other.body.value("cidrBlock", ""));
    if (taken && taken->overlaps(*block))
      change.body.invalid("cidrBlock", "is '" + text + "', which overlaps the subnet " + other.id);
  }
  return block;
}

// What a subnet refers to; `defaults` are the VCN's for what is not given, or null.
std::optional<ServiceError> readReferences(const Change& change, const Resource* defaults) {
  json& body = change.resource.body;
  const auto one = [&](const char* key, const char* kind, const char* ofVcn) -> std::optional<ServiceError> {
    if (defaults != nullptr) body[key] = defaults->body.value(ofVcn, "");
    const auto given = change.body.optionalText(key);
    if (!given) return std::nullopt;
    body[key] = *given;
    return checkAttachment(change, kind, *given, key);
  };
  if (auto error = one("routeTableId", kind::kRouteTable, "defaultRouteTableId")) return error;
  if (auto error = one("dhcpOptionsId", kind::kDhcpOptions, "defaultDhcpOptionsId")) return error;
  if (defaults != nullptr) body["securityListIds"] = {defaults->body.value("defaultSecurityListId", "")};
  if (!change.body.has("securityListIds")) return std::nullopt;
  const auto lists = change.body.textList("securityListIds");
  if (lists.empty() || lists.size() > kMaxLists)
    change.body.invalid("securityListIds", fmt::format("must name 1 to {} security lists", kMaxLists));
  for (const std::string& id : lists)
    if (auto error = checkAttachment(change, kind::kSecurityList, id, "securityListIds")) return error;
  body["securityListIds"] = lists;
  return std::nullopt;
}

std::optional<ServiceError> createSubnet(const Change& change) {
  const auto vcn = findResource(change.transaction, kind::kVcn, change.resource.parent);
  const auto block = readBlock(change, *vcn);
  const auto label = readDnsLabel(change.body);
  const auto domain = change.body.optionalText("availabilityDomain");
  const bool isPrivate = change.body.optionalFlag("prohibitPublicIpOnVnic").value_or(false);
  const bool noIngress = change.body.optionalFlag("prohibitInternetIngress").value_or(isPrivate);
  if (change.body.error()) return change.body.error();
  if (auto error = readReferences(change, &*vcn)) return error;
  const json& parentDomain = vcn->body["vcnDomainName"];
  json& body = change.resource.body;
  body["cidrBlock"] = block->text();
  body["ipv4CidrBlocks"] = {block->text()};
  body["dnsLabel"] = label ? json(*label) : json(nullptr);
  body["subnetDomainName"] = label && parentDomain.is_string()
                                 ? json(*label + "." + parentDomain.get<std::string>())
                                 : json(nullptr);
  body["availabilityDomain"] = domain ? json(*domain) : json(nullptr);
  body["prohibitPublicIpOnVnic"] = isPrivate;
  body["prohibitInternetIngress"] = noIngress;
  body["virtualRouterIp"] = ipv4Text(block->first + 1);
  body["virtualRouterMac"] = fmt::format("00:00:17:{:02X}:{:02X}:{:02X}", (block->first >> 16) & 255,
                                         (block->first >> 8) & 255, (block->first & 255) + 1);
  return std::nullopt;
}

std::optional<ServiceError> deleteSubnet(Transaction& transaction, const Resource& subnet) {
  const auto leases = leasesOfSubnet(transaction, subnet.id);
  if (leases.empty()) return std::nullopt;
  return refuse(409, "Conflict",
                fmt::format("The Subnet {} references the VNIC {}. You must remove the reference to proceed "
                            "with this operation.",
                            subnet.id, leases.front().vnic))
      .value();
}

}  // namespace

ResourceKind subnetKind() {
  return {kind::kSubnet, "/20160918/subnets",
          "Subnet",      "Subnets",
          "subnet",      true,
          createSubnet,  [](const Change& change) { return readReferences(change, nullptr); },
          deleteSubnet};
}

}  // namespace lockstep::rehearsal
