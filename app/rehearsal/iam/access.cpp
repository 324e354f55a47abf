// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/iam/access.h"

#include <fmt/format.h>

#include "rehearsal/iam/policy_engine.h"
#include "rehearsal/support/region_log.h"

namespace lockstep::rehearsal {
namespace {

// Object Storage names its target in the path.
void addPathFacts(const Call& call, TargetFacts& facts) {
  const auto bucket = call.path.find("b");
  if (bucket == call.path.end() || !call.path.contains("ns")) return;
  facts.emplace("target.bucket.name", bucket->second);
  const auto object = call.path.find("o");
  if (object != call.path.end()) facts.emplace("target.object.name", object->second);
}

// What every resource can be asked for, and the names that the reference has for some kinds.
void addResourceFacts(const Resource& resource, TargetFacts& facts) {
  const struct {
    const char *kind, *idFact, *nameFact;
  } known[] = {{kind::kGroup, "target.group.id", "target.group.name"},
               {kind::kDynamicGroup, "target.dynamic-group.id", "target.dynamic-group.name"},
               {kind::kUser, "target.user.id", "target.user.name"},
               {kind::kPolicy, "target.policy.id", "target.policy.name"},
               {kind::kRepository, "target.repo.id", "target.repo.name"},
               {kind::kLogGroup, "target.loggroup.id", nullptr},
               {kind::kJob, "target.job.id", "target.job.name"},
               {kind::kJobRun, "target.job-run.id", "target.job-run.name"}};
  for (const auto& row : known) {
    if (resource.kind != row.kind) continue;
    facts.emplace(row.idFact, resource.id);
    if (row.nameFact != nullptr) facts.emplace(row.nameFact, resource.name);
  }
  if (resource.kind == kind::kLog) facts.emplace("target.loggroup.id", resource.parent);
  const auto tags = resource.body.find("definedTags");
  if (tags == resource.body.end() || !tags->is_object()) return;
  for (const auto& [space, keys] : tags->items())
    if (keys.is_object())
      for (const auto& [key, value] : keys.items())
        facts.emplace("target.resource.tag." + space + "." + key,
                      value.is_string() ? value.get<std::string>() : value.dump());
}

}  // namespace

std::optional<std::string> tenancyOf(Transaction& transaction, const std::string& compartmentId) {
  const auto* place = PolicyBook::of(transaction).placeOf(compartmentId);
  if (place == nullptr || place->tenancy.empty()) return std::nullopt;
  return place->tenancy;
}

bool mayIn(Transaction& transaction, const Call& call, const std::string& compartmentId,
           const TargetFacts& facts) {
  const NeededPermissions* needs = needsOf(call.operation);
  if (needs == nullptr) {
    logLine(
        fmt::format("nobody may {}: the operation has no row in the table of permissions", call.operation));
    return false;
  }
  TargetFacts all = facts;
  addPathFacts(call, all);
  const PolicyQuestion question{call.principal, call.operation, compartmentId, *needs, all, call.now};
  return isGranted(transaction, question);
}

bool mayIn(Transaction& transaction, const Call& call, const std::string& compartmentId, const Grant& grant,
           const TargetFacts& facts) {
  const PolicyVerb verb = verbNamed(grant.verb).value_or(PolicyVerb::Manage);
  const PermissionWord unnamed{"", grant.resourceType.c_str(), verb};
  const PermissionWord* named = permissionOf(verb, grant.resourceType);
  TargetFacts all = facts;
  addPathFacts(call, all);
  return isGranted(
      transaction,
      {call.principal, call.operation, compartmentId, {{named ? named : &unnamed}}, all, call.now});
}

bool hasPermission(Transaction& transaction, const Call& call, const std::string& compartmentId,
                   const char* permission, const TargetFacts& facts) {
  TargetFacts all = facts;
  addPathFacts(call, all);
  return isGranted(
      transaction,
      {call.principal, call.operation, compartmentId, {{findPermission(permission)}}, all, call.now});
}

std::optional<Resource> findAllowed(Transaction& transaction, const Call& call, const std::string& kind,
                                    const std::string& id, const TargetFacts& facts) {
  auto resource = findResource(transaction, kind, id);
  if (!resource) return std::nullopt;
  TargetFacts all = facts;
  addResourceFacts(*resource, all);
  if (!mayIn(transaction, call, resource->compartment, all)) return std::nullopt;
  return resource;
}

std::optional<Resource> findRelated(Transaction& transaction, const Call& call, const std::string& kind,
                                    const std::string& id, const Grant& grant) {
  auto resource = findResource(transaction, kind, id);
  if (!resource) return std::nullopt;
  TargetFacts all;
  addResourceFacts(*resource, all);
  if (!mayIn(transaction, call, resource->compartment, grant, all)) return std::nullopt;
  return resource;
}

std::optional<Resource> findOwn(Transaction& transaction, const Call& call, const std::string& kind,
                                const std::string& id) {
  auto resource = findResource(transaction, kind, id);
  if (!resource || tenancyOf(transaction, resource->compartment) != call.principal.tenancyId)
    return std::nullopt;
  return resource;
}

std::optional<ServiceError> checkIfMatch(const std::optional<std::string>& ifMatch, const std::string& etag) {
  if (!ifMatch || *ifMatch == etag || *ifMatch == "*" || *ifMatch == "\"" + etag + "\"") return std::nullopt;
  return ServiceError{412, "NoEtagMatch",
                      "The if-match header does not match the current etag of the resource."};
}

}  // namespace lockstep::rehearsal
