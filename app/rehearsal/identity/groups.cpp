// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include "rehearsal/iam/access.h"
#include "rehearsal/iam/policy_language.h"
#include "rehearsal/identity/identity_parts.h"
#include "rehearsal/service/retry_tokens.h"

namespace lockstep::rehearsal {
namespace {

const std::vector<std::string> kGroupKinds{kind::kGroup, kind::kDynamicGroup};  // share their names

bool isGroup(const Call& call) {
  return call.operation.find("Dynamic") == std::string::npos;
}
const char* kindOf(const Call& call) {
  return isGroup(call) ? kind::kGroup : kind::kDynamicGroup;
}

std::string readRule(BodyReader& body, bool isNeeded) {
  if (!isNeeded && !body.has("matchingRule")) return {};
  const std::string rule = body.text("matchingRule", 4000);
  if (rule.empty()) return rule;
  const auto parsed = parseMatchingRule(rule);
  if (!parsed) body.invalid("matchingRule", "is wrong " + describeMistake(rule, parsed.error()));
  return rule;
}

OperationResult createGroup(Database& database, const Call& call) {
  const auto parsed = parseBody(call.request.body);
  if (!parsed) return tl::unexpected(parsed.error());
  BodyReader body(*parsed);
  const IdentityDetails details = readDetails(body);
  const std::string rule = isGroup(call) ? "" : readRule(body, true);
  if (body.error()) return tl::unexpected(*body.error());
  Transaction transaction(database);
  if (auto again = replayed(transaction, call, call.operation)) return *again;
  if (!mayIn(transaction, call, details.compartment)) return notFound();
  if (auto error = checkHomeRegion(transaction, call)) return tl::unexpected(*error);
  const std::string thing = isGroup(call) ? "Group" : "Dynamic group";
  if (details.compartment != call.principal.tenancyId)
    return invalidParameter(thing + " can only be created in the tenancy compartment");
  if (isNameTaken(transaction, kGroupKinds, details.compartment, details.name))
    return nameTaken(thing, details.name);
  Resource group = makeIdentityResource(kindOf(call), details, call.now);
  if (!isGroup(call)) group.body["matchingRule"] = rule;
  return answerCreated(transaction, call, group);
}

OperationResult updateGroup(Database& database, const Call& call) {
  const auto parsed = parseBody(call.request.body);
  if (!parsed) return tl::unexpected(parsed.error());
  BodyReader body(*parsed);
  const std::string rule = isGroup(call) ? "" : readRule(body, false);
  const nlohmann::json change = readIdentityChange(body);
  if (body.error()) return tl::unexpected(*body.error());
  Transaction transaction(database);
  auto group = findAllowed(transaction, call, kindOf(call), call.path.at("id"));
  if (!group) return notFound();
  if (auto error = checkHomeRegion(transaction, call)) return tl::unexpected(*error);
  if (auto error = checkIfMatch(call.header("if-match"), group->etag)) return tl::unexpected(*error);
  if (!rule.empty()) group->body["matchingRule"] = rule;
  group->body.update(change);
  return answerUpdated(transaction, *group);
}

bool hasMembers(Transaction& transaction, const std::string& group) {
  auto& select = transaction.sql("SELECT 1 FROM resources WHERE kind = ? AND parent = ? LIMIT 1");
  select.bind(1, kind::kGroupMembership);
  select.bind(2, group);
  return select.executeStep();
}

OperationResult deleteGroup(Database& database, const Call& call) {
  Transaction transaction(database);
  const auto group = findAllowed(transaction, call, kindOf(call), call.path.at("id"));
  if (!group) return notFound();
  if (auto error = checkHomeRegion(transaction, call)) return tl::unexpected(*error);
  if (auto error = checkIfMatch(call.header("if-match"), group->etag)) return tl::unexpected(*error);
  if (isGroup(call) && group->name == "Administrators")
    return refuse(409, "Conflict", "The group Administrators cannot be deleted.");
  if (hasMembers(transaction, group->id))
    return refuse(409, "Conflict", fmt::format("The group {} still has members.", group->name));
  removeResource(transaction, group->id);
  transaction.commit();
  return emptyResponse(204);
}

// Both the user and the group are changed, so the conditions may ask about both.
TargetFacts factsOf(const Resource& user, const Resource& group) {
  return {{"target.user.id", user.id},
          {"target.user.name", user.name},
          {"target.group.id", group.id},
          {"target.group.name", group.name}};
}

OperationResult addUserToGroup(Database& database, const Call& call) {
  const auto parsed = parseBody(call.request.body);
  if (!parsed) return tl::unexpected(parsed.error());
  BodyReader body(*parsed);
  const std::string userId = body.text("userId"), groupId = body.text("groupId");
  if (body.error()) return tl::unexpected(*body.error());
  Transaction transaction(database);
  if (auto again = replayed(transaction, call, call.operation)) return *again;
  const auto user = findResource(transaction, kind::kUser, userId);
  const auto group = findResource(transaction, kind::kGroup, groupId);
  if (!user || !group || user->compartment != group->compartment ||
      !mayIn(transaction, call, group->compartment, factsOf(*user, *group)))
    return notFound();
  if (auto error = checkHomeRegion(transaction, call)) return tl::unexpected(*error);
  auto& known = transaction.sql("SELECT 1 FROM resources WHERE kind = ? AND parent = ? AND name = ?");
  known.bind(1, kind::kGroupMembership);
  known.bind(2, groupId);
  known.bind(3, userId);
  if (known.executeStep())
    return refuse(409, "Conflict",
                  fmt::format("The user {} is in the group {} already.", user->name, group->name));
  const long long now = toMillis(call.now);
  Resource membership{makeIdentityOcid(kind::kGroupMembership),
                      kind::kGroupMembership,
                      group->compartment,
                      groupId,
                      userId,
                      "ACTIVE",
                      makeUuid(),
                      now,
                      {}};
  membership.body = {{"id", membership.id},          {"compartmentId", group->compartment},
                     {"groupId", groupId},           {"userId", userId},
                     {"timeCreated", timeText(now)}, {"lifecycleState", "ACTIVE"}};
  return answerCreated(transaction, call, membership);
}

bool isLastMember(Transaction& transaction, const std::string& group) {
  auto& count = transaction.sql("SELECT COUNT(*) FROM resources WHERE kind = ? AND parent = ?");
  count.bind(1, kind::kGroupMembership);
  count.bind(2, group);
  return count.executeStep() && count.getColumn(0).getInt() <= 1;
}

OperationResult removeUserFromGroup(Database& database, const Call& call) {
  Transaction transaction(database);
  const auto membership = findResource(transaction, kind::kGroupMembership, call.path.at("id"));
  if (!membership) return notFound();
  const auto user = findResource(transaction, kind::kUser, membership->name);
  const auto group = findResource(transaction, kind::kGroup, membership->parent);
  if (!user || !group || !mayIn(transaction, call, membership->compartment, factsOf(*user, *group)))
    return notFound();
  if (auto error = checkHomeRegion(transaction, call)) return tl::unexpected(*error);
  if (auto error = checkIfMatch(call.header("if-match"), membership->etag)) return tl::unexpected(*error);
  if (group->name == "Administrators" && isLastMember(transaction, group->id))
    return refuse(409, "Conflict", "The group Administrators must keep one member.");
  removeResource(transaction, membership->id);
  transaction.commit();
  return emptyResponse(204);
}

// Everybody may see the groups that he is in himself.
OperationResult listMemberships(Database& database, const Call& call) {
  const auto user = call.parameter("userId"), group = call.parameter("groupId");
  const auto compartment = call.parameter("compartmentId");
  if (!compartment) return missingParameter("compartmentId");
  if (!user && !group)
    return refuse(400, "MissingParameter", "One of the parameters 'userId' and 'groupId' must be given.");
  const auto limit = call.limit(100, 1000);
  if (!limit) return tl::unexpected(limit.error());
  ListQuery query;
  query.kind = kind::kGroupMembership;
  query.compartment = *compartment;
  query.parent = group;
  query.name = user;
  query.limit = *limit;
  query.page = call.parameter("page").value_or("");
  Transaction transaction(database);
  const bool isOwn = user == call.principal.id && *compartment == call.principal.tenancyId;
  if (!isOwn && !mayIn(transaction, call, *compartment)) return notFound();
  const auto page = listResources(transaction, query);
  if (!page) return tl::unexpected(page.error());
  nlohmann::json list = nlohmann::json::array();
  for (const Resource& membership : page->items) list.push_back(membership.body);
  Response response = jsonResponse(list);
  if (!page->nextPage.empty()) response.headers.emplace_back("opc-next-page", page->nextPage);
  return response;
}

void addKind(Router& router, Database& database, const std::string& path, const std::string& name,
             const char* kind) {
  router.add("GET", path, "List" + name + "s", [&database, kind](const Call& c) {
    return answerList(database, c, identityList(kind), [](const Resource& group) { return group.body; });
  });
  router.add("POST", path, "Create" + name, [&database](const Call& c) { return createGroup(database, c); });
  router.add("GET", path + "/{id}", "Get" + name,
             [&database, kind](const Call& c) { return answerGet(database, c, kind, c.path.at("id")); });
  router.add("PUT", path + "/{id}", "Update" + name,
             [&database](const Call& c) { return updateGroup(database, c); });
  router.add("DELETE", path + "/{id}", "Delete" + name,
             [&database](const Call& c) { return deleteGroup(database, c); });
}

}  // namespace

void addGroups(Router& router, Database& database) {
  addKind(router, database, "/20160918/groups", "Group", kind::kGroup);
  const std::string memberships = "/20160918/userGroupMemberships";
  router.add("GET", memberships, "ListUserGroupMemberships",
             [&](const Call& c) { return listMemberships(database, c); });
  router.add("POST", memberships, "AddUserToGroup",
             [&](const Call& c) { return addUserToGroup(database, c); });
  router.add("GET", memberships + "/{id}", "GetUserGroupMembership",
             [&](const Call& c) { return answerGet(database, c, kind::kGroupMembership, c.path.at("id")); });
  router.add("DELETE", memberships + "/{id}", "RemoveUserFromGroup",
             [&](const Call& c) { return removeUserFromGroup(database, c); });
}

void addDynamicGroups(Router& router, Database& database) {
  addKind(router, database, "/20160918/dynamicGroups", "DynamicGroup", kind::kDynamicGroup);
}

}  // namespace lockstep::rehearsal
