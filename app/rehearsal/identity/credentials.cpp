// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include "base/encoding.h"
#include "rehearsal/front/retry_tokens.h"
#include "rehearsal/identity/access.h"
#include "rehearsal/identity/identity_parts.h"
#include "rehearsal/identity/key_directory.h"
#include "rehearsal/identity/user_store.h"

namespace lockstep::rehearsal {
namespace {

constexpr std::size_t kMostAuthTokens = 2;
constexpr std::size_t kMostApiKeys = 3;

// Users look after their own credentials without a policy; those of others need one.
std::optional<Resource> findOwner(Session& session, const Call& call) {
  const std::string& id = call.path.at("userId");
  if (call.principal.kind == Principal::Kind::User && call.principal.id == id)
    return findResource(session, kind::kUser, id);
  return findAllowed(session, call, kind::kUser, id);
}

tl::unexpected<Refusal> tooMany(const char* what, std::size_t most) {
  return refuse(400, "LimitExceeded", fmt::format("A user has at most {} {}.", most, what));
}

std::vector<Resource> authTokensOf(Session& session, const std::string& userId) {
  ListQuery query;
  query.kind = kind::kAuthToken;
  query.parent = userId;
  query.limit = 100;
  const auto page = listResources(session, query);
  return page ? page->items : std::vector<Resource>();
}

// Without '/' and blanks: it is typed and pasted.
std::string makeAuthToken() {
  constexpr std::string_view signs = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789#.;[]<>(){}";
  std::string token;
  while (token.size() < 20)
    for (const char byte : randomBytes(32)) {
      const auto index = static_cast<unsigned char>(byte);
      if (token.size() < 20 && index < 3 * signs.size())
        token += signs[index % signs.size()];  // without a bias
    }
  return token;
}

// The token itself is in this one answer and nowhere else: a retry gets the answer without it, and what is
// kept is a hash.
Answer createAuthToken(Database& database, const Call& call) {
  const auto parsed = parseBody(call.request.body);
  if (!parsed) return tl::unexpected(parsed.error());
  BodyReader body(*parsed);
  const std::string description = body.text("description", 400);
  if (body.refusal()) return tl::unexpected(*body.refusal());
  Session session(database);
  if (auto again = replayed(session, call, call.operation)) return *again;
  const auto user = findOwner(session, call);
  if (!user) return notFound();
  if (auto refusal = checkHomeRegion(session, call)) return tl::unexpected(*refusal);
  if (authTokensOf(session, user->id).size() >= kMostAuthTokens)
    return tooMany("auth tokens", kMostAuthTokens);
  const std::string secret = makeAuthToken();
  const long long now = toMillis(call.now);
  Resource token{makeIdentityOcid(kind::kAuthToken),
                 kind::kAuthToken,
                 user->compartment,
                 user->id,
                 "",
                 "ACTIVE",
                 makeUuid(),
                 now,
                 {}};
  token.hidden = {{"hash", authTokenHash(secret)}};
  token.body = {{"id", token.id},
                {"userId", user->id},
                {"description", description},
                {"timeCreated", timeText(now)},
                {"timeExpires", nullptr},
                {"inactiveStatus", nullptr},
                {"lifecycleState", "ACTIVE"}};
  insertResource(session, token);
  remember(session, call, call.operation, jsonReply(token.body, token.etag));
  session.commit();
  nlohmann::json shown = token.body;
  shown["token"] = secret;
  return jsonReply(shown, token.etag);
}

Answer listAuthTokens(Database& database, const Call& call) {
  Session session(database);
  const auto user = findOwner(session, call);
  if (!user) return notFound();
  nlohmann::json list = nlohmann::json::array();
  for (const Resource& token : authTokensOf(session, user->id)) list.push_back(token.body);
  return jsonReply(list);
}

Answer changeAuthToken(Database& database, const Call& call) {
  std::optional<std::string> description;
  if (call.operation == "UpdateAuthToken") {
    const auto parsed = parseBody(call.request.body);
    if (!parsed) return tl::unexpected(parsed.error());
    BodyReader body(*parsed);
    description = body.optionalText("description", 400);
    if (body.refusal()) return tl::unexpected(*body.refusal());
  }
  Session session(database);
  const auto user = findOwner(session, call);
  auto token = findResource(session, kind::kAuthToken, call.path.at("id"));
  if (!user || !token || token->parent != user->id) return notFound();
  if (auto refusal = checkHomeRegion(session, call)) return tl::unexpected(*refusal);
  if (auto refusal = checkIfMatch(call.header("if-match"), token->etag)) return tl::unexpected(*refusal);
  if (call.operation == "UpdateAuthToken") {
    if (description) token->body["description"] = *description;
    return answerUpdated(session, *token);
  }
  removeResource(session, token->id);
  session.commit();
  return emptyReply(204);
}

nlohmann::json shownKey(const StoredApiKey& key, const std::string& userId) {
  return {{"keyId", key.keyId},
          {"keyValue", key.pem},
          {"fingerprint", key.fingerprint},
          {"userId", userId},
          {"timeCreated", timeText(key.created)},
          {"inactiveStatus", nullptr},
          {"lifecycleState", "ACTIVE"}};
}

Answer listApiKeys(Database& database, const Call& call) {
  Session session(database);
  const auto user = findOwner(session, call);
  if (!user) return notFound();
  nlohmann::json list = nlohmann::json::array();
  for (const StoredApiKey& key : apiKeysOf(session, user->id)) list.push_back(shownKey(key, user->id));
  return jsonReply(list);
}

Answer uploadApiKey(Database& database, const Call& call) {
  const auto parsed = parseBody(call.request.body);
  if (!parsed) return tl::unexpected(parsed.error());
  BodyReader body(*parsed);
  const std::string pem = body.text("key", 8000);
  if (body.refusal()) return tl::unexpected(*body.refusal());
  const auto key = readPublicPem(pem);
  const auto fingerprint =
      key && isRsaKey(*key) ? fingerprintOf(*key) : Result<std::string>(failure(StatusCode::Internal, ""));
  if (!fingerprint)
    return invalidParameter("The field 'key' must be an RSA public key in PEM form, of 2048 bits or more.");
  Session session(database);
  if (auto again = replayed(session, call, call.operation)) return *again;
  const auto user = findOwner(session, call);
  if (!user) return notFound();
  if (auto refusal = checkHomeRegion(session, call)) return tl::unexpected(*refusal);
  if (apiKeysOf(session, user->id).size() >= kMostApiKeys) return tooMany("API keys", kMostApiKeys);
  if (!saveApiKey(session, user->compartment, user->id, *fingerprint, pem, call.now))
    return nameTaken("API key", *fingerprint);
  const std::string keyId = user->compartment + "/" + user->id + "/" + *fingerprint;
  const Reply reply =
      jsonReply(shownKey({keyId, *fingerprint, pem, toMillis(call.now)}, user->id), makeUuid());
  remember(session, call, call.operation, reply);
  session.commit();
  return reply;
}

Answer deleteApiKey(Database& database, const Call& call, KeyDirectory& keys) {
  {
    Session session(database);
    const auto user = findOwner(session, call);
    if (!user) return notFound();
    if (auto refusal = checkHomeRegion(session, call)) return tl::unexpected(*refusal);
    const std::string keyId = user->compartment + "/" + user->id + "/" + call.path.at("fingerprint");
    bool isKnown = false;
    for (const StoredApiKey& key : apiKeysOf(session, user->id)) isKnown = isKnown || key.keyId == keyId;
    if (!isKnown) return notFound();
    removeApiKey(session, keyId);
    session.commit();
  }
  keys.forgetAll();
  return emptyReply(204);
}

}  // namespace

void addCredentials(Router& router, Database& database, KeyDirectory& keys) {
  const std::string user = "/20160918/users/{userId}";
  const std::string tokens = user + "/authTokens", apiKeys = user + "/apiKeys";
  router.add("GET", tokens, "ListAuthTokens", [&](const Call& c) { return listAuthTokens(database, c); });
  router.add("POST", tokens, "CreateAuthToken", [&](const Call& c) { return createAuthToken(database, c); });
  router.add("PUT", tokens + "/{id}", "UpdateAuthToken",
             [&](const Call& c) { return changeAuthToken(database, c); });
  router.add("DELETE", tokens + "/{id}", "DeleteAuthToken",
             [&](const Call& c) { return changeAuthToken(database, c); });
  router.add("GET", apiKeys, "ListApiKeys", [&](const Call& c) { return listApiKeys(database, c); });
  router.add("POST", apiKeys, "UploadApiKey", [&](const Call& c) { return uploadApiKey(database, c); });
  router.add("DELETE", apiKeys + "/{fingerprint}", "DeleteApiKey",
             [&](const Call& c) { return deleteApiKey(database, c, keys); });
}

}  // namespace lockstep::rehearsal
