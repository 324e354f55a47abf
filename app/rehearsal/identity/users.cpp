// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include "rehearsal/front/retry_tokens.h"
#include "rehearsal/identity/access.h"
#include "rehearsal/identity/identity_parts.h"
#include "rehearsal/identity/key_directory.h"
#include "rehearsal/identity/user_store.h"

namespace lockstep::rehearsal {
namespace {

Answer createUser(Database& database, const Call& call) {
  const auto parsed = parseBody(call.request.body);
  if (!parsed) return tl::unexpected(parsed.error());
  BodyReader body(*parsed);
  const IdentityDetails details = readDetails(body);
  const auto email = body.optionalText("email", 255);
  if (body.refusal()) return tl::unexpected(*body.refusal());
  Session session(database);
  if (auto again = replayed(session, call, call.operation)) return *again;
  if (!mayIn(session, call, details.compartment)) return notFound();
  if (auto refusal = checkHomeRegion(session, call)) return tl::unexpected(*refusal);
  if (details.compartment != call.principal.tenancyId)
    return invalidParameter("User can only be created in the tenancy compartment");
  if (isNameTaken(session, {kind::kUser}, details.compartment, details.name))
    return nameTaken("User", details.name);
  Resource user = makeIdentityResource(kind::kUser, details, call.now);
  user.body.update(userFields());
  if (email) user.body.update({{"email", *email}, {"emailVerified", false}});
  return answerCreated(session, call, user);
}

Answer updateUser(Database& database, const Call& call) {
  const auto parsed = parseBody(call.request.body);
  if (!parsed) return tl::unexpected(parsed.error());
  BodyReader body(*parsed);
  const auto description = body.optionalText("description", 400);
  const auto email = body.optionalText("email", 255);
  const nlohmann::json tags = readIdentityTags(body);
  if (body.refusal()) return tl::unexpected(*body.refusal());
  Session session(database);
  auto user = findAllowed(session, call, kind::kUser, call.path.at("userId"));
  if (!user) return notFound();
  if (auto refusal = checkHomeRegion(session, call)) return tl::unexpected(*refusal);
  if (auto refusal = checkIfMatch(call.header("if-match"), user->etag)) return tl::unexpected(*refusal);
  if (description) user->body["description"] = *description;
  if (email) user->body["email"] = *email;
  for (const char* field : {"freeformTags", "definedTags"})
    if (body.has(field)) user->body[field] = tags[field];
  return answerUpdated(session, *user);
}

Answer deleteUser(Database& database, const Call& call, KeyDirectory& keys) {
  {
    Session session(database);
    const auto user = findAllowed(session, call, kind::kUser, call.path.at("userId"));
    if (!user) return notFound();
    if (auto refusal = checkHomeRegion(session, call)) return tl::unexpected(*refusal);
    if (auto refusal = checkIfMatch(call.header("if-match"), user->etag)) return tl::unexpected(*refusal);
    auto& member = session.sql("SELECT 1 FROM resources WHERE kind = ? AND name = ? LIMIT 1");
    member.bind(1, kind::kGroupMembership);
    member.bind(2, user->id);
    if (member.executeStep())
      return refuse(409, "Conflict", fmt::format("The user {} is still in a group.", user->name));
    removeUserWhole(session, user->id);
    session.commit();
  }
  keys.forgetAll();
  return emptyReply(204);
}

// Everybody may look at himself.
Answer getUser(Database& database, const Call& call) {
  const std::string& id = call.path.at("userId");
  Session session(database);
  auto user = findResource(session, kind::kUser, id);
  const bool isSelf = call.principal.kind == Principal::Kind::User && call.principal.id == id;
  if (user && !isSelf) user = findAllowed(session, call, kind::kUser, id);
  if (!user) return notFound();
  return jsonReply(user->body, user->etag);
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
