// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/iam/access.h"
#include "rehearsal/network/isolation/node_spec.h"
#include "rehearsal/network/service/address_leases.h"
#include "rehearsal/network/service/network_resources.h"

namespace lockstep::rehearsal {
namespace {

using nlohmann::json;

/// An address lease together with what it belongs to.
struct Placed {
  AddressLease lease;
  Resource subnet;
};

std::optional<Placed> placed(Transaction& transaction, std::optional<AddressLease> lease) {
  if (!lease) return std::nullopt;
  auto subnet = findResource(transaction, kind::kSubnet, lease->subnet);
  if (!subnet) return std::nullopt;
  return Placed{std::move(*lease), std::move(*subnet)};
}

json vnicOf(const Placed& at) {
  NodeSpec spec;
  spec.address = ipv4Text(at.lease.address);
  return {{"id", at.lease.vnic},
          {"compartmentId", at.subnet.compartment},
          {"subnetId", at.lease.subnet},
          {"displayName", at.lease.name()},
          {"lifecycleState", "AVAILABLE"},
          {"availabilityDomain", "RHRS:REHEARSAL-AD-1"},
          {"macAddress", spec.hardwareAddress()},
          {"privateIp", spec.address},
          {"publicIp", nullptr},
          {"isPrimary", true},
          {"skipSourceDestCheck", false},
          {"nsgIds", at.lease.groups},
          {"timeCreated", timeText(at.lease.created)},
          {"freeformTags", json::object()},
          {"definedTags", json::object()}};
}

std::string privateIpId(const AddressLease& lease) {
  return std::string("ocid1.privateip.oc1.rehearsal.") + uniquePart(lease.vnic);
}

json privateIpOf(const Placed& at) {
  return {{"id", privateIpId(at.lease)},
          {"compartmentId", at.subnet.compartment},
          {"subnetId", at.lease.subnet},
          {"vnicId", at.lease.vnic},
          {"displayName", at.lease.name()},
          {"ipAddress", ipv4Text(at.lease.address)},
          {"isPrimary", true},
          {"availabilityDomain", nullptr},
          {"timeCreated", timeText(at.lease.created)},
          {"freeformTags", json::object()},
          {"definedTags", json::object()}};
}

std::optional<Placed> findPlaced(Transaction& transaction, const Call& call) {
  auto at = placed(transaction, findLeaseOfVnic(transaction, call.path.at("id")));
  if (!at || !mayIn(transaction, call, at->subnet.compartment)) return std::nullopt;
  return at;
}

OperationResult getVnic(Database& database, const Call& call) {
  Transaction transaction(database);
  const auto at = findPlaced(transaction, call);
  return at ? OperationResult(jsonResponse(vnicOf(*at), uniquePart(at->lease.vnic))) : notFound();
}

OperationResult updateVnic(Database& database, VcnNetwork& network, const Call& call) {
  const auto parsed = parseBody(call.request.body);
  if (!parsed) return tl::unexpected(parsed.error());
  BodyReader body(*parsed);
  const auto groups = body.textList("nsgIds");
  if (body.error()) return tl::unexpected(*body.error());
  Response response;
  {
    Transaction transaction(database);
    auto at = findPlaced(transaction, call);
    if (!at) return notFound();
    for (const std::string& id : groups) {
      if (auto error = checkReference(transaction, kind::kSecurityGroup, id, at->subnet.parent, "nsgIds"))
        return tl::unexpected(*error);
      if (!findRelated(transaction, call, kind::kSecurityGroup, id, {"use", "network-security-groups"}))
        return notFound();
    }
    if (body.has("nsgIds")) at->lease.groups = groups;
    setGroups(transaction, at->lease);
    response = jsonResponse(vnicOf(*at), uniquePart(at->lease.vnic));
    transaction.commit();
  }
  network.refresh();
  return response;
}

// Whether the caller may see the addresses of the subnet or the VNIC that it asks about.
bool maySeeAddresses(Transaction& transaction, const Call& call, const std::optional<std::string>& subnet,
                     const std::optional<std::string>& vnic) {
  if (subnet) {
    const auto found = findOwn(transaction, call, kind::kSubnet, *subnet);
    return found && mayIn(transaction, call, found->compartment);
  }
  const auto at = placed(transaction, findLeaseOfVnic(transaction, *vnic));
  return at && mayIn(transaction, call, at->subnet.compartment);
}

OperationResult listPrivateIps(Database& database, const Call& call) {
  const auto subnet = call.parameter("subnetId"), vnic = call.parameter("vnicId"),
             address = call.parameter("ipAddress");
  if (!subnet && !vnic) return missingParameter("subnetId");
  Transaction transaction(database);
  if (!maySeeAddresses(transaction, call, subnet, vnic)) return notFound();
  json list = json::array();
  for (const AddressLease& lease : allLeases(transaction)) {
    const auto at = placed(transaction, lease);
    const bool asked = at && (!subnet || lease.subnet == *subnet) && (!vnic || lease.vnic == *vnic) &&
                       (!address || ipv4Text(lease.address) == *address);
    if (asked && mayIn(transaction, call, at->subnet.compartment)) list.push_back(privateIpOf(*at));
  }
  return jsonResponse(list);
}

OperationResult getPrivateIp(Database& database, const Call& call) {
  Transaction transaction(database);
  for (const AddressLease& lease : allLeases(transaction)) {
    const auto at = placed(transaction, lease);
    if (at && privateIpId(lease) == call.path.at("id") && mayIn(transaction, call, at->subnet.compartment))
      return jsonResponse(privateIpOf(*at), uniquePart(lease.vnic));
  }
  return notFound();
}

}  // namespace

void addVnics(Router& router, Database& database, VcnNetwork& network) {
  router.add("GET", "/20160918/vnics/{id}", "GetVnic", [&](const Call& c) { return getVnic(database, c); });
  router.add("PUT", "/20160918/vnics/{id}", "UpdateVnic",
             [&](const Call& c) { return updateVnic(database, network, c); });
  router.add("GET", "/20160918/privateIps", "ListPrivateIps",
             [&](const Call& c) { return listPrivateIps(database, c); });
  router.add("GET", "/20160918/privateIps/{id}", "GetPrivateIp",
             [&](const Call& c) { return getPrivateIp(database, c); });
}

}  // namespace lockstep::rehearsal
