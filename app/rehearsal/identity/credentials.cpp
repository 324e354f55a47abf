// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include "base/text/encoding.h"
#include "rehearsal/iam/access.h"
#include "rehearsal/iam/key_directory.h"
#include "rehearsal/iam/user_store.h"
#include "rehearsal/identity/identity_parts.h"
#include "rehearsal/service/retry_tokens.h"

namespace lockstep::rehearsal {
namespace {

constexpr std::size_t kMaxAuthTokens = 2;
constexpr std::size_t kMaxApiKeys = 3;

// Users look after their own credentials without a policy; those of others need one.
std::optional<Resource> findOwner(Transaction& transaction, const Call& call) {
  const std::string& id = call.path.at("userId");
  if (call.principal.kind == Principal::Kind::User && call.principal.id == id)
    return findResource(transaction, kind::kUser, id);
  return findAllowed(transaction, call, kind::kUser, id);
}

tl::unexpected<ServiceError> tooMany(const char* what, std::size_t max) {
  return refuse(400, "LimitExceeded", fmt::format("A user has at most {} {}.", max, what));
}

std::vector<Resource> authTokensOf(Transaction& transaction, const std::string& userId) {
  ListQuery query;
  query.kind = kind::kAuthToken;
  query.parent = userId;
  query.limit = 100;
  const auto page = listResources(transaction, query);
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
OperationResult createAuthToken(Database& database, const Call& call) {
  const auto parsed = parseBody(call.request.body);
  if (!parsed) return tl::unexpected(parsed.error());
  BodyReader body(*parsed);
  const std::string description = body.text("description", 400);
  if (body.error()) return tl::unexpected(*body.error());
  Transaction transaction(database);
  if (auto again = replayed(transaction, call, call.operation)) return *again;
  const auto user = findOwner(transaction, call);
  if (!user) return notFound();
  if (auto error = checkHomeRegion(transaction, call)) return tl::unexpected(*error);
  if (authTokensOf(transaction, user->id).size() >= kMaxAuthTokens)
    return tooMany("auth tokens", kMaxAuthTokens);
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
  insertResource(transaction, token);
  remember(transaction, call, call.operation, jsonResponse(token.body, token.etag));
  transaction.commit();
  nlohmann::json shown = token.body;
  shown["token"] = secret;
  return jsonResponse(shown, token.etag);
}

OperationResult listAuthTokens(Database& database, const Call& call) {
  Transaction transaction(database);
  const auto user = findOwner(transaction, call);
  if (!user) return notFound();
  nlohmann::json list = nlohmann::json::array();
  for (const Resource& token : authTokensOf(transaction, user->id)) list.push_back(token.body);
  return jsonResponse(list);
}

OperationResult changeAuthToken(Database& database, const Call& call) {
  std::optional<std::string> description;
  if (call.operation == "UpdateAuthToken") {
    const auto parsed = parseBody(call.request.body);
    if (!parsed) return tl::unexpected(parsed.error());
    BodyReader body(*parsed);
    description = body.optionalText("description", 400);
    if (body.error()) return tl::unexpected(*body.error());
  }
  Transaction transaction(database);
  const auto user = findOwner(transaction, call);
  auto token = findResource(transaction, kind::kAuthToken, call.path.at("id"));
  if (!user || !token || token->parent != user->id) return notFound();
  if (auto error = checkHomeRegion(transaction, call)) return tl::unexpected(*error);
  if (auto error = checkIfMatch(call.header("if-match"), token->etag)) return tl::unexpected(*error);
  if (call.operation == "UpdateAuthToken") {
    if (description) token->body["description"] = *description;
    return answerUpdated(transaction, *token);
  }
  removeResource(transaction, token->id);
  transaction.commit();
  return emptyResponse(204);
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

OperationResult listApiKeys(Database& database, const Call& call) {
  Transaction transaction(database);
  const auto user = findOwner(transaction, call);
  if (!user) return notFound();
  nlohmann::json list = nlohmann::json::array();
  for (const StoredApiKey& key : apiKeysOf(transaction, user->id)) list.push_back(shownKey(key, user->id));
  return jsonResponse(list);
}

OperationResult uploadApiKey(Database& database, const Call& call) {
  const auto parsed = parseBody(call.request.body);
  if (!parsed) return tl::unexpected(parsed.error());
  BodyReader body(*parsed);
  const std::string pem = body.text("key", 8000);
  if (body.error()) return tl::unexpected(*body.error());
  const auto key = readPublicPem(pem);
  const auto fingerprint =
      key && isRsaKey(*key) ? fingerprintOf(*key) : Result<std::string>(failure(ErrorCode::Internal, ""));
  if (!fingerprint)
    return invalidParameter("The field 'key' must be an RSA public key in PEM form, of 2048 bits or more.");
  Transaction transaction(database);
  if (auto again = replayed(transaction, call, call.operation)) return *again;
  const auto user = findOwner(transaction, call);
  if (!user) return notFound();
  if (auto error = checkHomeRegion(transaction, call)) return tl::unexpected(*error);
  if (apiKeysOf(transaction, user->id).size() >= kMaxApiKeys) return tooMany("API keys", kMaxApiKeys);
  if (!saveApiKey(transaction, user->compartment, user->id, *fingerprint, pem, call.now))
    return nameTaken("API key", *fingerprint);
  const std::string keyId = user->compartment + "/" + user->id + "/" + *fingerprint;
  const Response response =
      jsonResponse(shownKey({keyId, *fingerprint, pem, toMillis(call.now)}, user->id), makeUuid());
  remember(transaction, call, call.operation, response);
  transaction.commit();
  return response;
}

OperationResult deleteApiKey(Database& database, const Call& call, KeyDirectory& keys) {
  {
    Transaction transaction(database);
    const auto user = findOwner(transaction, call);
    if (!user) return notFound();
    if (auto error = checkHomeRegion(transaction, call)) return tl::unexpected(*error);
    const std::string keyId = user->compartment + "/" + user->id + "/" + call.path.at("fingerprint");
    bool isKnown = false;
    for (const StoredApiKey& key : apiKeysOf(transaction, user->id)) isKnown = isKnown || key.keyId == keyId;
    if (!isKnown) return notFound();
    removeApiKey(transaction, keyId);
    transaction.commit();
  }
  keys.forgetAll();
  return emptyResponse(204);
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
