// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/identity/access.h"
#include "rehearsal/network/network_resources.h"
#include "rehearsal/network/node_spec.h"
#include "rehearsal/network/seats.h"

namespace lockstep::rehearsal {
namespace {

using nlohmann::json;

/// A seat together with what it belongs to.
struct Placed {
  Seat seat;
  Resource subnet;
};

std::optional<Placed> placed(Session& session, std::optional<Seat> seat) {
  if (!seat) return std::nullopt;
  auto subnet = findResource(session, kind::kSubnet, seat->subnet);
  if (!subnet) return std::nullopt;
  return Placed{std::move(*seat), std::move(*subnet)};
}

json vnicOf(const Placed& at) {
  NodeSpec spec;
  spec.address = ipv4Text(at.seat.address);
  return {{"id", at.seat.vnic},
          {"compartmentId", at.subnet.compartment},
          {"subnetId", at.seat.subnet},
          {"displayName", at.seat.name()},
          {"lifecycleState", "AVAILABLE"},
          {"availabilityDomain", "RHRS:REHEARSAL-AD-1"},
          {"macAddress", spec.hardwareAddress()},
          {"privateIp", spec.address},
          {"publicIp", nullptr},
          {"isPrimary", true},
          {"skipSourceDestCheck", false},
          {"nsgIds", at.seat.groups},
          {"timeCreated", timeText(at.seat.created)},
          {"freeformTags", json::object()},
          {"definedTags", json::object()}};
}

std::string privateIpId(const Seat& seat) {
  return std::string("ocid1.privateip.oc1.rehearsal.") + uniquePart(seat.vnic);
}

json privateIpOf(const Placed& at) {
  return {{"id", privateIpId(at.seat)},
          {"compartmentId", at.subnet.compartment},
          {"subnetId", at.seat.subnet},
          {"vnicId", at.seat.vnic},
          {"displayName", at.seat.name()},
          {"ipAddress", ipv4Text(at.seat.address)},
          {"isPrimary", true},
          {"availabilityDomain", nullptr},
          {"timeCreated", timeText(at.seat.created)},
          {"freeformTags", json::object()},
          {"definedTags", json::object()}};
}

std::optional<Placed> findPlaced(Session& session, const Call& call) {
  auto at = placed(session, findSeatOfVnic(session, call.path.at("id")));
  if (!at || !mayIn(session, call, at->subnet.compartment)) return std::nullopt;
  return at;
}

Answer getVnic(Database& database, const Call& call) {
  Session session(database);
  const auto at = findPlaced(session, call);
  return at ? Answer(jsonReply(vnicOf(*at), uniquePart(at->seat.vnic))) : notFound();
}

Answer updateVnic(Database& database, VcnNetwork& network, const Call& call) {
  const auto parsed = parseBody(call.request.body);
  if (!parsed) return tl::unexpected(parsed.error());
  BodyReader body(*parsed);
  const auto groups = body.textList("nsgIds");
  if (body.refusal()) return tl::unexpected(*body.refusal());
  Reply reply;
  {
    Session session(database);
    auto at = findPlaced(session, call);
    if (!at) return notFound();
    for (const std::string& id : groups) {
      if (auto refusal = checkReference(session, kind::kSecurityGroup, id, at->subnet.parent, "nsgIds"))
        return tl::unexpected(*refusal);
      if (!findRelated(session, call, kind::kSecurityGroup, id, {"use", "network-security-groups"}))
        return notFound();
    }
    if (body.has("nsgIds")) at->seat.groups = groups;
    setGroups(session, at->seat);
    reply = jsonReply(vnicOf(*at), uniquePart(at->seat.vnic));
    session.commit();
  }
  network.refresh();
  return reply;
}

// Whether the caller may see the addresses of the subnet or the VNIC that it asks about.
bool maySeeAddresses(Session& session, const Call& call, const std::optional<std::string>& subnet,
                     const std::optional<std::string>& vnic) {
  if (subnet) {
    const auto found = findOwn(session, call, kind::kSubnet, *subnet);
    return found && mayIn(session, call, found->compartment);
  }
  const auto at = placed(session, findSeatOfVnic(session, *vnic));
  return at && mayIn(session, call, at->subnet.compartment);
}

Answer listPrivateIps(Database& database, const Call& call) {
  const auto subnet = call.parameter("subnetId"), vnic = call.parameter("vnicId"),
             address = call.parameter("ipAddress");
  if (!subnet && !vnic) return missingParameter("subnetId");
  Session session(database);
  if (!maySeeAddresses(session, call, subnet, vnic)) return notFound();
  json list = json::array();
  for (const Seat& seat : allSeats(session)) {
    const auto at = placed(session, seat);
    const bool asked = at && (!subnet || seat.subnet == *subnet) && (!vnic || seat.vnic == *vnic) &&
                       (!address || ipv4Text(seat.address) == *address);
    if (asked && mayIn(session, call, at->subnet.compartment)) list.push_back(privateIpOf(*at));
  }
  return jsonReply(list);
}

Answer getPrivateIp(Database& database, const Call& call) {
  Session session(database);
  for (const Seat& seat : allSeats(session)) {
    const auto at = placed(session, seat);
    if (at && privateIpId(seat) == call.path.at("id") && mayIn(session, call, at->subnet.compartment))
      return jsonReply(privateIpOf(*at), uniquePart(seat.vnic));
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
