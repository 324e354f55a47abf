// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include "rehearsal/iam/access.h"
#include "rehearsal/iam/key_directory.h"
#include "rehearsal/iam/user_store.h"
#include "rehearsal/identity/identity_parts.h"
#include "rehearsal/service/retry_tokens.h"

namespace lockstep::rehearsal {
namespace {

OperationResult createUser(Database& database, const Call& call) {
  const auto parsed = parseBody(call.request.body);
  if (!parsed) return tl::unexpected(parsed.error());
  BodyReader body(*parsed);
  const IdentityDetails details = readDetails(body);
  const auto email = body.optionalText("email", 255);
  if (body.error()) return tl::unexpected(*body.error());
  Transaction transaction(database);
  if (auto again = replayed(transaction, call, call.operation)) return *again;
  if (!mayIn(transaction, call, details.compartment)) return notFound();
  if (auto error = checkHomeRegion(transaction, call)) return tl::unexpected(*error);
  if (details.compartment != call.principal.tenancyId)
    return invalidParameter("User can only be created in the tenancy compartment");
  if (isNameTaken(transaction, {kind::kUser}, details.compartment, details.name))
    return nameTaken("User", details.name);
  Resource user = makeIdentityResource(kind::kUser, details, call.now);
  user.body.update(userFields());
  if (email) user.body.update({{"email", *email}, {"emailVerified", false}});
  return answerCreated(transaction, call, user);
}

OperationResult updateUser(Database& database, const Call& call) {
  const auto parsed = parseBody(call.request.body);
  if (!parsed) return tl::unexpected(parsed.error());
  BodyReader body(*parsed);
  const auto email = body.optionalText("email", 255);
  const nlohmann::json change = readIdentityChange(body);
  if (body.error()) return tl::unexpected(*body.error());
  Transaction transaction(database);
  auto user = findAllowed(transaction, call, kind::kUser, call.path.at("userId"));
  if (!user) return notFound();
  if (auto error = checkHomeRegion(transaction, call)) return tl::unexpected(*error);
  if (auto error = checkIfMatch(call.header("if-match"), user->etag)) return tl::unexpected(*error);
  if (email) user->body["email"] = *email;
  user->body.update(change);
  return answerUpdated(transaction, *user);
}

OperationResult deleteUser(Database& database, const Call& call, KeyDirectory& keys) {
  {
    Transaction transaction(database);
    const auto user = findAllowed(transaction, call, kind::kUser, call.path.at("userId"));
    if (!user) return notFound();
    if (auto error = checkHomeRegion(transaction, call)) return tl::unexpected(*error);
    if (auto error = checkIfMatch(call.header("if-match"), user->etag)) return tl::unexpected(*error);
    auto& member = transaction.sql("SELECT 1 FROM resources WHERE kind = ? AND name = ? LIMIT 1");
    member.bind(1, kind::kGroupMembership);
    member.bind(2, user->id);
    if (member.executeStep())
      return refuse(409, "Conflict", fmt::format("The user {} is still in a group.", user->name));
    removeUserWhole(transaction, user->id);
    transaction.commit();
  }
  keys.forgetAll();
  return emptyResponse(204);
}

// Everybody may look at himself.
OperationResult getUser(Database& database, const Call& call) {
  const std::string& id = call.path.at("userId");
  Transaction transaction(database);
  auto user = findResource(transaction, kind::kUser, id);
  const bool isSelf = call.principal.kind == Principal::Kind::User && call.principal.id == id;
  if (user && !isSelf) user = findAllowed(transaction, call, kind::kUser, id);
  if (!user) return notFound();
  return jsonResponse(user->body, user->etag);
}

}  // namespace

void addUsers(Router& router, Database& database, KeyDirectory& keys) {
  const std::string path = "/20160918/users";
  router.add("GET", path, "ListUsers", [&](const Call& c) {
    return answerList(database, c, identityList(kind::kUser), [](const Resource& user) { return user.body; });
  });
  router.add("POST", path, "CreateUser", [&](const Call& c) { return createUser(database, c); });
  router.add("GET", path + "/{userId}", "GetUser", [&](const Call& c) { return getUser(database, c); });
  router.add("PUT", path + "/{userId}", "UpdateUser", [&](const Call& c) { return updateUser(database, c); });
  router.add("DELETE", path + "/{userId}", "DeleteUser",
             [&](const Call& c) { return deleteUser(database, c, keys); });
}

}  // namespace lockstep::rehearsal
