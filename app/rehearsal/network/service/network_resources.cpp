// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/network/service/network_resources.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "rehearsal/iam/access.h"
#include "rehearsal/network/rules/security_rules.h"
#include "rehearsal/service/lists.h"
#include "rehearsal/service/retry_tokens.h"

namespace lockstep::rehearsal {
namespace {

using nlohmann::json;

std::string nameFromTime(const std::string& prefix, TimePoint now) {
  std::string digits;
  for (const char c : timeText(toMillis(now)).substr(0, 19))
    if (c >= '0' && c <= '9') digits += c;
  return prefix + digits;
}

void readTags(BodyReader& body, json& into) {
  into["freeformTags"] = body.textMap("freeformTags");
  const auto defined = body.json().find("definedTags");
  into["definedTags"] = defined == body.json().end() || defined->is_null() ? json::object() : *defined;
  if (!into["definedTags"].is_object()) body.invalid("definedTags", "must be an object");
}

OperationResult create(Database& database, const ResourceKind& kind, const Call& call) {
  const auto parsed = parseBody(call.request.body);
  if (!parsed) return tl::unexpected(parsed.error());
  BodyReader body(*parsed);
  const std::string compartment = body.text("compartmentId");
  const std::string vcnId = kind.isInVcn ? body.text("vcnId") : "";
  const std::string name =
      body.optionalText("displayName", 255).value_or(nameFromTime(kind.defaultName, call.now));
  json tags = json::object();
  readTags(body, tags);
  if (body.error()) return tl::unexpected(*body.error());
  Transaction transaction(database);
  if (auto again = replayed(transaction, call, call.operation)) return *again;
  if (!mayIn(transaction, call, compartment)) return notFound();
  if (kind.isInVcn && !findRelated(transaction, call, kind::kVcn, vcnId, {"manage", "vcns"}))
    return notFound();
  Resource resource = freshResource(kind.kind, compartment, vcnId, name, toMillis(call.now));
  resource.body.update(tags);
  if (auto error = kind.create({transaction, call, body, resource})) return tl::unexpected(*error);
  if (body.error()) return tl::unexpected(*body.error());
  insertResource(transaction, resource);
  const Response response = jsonResponse(resource.body, resource.etag);
  remember(transaction, call, call.operation, response);
  transaction.commit();
  return response;
}

OperationResult update(Database& database, VcnNetwork& network, const ResourceKind& kind, const Call& call) {
  const auto parsed = parseBody(call.request.body);
  if (!parsed) return tl::unexpected(parsed.error());
  BodyReader body(*parsed);
  Response response;
  {
    Transaction transaction(database);
    auto resource = findAllowed(transaction, call, kind.kind, call.path.at("id"));
    if (!resource) return notFound();
    if (auto error = checkIfMatch(call.header("if-match"), resource->etag)) return tl::unexpected(*error);
    if (const auto name = body.optionalText("displayName", 255)) resource->name = *name;
    resource->body["displayName"] = resource->name;
    json tags = json::object();
    readTags(body, tags);
    for (const auto& [key, value] : tags.items())
      if (body.has(key)) resource->body[key] = value;
    if (auto error = kind.update({transaction, call, body, *resource})) return tl::unexpected(*error);
    if (body.error()) return tl::unexpected(*body.error());
    response = jsonResponse(resource->body, updateResource(transaction, *resource));
    transaction.commit();
  }
  network.refresh();
  return response;
}

OperationResult remove(Database& database, VcnNetwork& network, const ResourceKind& kind, const Call& call) {
  {
    Transaction transaction(database);
    const auto resource = findAllowed(transaction, call, kind.kind, call.path.at("id"));
    if (!resource) return notFound();
    if (auto error = checkIfMatch(call.header("if-match"), resource->etag)) return tl::unexpected(*error);
    if (auto error = kind.remove(transaction, *resource)) return tl::unexpected(*error);
    removeResource(transaction, resource->id);
    transaction.commit();
  }
  network.refresh();
  return emptyResponse(204);
}

}  // namespace

void addResourceKind(Router& router, Database& database, VcnNetwork& network, const ResourceKind& kind) {
  const std::string one = kind.path + "/{id}";
  router.add("GET", kind.path, "List" + kind.many, [&database, kind](const Call& c) {
    const ListStyle style{kind.kind,     1000,          "TIMECREATED",
                          "DISPLAYNAME", "displayName", kind.isInVcn ? "vcnId" : ""};
    return answerList(database, c, style, [](const Resource& resource) { return resource.body; });
  });
  router.add("GET", one, "Get" + kind.one,
             [&database, kind](const Call& c) { return answerGet(database, c, kind.kind, c.path.at("id")); });
  if (kind.create)
    router.add("POST", kind.path, "Create" + kind.one,
               [&database, kind](const Call& c) { return create(database, kind, c); });
  if (kind.update)
    router.add("PUT", one, "Update" + kind.one,
               [&database, &network, kind](const Call& c) { return update(database, network, kind, c); });
  if (kind.remove)
    router.add("DELETE", one, "Delete" + kind.one,
               [&database, &network, kind](const Call& c) { return remove(database, network, kind, c); });
}

Resource freshResource(const std::string& kind, const std::string& compartment, const std::string& vcnId,
                       const std::string& name, long long now) {
  Resource r{makeOcid(kind), kind, compartment, vcnId, name, "AVAILABLE", makeUuid(), now, {}};
  r.body = {{"id", r.id},
            {"compartmentId", compartment},
            {"displayName", name},
            {"lifecycleState", r.state},
            {"timeCreated", timeText(now)},
            {"freeformTags", json::object()},
            {"definedTags", json::object()}};
  if (!vcnId.empty()) r.body["vcnId"] = vcnId;
  return r;
}

std::optional<ServiceError> checkReference(Transaction& transaction, const std::string& kind,
                                           const std::string& id, const std::string& vcnId,
                                           const std::string& field) {
  const auto found = findResource(transaction, kind, id);
  if (!found) return notFound().value();
  if (found->parent == vcnId) return std::nullopt;
  return invalidParameter(
             fmt::format("The parameter '{}' names {}, which is not in the VCN {}.", field, id, vcnId))
      .value();
}

std::vector<Resource> resourcesOfParent(Transaction& transaction, const std::string& kind,
                                        const std::string& parent) {
  ListQuery query;
  query.kind = kind;
  query.parent = parent;
  query.limit = 1000;
  auto page = listResources(transaction, query);
  return page ? std::move(page->items) : std::vector<Resource>();
}

std::optional<ServiceError> checkAttachment(const Change& change, const std::string& kind,
                                            const std::string& id, const std::string& field) {
  static const std::map<std::string, Grant> grants{{kind::kRouteTable, {"manage", "route-tables"}},
                                                   {kind::kDhcpOptions, {"manage", "dhcp-options"}},
                                                   {kind::kSecurityList, {"manage", "security-lists"}},
                                                   {kind::kInternetGateway, {"manage", "internet-gateways"}},
                                                   {kind::kNatGateway, {"use", "nat-gateways"}},
                                                   {kind::kServiceGateway, {"use", "service-gateways"}},
                                                   {kind::kPrivateIp, {"manage", "private-ips"}}};
  if (auto error = checkReference(change.transaction, kind, id, change.resource.parent, field)) return error;
  if (findRelated(change.transaction, change.call, kind, id, grants.at(kind))) return std::nullopt;
  return notFound().value();
}

std::optional<ServiceError> refuseIfUsed(Transaction& transaction, const Resource& resource,
                                         const std::string& kind,
                                         const std::function<bool(const Resource&)>& uses) {
  for (const Resource& other : resourcesOfParent(transaction, kind, resource.parent))
    if (other.id != resource.id && uses(other))
      return refuse(409, "Conflict",
                    fmt::format("{} is referenced by {}. You must remove the reference to proceed with this "
                                "operation.",
                                resource.id, other.id))
          .value();
  return std::nullopt;
}

std::optional<std::string> readDnsLabel(BodyReader& body) {
  auto label = body.optionalText("dnsLabel", 15);
  const bool good =
      !label ||
      (!label->empty() && std::isalpha(static_cast<unsigned char>((*label)[0])) != 0 &&
       std::all_of(label->begin(), label->end(), [](unsigned char c) { return std::isalnum(c) != 0; }));
  if (!good) body.invalid("dnsLabel", "must be letters and digits and begin with a letter");
  return label;
}

const std::vector<CloudService>& cloudServices() {
  static const std::vector<CloudService> kServices{
      {"ocid1.service.oc1.rehearsal.aaaaaaaaallservices", "All RHS Services In Oracle Services Network",
       kAllServices, "All RHS Services In Oracle Services Network"},
      {"ocid1.service.oc1.rehearsal.aaaaaaaaobjectstorage", "OCI RHS Object Storage", kObjectStorageService,
       "OCI RHS Object Storage"}};
  return kServices;
}

}  // namespace lockstep::rehearsal
