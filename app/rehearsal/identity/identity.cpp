// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/identity/access.h"
#include "rehearsal/services.h"
#include "rehearsal/state/lists.h"

namespace lockstep::rehearsal {
namespace {

Answer getTenancy(Database& database, const Call& call) {
  if (call.path.at("tenancyId") != call.principal.tenancyId) return notFound();
  Session session(database);
  const auto tenancy = findResource(session, kind::kTenancy, call.principal.tenancyId);
  if (!tenancy) return notFound();
  return jsonReply(tenancy->body, tenancy->etag);
}

Answer listRegionSubscriptions(const Call& call) {
  if (call.path.at("tenancyId") != call.principal.tenancyId) return notFound();
  return jsonReply(nlohmann::json::array(
      {{{"regionKey", "RHS"}, {"regionName", "rehearsal"}, {"status", "READY"}, {"isHomeRegion", true}}}));
}

Answer listAvailabilityDomains(Database& database, const Call& call) {
  const auto compartment = call.parameter("compartmentId");
  if (!compartment) return missingParameter("compartmentId");
  Session session(database);
  if (!mayIn(session, call, *compartment)) return notFound();
  return jsonReply(nlohmann::json::array({{{"name", "Lstp:REHEARSAL-AD-1"},
                                           {"id", "ocid1.availabilitydomain.oc1..aaaaaaaalockstep"},
                                           {"compartmentId", call.principal.tenancyId}}}));
}

// A compartment nests in this region at most once, so the subtree of the tenancy is the list of its children.
Answer listCompartments(Database& database, const Call& call) {
  const bool isSubtree = call.parameter("compartmentIdInSubtree") == "true";
  if (isSubtree && call.parameter("compartmentId") != call.principal.tenancyId)
    return invalidParameter("The parameter 'compartmentIdInSubtree' needs the tenancy as compartmentId.");
  const ListStyle style{kind::kCompartment, 1000, "TIMECREATED", "NAME", "name", ""};
  return answerList(database, call, style, [](const Resource& compartment) { return compartment.body; });
}

}  // namespace

void addIdentity(Router& router, Database& database) {
  const std::string v = "/20160918";
  router.add("GET", v + "/tenancies/{tenancyId}", "GetTenancy",
             [&](const Call& c) { return getTenancy(database, c); });
  router.add("GET", v + "/tenancies/{tenancyId}/regionSubscriptions", "ListRegionSubscriptions",
             [](const Call& c) { return listRegionSubscriptions(c); });
  router.add("GET", v + "/users/{userId}", "GetUser",
             [&](const Call& c) { return answerGet(database, c, kind::kUser, c.path.at("userId")); });
  router.add("GET", v + "/availabilityDomains", "ListAvailabilityDomains",
             [&](const Call& c) { return listAvailabilityDomains(database, c); });
  router.add("GET", v + "/compartments", "ListCompartments",
             [&](const Call& c) { return listCompartments(database, c); });
  router.add("GET", v + "/compartments/{id}", "GetCompartment",
             [&](const Call& c) { return answerGet(database, c, kind::kCompartment, c.path.at("id")); });
}

}  // namespace lockstep::rehearsal
