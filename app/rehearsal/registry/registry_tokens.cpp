// SPDX-License-Identifier: GPL-3.0-or-later
#include <strings.h>

#include "base/encoding.h"
#include "rehearsal/identity/user_store.h"
#include "rehearsal/registry/registry.h"

namespace lockstep::rehearsal {
namespace {

using nlohmann::json;

constexpr long long kLifetimeSeconds = 3600;
constexpr const char* kUse = "registry";  // no other reader of our tokens takes one with this claim
constexpr const char* kBearerUser = "BEARER_TOKEN";

/// For whom a token is, and the auth token that it was given for; none: a signature, or nobody.
struct Holder {
  Principal principal;
  std::string authToken;
};

Answer issueFor(const TokenIssuer& tokens, const Call& call, const Holder& holder) {
  const Principal& principal = holder.principal;
  const long long now = toMillis(call.now) / 1000;
  const auto token = tokens.issue({{"use", kUse},
                                   {"sub", principal.id},
                                   {"principal_kind", static_cast<int>(principal.kind)},
                                   {"tenant", principal.tenancyId},
                                   {"compartment", principal.compartmentId},
                                   {"auth_token", holder.authToken},
                                   {"iat", now},
                                   {"exp", now + kLifetimeSeconds}});
  if (!token) return refuse(500, "InternalServerError", describe(token.error()));
  return jsonReply({{"token", *token},
                    {"access_token", *token},
                    {"expires_in", kLifetimeSeconds},
                    {"issued_at", timeText(now * 1000)},
                    {"scope", call.parameter("scope").value_or("")}});
}

Answer wrongLogin() {
  Reply reply = jsonReply(
      {{"errors",
        json::array({{{"code", "UNAUTHORIZED"},
                      {"message",
                       "the user must be <namespace>/<user name> with an auth token as password, or "
                       "BEARER_TOKEN with a registry token"},
                      {"detail", nullptr}}})}});
  reply.status = 401;
  return reply;
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

bool isThere(Session& session, const std::string& kind, const std::string& id) {
  return findResource(session, kind, id).has_value();
}

// Whoever a token was given to may have gone since, or the auth token that it was given for.
bool mayRenew(Session& session, const Holder& holder) {
  const std::string& id = holder.principal.id;
  switch (holder.principal.kind) {
    case Principal::Kind::User:
      return isThere(session, kind::kUser, id) &&
             (holder.authToken.empty() || isThere(session, kind::kAuthToken, holder.authToken));
    case Principal::Kind::Instance:
      return isThere(session, kind::kInstance, id);
    case Principal::Kind::JobRun: {
      const auto run = findResource(session, kind::kJobRun, id);
      return run && (run->state == "ACCEPTED" || run->state == "IN_PROGRESS" || run->state == "CANCELING" ||
                     run->state == "NEEDS_ATTENTION");
    }
  }
  return false;
}

std::optional<Holder> holderOf(Database& database, const TokenIssuer& tokens, const Call& call,
                               const std::string& user, const std::string& password) {
  if (user == kBearerUser) {
    const auto known = readRegistryToken(tokens, password, call.now);
    if (!known || known->id.empty()) return std::nullopt;
    const Holder holder{*known, tokens.read(password, call.now)->value("auth_token", "")};
    Session session(database);
    return mayRenew(session, holder) ? std::optional(holder) : std::nullopt;
  }
  const std::size_t slash = user.find('/');
  if (slash == std::string::npos) return std::nullopt;
  Session session(database);
  const auto found = findByAuthToken(session, user.substr(0, slash), user.substr(slash + 1), password);
  if (!found) return std::nullopt;
  return Holder{found->user, found->tokenId};
}

Answer openToken(Database& database, const TokenIssuer& tokens, const Call& call) {
  if (!call.header("authorization")) return issueFor(tokens, call, {});
  const auto login = basicLogin(call);
  const auto holder =
      login ? holderOf(database, tokens, call, login->first, login->second) : std::nullopt;
  if (!holder) return wrongLogin();
  return issueFor(tokens, call, *holder);
}

}  // namespace

std::optional<Principal> readRegistryToken(const TokenIssuer& tokens, std::string_view token, TimePoint now) {
  const auto claims = tokens.read(token, now);
  if (!claims || claims->value("use", "") != kUse) return std::nullopt;
  Principal principal;
  principal.kind = static_cast<Principal::Kind>(claims->value("principal_kind", 0));
  principal.id = claims->value("sub", "");
  principal.tenancyId = claims->value("tenant", "");
  principal.compartmentId = claims->value("compartment", "");
  return principal;
}

void addRegistryTokens(Router& services, Router& open, Database& database, const TokenIssuer& tokens) {
  const std::string path = "/20180419/docker/token";
  services.add("GET", path, "GetDockerToken",
               [&tokens](const Call& c) { return issueFor(tokens, c, {c.principal, ""}); });
  open.add("GET", path, "GetDockerToken",
           [&database, &tokens](const Call& c) { return openToken(database, tokens, c); });
}

}  // namespace lockstep::rehearsal
