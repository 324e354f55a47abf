// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/identity/identity.h"

#include "rehearsal/api/service_hosts.h"
#include "rehearsal/iam/access.h"
#include "rehearsal/identity/identity_parts.h"
#include "rehearsal/service/lists.h"
#include "rehearsal/state/well_known.h"

namespace lockstep::rehearsal {
namespace {

OperationResult getTenancy(Database& database, const Call& call) {
  Transaction transaction(database);
  const auto tenancy = findResource(transaction, kind::kTenancy, call.path.at("tenancyId"));
  if (!tenancy || !mayIn(transaction, call, tenancy->id)) return notFound();
  return jsonResponse(tenancy->body, tenancy->etag);
}

// A tenancy whose home is elsewhere is subscribed to this region too.
OperationResult listRegionSubscriptions(Database& database, const Call& call) {
  Transaction transaction(database);
  const auto tenancy = findResource(transaction, kind::kTenancy, call.path.at("tenancyId"));
  if (!tenancy || !mayIn(transaction, call, tenancy->id)) return notFound();
  const std::string home = tenancy->body.value("homeRegionKey", kRegionKey);
  const auto subscription = [&](const std::string& key, const std::string& name) {
    return nlohmann::json{
        {"regionKey", key}, {"regionName", name}, {"status", "READY"}, {"isHomeRegion", key == home}};
  };
  nlohmann::json list = nlohmann::json::array({subscription(kRegionKey, kRegionName)});
  if (home != kRegionKey) list.push_back(subscription(home, "rehearsal-home"));
  return jsonResponse(list);
}

OperationResult listRegions(Database& database, const Call& call) {
  Transaction transaction(database);
  if (!mayIn(transaction, call, call.principal.tenancyId)) return notFound();
  return jsonResponse(nlohmann::json::array({{{"key", kRegionKey}, {"name", kRegionName}}}));
}

OperationResult listAvailabilityDomains(Database& database, const Call& call) {
  const auto compartment = call.parameter("compartmentId");
  if (!compartment) return missingParameter("compartmentId");
  Transaction transaction(database);
  if (!mayIn(transaction, call, *compartment)) return notFound();
  return jsonResponse(nlohmann::json::array({{{"name", "Lstp:REHEARSAL-AD-1"},
                                              {"id", "ocid1.availabilitydomain.oc1..aaaaaaaalockstep"},
                                              {"compartmentId", call.principal.tenancyId}}}));
}

}  // namespace

void addIdentity(Router& router, Database& database, KeyDirectory& keys) {
  const std::string v = "/20160918";
  router.add("GET", v + "/tenancies/{tenancyId}", "GetTenancy",
             [&](const Call& c) { return getTenancy(database, c); });
  router.add("GET", v + "/tenancies/{tenancyId}/regionSubscriptions", "ListRegionSubscriptions",
             [&](const Call& c) { return listRegionSubscriptions(database, c); });
  router.add("GET", v + "/regions", "ListRegions", [&](const Call& c) { return listRegions(database, c); });
  router.add("GET", v + "/availabilityDomains", "ListAvailabilityDomains",
             [&](const Call& c) { return listAvailabilityDomains(database, c); });
  addCompartments(router, database);
  addUsers(router, database, keys);
  addCredentials(router, database, keys);
  addGroups(router, database);
  addDynamicGroups(router, database);
  addPolicies(router, database);
  addTagNamespaces(router, database);
}

}  // namespace lockstep::rehearsal
