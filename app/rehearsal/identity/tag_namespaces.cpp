// SPDX-License-Identifier: GPL-3.0-or-later
// Tag namespaces and their keys, as far as tools ask for them. What resources are tagged with is not checked
// against them (oci-rest-contract 4.1.3).
#include <fmt/format.h>

#include "rehearsal/iam/access.h"
#include "rehearsal/identity/identity_parts.h"
#include "rehearsal/service/retry_tokens.h"

namespace lockstep::rehearsal {
namespace {

constexpr const char* kNamespace = "tagnamespace";
constexpr const char* kTag = "tagdefinition";  // parent: its namespace

OperationResult createNamespace(Database& database, const Call& call) {
  const auto parsed = parseBody(call.request.body);
  if (!parsed) return tl::unexpected(parsed.error());
  BodyReader body(*parsed);
  const IdentityDetails details = readDetails(body);
  if (body.error()) return tl::unexpected(*body.error());
  Transaction transaction(database);
  if (auto again = replayed(transaction, call, call.operation)) return *again;
  if (!mayIn(transaction, call, details.compartment)) return notFound();
  if (isNameTaken(transaction, {kNamespace}, details.compartment, details.name))
    return nameTaken("Tag namespace", details.name);
  Resource made = makeIdentityResource(kNamespace, details, call.now);
  made.body["isRetired"] = false;
  return answerCreated(transaction, call, made);
}

// A namespace or a tag: description and tags, and whether it is retired.
OperationResult updateOne(Transaction& transaction, const Call& call, Resource& one) {
  const auto parsed = parseBody(call.request.body);
  if (!parsed) return tl::unexpected(parsed.error());
  BodyReader body(*parsed);
  const auto isRetired = body.optionalFlag("isRetired");
  const nlohmann::json change = readIdentityChange(body);
  if (body.error()) return tl::unexpected(*body.error());
  if (auto error = checkIfMatch(call.header("if-match"), one.etag)) return tl::unexpected(*error);
  if (isRetired) one.body["isRetired"] = *isRetired;
  one.body.update(change);
  return answerUpdated(transaction, one);
}

OperationResult updateNamespace(Database& database, const Call& call) {
  Transaction transaction(database);
  auto found = findAllowed(transaction, call, kNamespace, call.path.at("id"));
  return found ? updateOne(transaction, call, *found) : OperationResult(notFound());
}

OperationResult deleteNamespace(Database& database, const Call& call) {
  Transaction transaction(database);
  const auto found = findAllowed(transaction, call, kNamespace, call.path.at("id"));
  if (!found) return notFound();
  if (auto error = checkIfMatch(call.header("if-match"), found->etag)) return tl::unexpected(*error);
  if (!found->body.value("isRetired", false))
    return refuse(409, "IncorrectState", fmt::format("The tag namespace {} is not retired.", found->name));
  auto& tags = transaction.sql("DELETE FROM resources WHERE kind = ? AND parent = ?");
  tags.bind(1, kTag);
  tags.bind(2, found->id);
  tags.exec();
  removeResource(transaction, found->id);
  transaction.commit();
  return emptyResponse(204);
}

std::optional<Resource> findTag(Transaction& transaction, const Call& call) {
  if (!findAllowed(transaction, call, kNamespace, call.path.at("id"))) return std::nullopt;
  auto& select = transaction.sql(
      "SELECT id FROM resources WHERE kind = ? AND parent = ? AND name = ? COLLATE NOCASE LIMIT 1");
  select.bind(1, kTag);
  select.bind(2, call.path.at("id"));
  select.bind(3, call.path.at("tag"));
  if (!select.executeStep()) return std::nullopt;
  return findResource(transaction, kTag, select.getColumn(0).getString());
}

OperationResult createTag(Database& database, const Call& call) {
  const auto parsed = parseBody(call.request.body);
  if (!parsed) return tl::unexpected(parsed.error());
  BodyReader body(*parsed);
  IdentityDetails details;
  details.name = body.text("name", 100);
  details.description = body.text("description", 400);
  details.tags = readIdentityTags(body);
  const auto isCostTracking = body.optionalFlag("isCostTracking");
  if (body.error()) return tl::unexpected(*body.error());
  Transaction transaction(database);
  if (auto again = replayed(transaction, call, call.operation)) return *again;
  const auto owner = findAllowed(transaction, call, kNamespace, call.path.at("id"));
  if (!owner) return notFound();
  auto& known =
      transaction.sql("SELECT 1 FROM resources WHERE kind = ? AND parent = ? AND name = ? COLLATE NOCASE");
  known.bind(1, kTag);
  known.bind(2, owner->id);
  known.bind(3, details.name);
  if (known.executeStep()) return nameTaken("Tag", details.name);
  details.compartment = owner->compartment;
  Resource tag = makeIdentityResource(kTag, details, call.now);
  tag.parent = owner->id;
  tag.body.update({{"tagNamespaceId", owner->id},
                   {"tagNamespaceName", owner->name},
                   {"isRetired", false},
                   {"isCostTracking", isCostTracking.value_or(false)}});
  if (body.has("validator")) tag.body["validator"] = body.json()["validator"];
  return answerCreated(transaction, call, tag);
}

OperationResult getTag(Database& database, const Call& call) {
  Transaction transaction(database);
  const auto tag = findTag(transaction, call);
  return tag ? OperationResult(jsonResponse(tag->body, tag->etag)) : OperationResult(notFound());
}

OperationResult updateTag(Database& database, const Call& call) {
  Transaction transaction(database);
  auto tag = findTag(transaction, call);
  return tag ? updateOne(transaction, call, *tag) : OperationResult(notFound());
}

OperationResult listTagDefaults(Database& database, const Call& call) {
  Transaction transaction(database);
  const auto compartment = call.parameter("compartmentId").value_or(call.principal.tenancyId);
  if (!mayIn(transaction, call, compartment)) return notFound();
  return jsonResponse(nlohmann::json::array());  // none can be made here
}

OperationResult listTags(Database& database, const Call& call) {
  {
    Transaction transaction(database);
    if (!findAllowed(transaction, call, kNamespace, call.path.at("id"))) return notFound();
  }
  return answerListOfParent(database, call, identityList(kTag), call.path.at("id"),
                            [](const Resource& tag) { return tag.body; });
}

}  // namespace

void addTagNamespaces(Router& router, Database& database) {
  const std::string path = "/20160918/tagNamespaces", one = path + "/{id}", tags = one + "/tags";
  const auto shown = [](const Resource& resource) { return resource.body; };
  router.add("GET", path, "ListTagNamespaces",
             [&, shown](const Call& c) { return answerList(database, c, identityList(kNamespace), shown); });
  router.add("POST", path, "CreateTagNamespace", [&](const Call& c) { return createNamespace(database, c); });
  router.add("GET", one, "GetTagNamespace",
             [&](const Call& c) { return answerGet(database, c, kNamespace, c.path.at("id")); });
  router.add("PUT", one, "UpdateTagNamespace", [&](const Call& c) { return updateNamespace(database, c); });
  router.add("DELETE", one, "DeleteTagNamespace",
             [&](const Call& c) { return deleteNamespace(database, c); });
  router.add("GET", tags, "ListTags", [&](const Call& c) { return listTags(database, c); });
  router.add("POST", tags, "CreateTag", [&](const Call& c) { return createTag(database, c); });
  router.add("GET", tags + "/{tag}", "GetTag", [&](const Call& c) { return getTag(database, c); });
  router.add("PUT", tags + "/{tag}", "UpdateTag", [&](const Call& c) { return updateTag(database, c); });
  router.add("GET", "/20160918/tagDefaults", "ListTagDefaults",
             [&](const Call& c) { return listTagDefaults(database, c); });
}

}  // namespace lockstep::rehearsal
