// SPDX-License-Identifier: GPL-3.0-or-later
#include <strings.h>

#include <algorithm>

#include "base/text/encoding.h"
#include "rehearsal/iam/signature_verifier.h"
#include "rehearsal/iam/user_store.h"
#include "rehearsal/registry/registry.h"

namespace lockstep::rehearsal {
namespace {

using nlohmann::json;

constexpr long long kLifetimeSeconds = 3600;
constexpr const char* kUse = "registry";  // no other reader of our tokens takes one with this claim
constexpr const char* kBearerUser = "BEARER_TOKEN";

/// For whom a token is, and what it was given for: an auth token or an API key. Neither: a token of a session
/// or of a resource, or nobody.
struct Holder {
  Principal principal;
  std::string authToken, apiKey;
};

OperationResult issueFor(const TokenIssuer& tokens, const Call& call, const Holder& holder) {
  const Principal& principal = holder.principal;
  const long long now = toMillis(call.now) / 1000;
  const auto token = tokens.issue({{"use", kUse},
                                   {"sub", principal.id},
                                   {"principal_kind", static_cast<int>(principal.kind)},
                                   {"tenant", principal.tenancyId},
                                   {"compartment", principal.compartmentId},
                                   {"auth_token", holder.authToken},
                                   {"api_key", holder.apiKey},
                                   {"iat", now},
                                   {"exp", now + kLifetimeSeconds}});
  if (!token) return refuse(500, "InternalServerError", describe(token.error()));
  return jsonResponse({{"token", *token},
                       {"access_token", *token},
                       {"expires_in", kLifetimeSeconds},
                       {"issued_at", timeText(now * 1000)},
                       {"scope", call.parameter("scope").value_or("")}});
}

OperationResult wrongLogin() {
  Response response = jsonResponse(
      {{"errors",
        json::array({{{"code", "UNAUTHORIZED"},
                      {"message",
                       "the user must be <namespace>/<user name> with an auth token as password, or "
                       "BEARER_TOKEN with a registry token"},
                      {"detail", nullptr}}})}});
  response.status = 401;
  return response;
}

// Basic <base64 of user:password>.
std::optional<std::pair<std::string, std::string>> basicLogin(const Call& call) {
  const auto header = call.header("authorization");
  if (!header || ::strncasecmp(header->c_str(), "basic ", 6) != 0 || header->size() > 16'384)
    return std::nullopt;
  const auto text = fromBase64(header->substr(6));
  const std::size_t colon = text ? text->find(':') : std::string::npos;
  if (colon == std::string::npos) return std::nullopt;
  return std::make_pair(text->substr(0, colon), text->substr(colon + 1));
}

bool isThere(Transaction& transaction, const std::string& kind, const std::string& id) {
  return findResource(transaction, kind, id).has_value();
}

bool hasApiKey(Transaction& transaction, const std::string& user, const std::string& keyId) {
  return std::ranges::any_of(apiKeysOf(transaction, user),
                             [&](const auto& key) { return key.keyId == keyId; });
}

// Whoever a token was given to may have gone since, or what it was given for.
bool isInForce(Transaction& transaction, const Holder& holder) {
  const std::string& id = holder.principal.id;
  switch (holder.principal.kind) {
    case Principal::Kind::User:
      return isThere(transaction, kind::kUser, id) &&
             (holder.authToken.empty() || isThere(transaction, kind::kAuthToken, holder.authToken)) &&
             (holder.apiKey.empty() || hasApiKey(transaction, id, holder.apiKey));
    case Principal::Kind::Instance:
      return isThere(transaction, kind::kInstance, id);
    case Principal::Kind::Service:
      return false;
    case Principal::Kind::JobRun: {
      const auto run = findResource(transaction, kind::kJobRun, id);
      return run && (run->state == "ACCEPTED" || run->state == "IN_PROGRESS" || run->state == "CANCELING" ||
                     run->state == "NEEDS_ATTENTION");
    }
  }
  return false;
}

std::optional<Holder> readHolder(const TokenIssuer& tokens, std::string_view token, TimePoint now) {
  const auto claims = tokens.read(token, now);
  if (!claims || claims->value("use", "") != kUse) return std::nullopt;
  Holder holder;
  holder.principal.kind = static_cast<Principal::Kind>(claims->value("principal_kind", 0));
  holder.principal.id = claims->value("sub", "");
  holder.principal.tenancyId = claims->value("tenant", "");
  holder.principal.compartmentId = claims->value("compartment", "");
  holder.authToken = claims->value("auth_token", "");
  holder.apiKey = claims->value("api_key", "");
  return holder;
}

Holder holderBySignature(const Call& call) {
  const std::string keyId = signingKeyId(call.request);
  // The user's own key is <tenancy>/<user>/<fingerprint>; the others are tokens, which end by themselves.
  const bool isApiKey = call.principal.kind == Principal::Kind::User && !keyId.starts_with("ST$");
  return {call.principal, "", isApiKey ? keyId : ""};
}

std::optional<Holder> holderOf(Database& database, const TokenIssuer& tokens, const Call& call,
                               const std::string& user, const std::string& password) {
  if (user == kBearerUser) {
    auto holder = readHolder(tokens, password, call.now);
    if (!holder || holder->principal.id.empty()) return std::nullopt;
    Transaction transaction(database);
    return isInForce(transaction, *holder) ? std::move(holder) : std::nullopt;
  }
  const std::size_t slash = user.find('/');
  if (slash == std::string::npos) return std::nullopt;
  Transaction transaction(database);
  const auto found = findByAuthToken(transaction, user.substr(0, slash), user.substr(slash + 1), password);
  if (!found) return std::nullopt;
  return Holder{found->user, found->tokenId, ""};
}

OperationResult openToken(Database& database, const TokenIssuer& tokens, const Call& call) {
  if (!call.header("authorization")) return issueFor(tokens, call, {});
  const auto login = basicLogin(call);
  const auto holder = login ? holderOf(database, tokens, call, login->first, login->second) : std::nullopt;
  if (!holder) return wrongLogin();
  return issueFor(tokens, call, *holder);
}

}  // namespace

std::optional<Principal> readRegistryToken(Database& database, const TokenIssuer& tokens,
                                           std::string_view token, TimePoint now) {
  const auto holder = readHolder(tokens, token, now);
  if (!holder || holder->principal.id.empty())
    return holder ? std::optional(holder->principal) : std::nullopt;
  Transaction transaction(database);
  return isInForce(transaction, *holder) ? std::optional(holder->principal) : std::nullopt;
}

void addRegistryTokens(Router& services, Router& open, Database& database, const TokenIssuer& tokens) {
  const std::string path = "/20180419/docker/token";
  services.add("GET", path, "GetDockerToken",
               [&tokens](const Call& c) { return issueFor(tokens, c, holderBySignature(c)); });
  open.add("GET", path, "GetDockerToken",
           [&database, &tokens](const Call& c) { return openToken(database, tokens, c); });
}

}  // namespace lockstep::rehearsal
