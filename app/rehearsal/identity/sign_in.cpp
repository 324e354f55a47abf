// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/identity/sign_in.h"

#include <openssl/crypto.h>
#include <unistd.h>

#include "base/digest.h"
#include "base/text/encoding.h"
#include "rehearsal/service/body_reader.h"
#include "rehearsal/state/resources.h"

namespace lockstep::rehearsal {
namespace {

constexpr std::chrono::hours kRenewable{24};
constexpr std::chrono::minutes kInstanceToken{20};

long long secondsOf(TimePoint time) {
  return std::chrono::floor<std::chrono::seconds>(time).time_since_epoch().count();
}

tl::unexpected<ServiceError> notAuthenticated() {
  return refuse(401, "NotAuthenticated",
                "The required information to complete authentication was not provided or was incorrect.");
}

// A token that has expired, or a session older than a day, is not renewed: its user signs in again.
OperationResult refreshToken(const TokenIssuer& tokens, const Call& call) {
  const auto parsed = parseBody(call.request.body);
  if (!parsed) return tl::unexpected(parsed.error());
  BodyReader body(*parsed);
  const std::string current = body.text("currentToken", 16000);
  if (body.error()) return tl::unexpected(*body.error());
  const auto claims = tokens.read(current, call.now);
  if (!claims || claims->value("ptype", "") != "user" || claims->value("sub", "") != call.principal.id)
    return notAuthenticated();
  UserSession session{call.principal.id, call.principal.tenancyId, claims->value("session_key", ""),
                      TimePoint{std::chrono::seconds(claims->value("session_began", 0LL))},
                      std::chrono::minutes(claims->value("session_minutes", 60))};
  if (call.now - session.began > kRenewable) return notAuthenticated();
  const auto token = issueSessionToken(tokens, session, call.now);
  if (!token) return refuse(500, "InternalServerError", token.error().what);
  return jsonResponse({{"token", *token}});
}

// Only an API key begins a session: a token could otherwise renew itself for ever.
bool signedWithApiKey(const Call& call) {
  return call.principal.kind == Principal::Kind::User &&
         call.header("authorization").value_or("").find("ST$") == std::string::npos;
}

OperationResult generateToken(const TokenIssuer& tokens, const Call& call) {
  const auto parsed = parseBody(call.request.body);
  if (!parsed) return tl::unexpected(parsed.error());
  BodyReader body(*parsed);
  const std::string publicKey = body.text("publicKey", 8000);
  const double minutes = body.optionalNumber("sessionExpirationInMinutes", 5, 60).value_or(60);
  if (body.error()) return tl::unexpected(*body.error());
  if (!signedWithApiKey(call)) return notAuthenticated();
  const auto key = readPublicPem(publicKey);
  const auto pem = key ? publicPem(*key) : Result<std::string>(failure(key.error()));
  if (!pem || !isRsaKey(*key))
    return invalidParameter("The field 'publicKey' must be an RSA public key in PEM form.");
  const UserSession session{call.principal.id, call.principal.tenancyId, *pem, call.now,
                            std::chrono::minutes(static_cast<long long>(minutes))};
  const auto token = issueSessionToken(tokens, session, call.now);
  if (!token) return refuse(500, "InternalServerError", token.error().what);
  return jsonResponse({{"token", *token}});
}

std::string withArmour(const std::string& base64) {
  std::string pem = "-----BEGIN PUBLIC KEY-----\n";
  for (std::size_t at = 0; at < base64.size(); at += 64) pem += base64.substr(at, 64) + "\n";
  return pem + "-----END PUBLIC KEY-----\n";
}

// The request is signed with the leaf key of the certificate that it carries.
OperationResult federate(const TokenIssuer& tokens, const InstanceIdentities& instances, const Call& call) {
  const auto parsed = parseBody(call.request.body);
  if (!parsed) return tl::unexpected(parsed.error());
  BodyReader body(*parsed);
  const std::string certificate = body.text("certificate", 16000);
  const std::string publicKey = body.text("publicKey", 4000);
  const auto purpose = body.optionalText("purpose", 100);
  if (body.error()) return tl::unexpected(*body.error());
  if (call.principal.kind != Principal::Kind::Instance ||
      !instances.isLeafOf(call.principal, certificate, call.now))
    return notAuthenticated();
  const auto key = readPublicPem(withArmour(publicKey));
  const auto pem = key ? publicPem(*key) : Result<std::string>(failure(key.error()));
  if (!pem) return invalidParameter("The field 'publicKey' must be a public key without its PEM armour.");
  const Principal& p = call.principal;
  const auto token = tokens.issue({{"sub", p.id},
                                   {"iss", "rehearsal"},
                                   {"iat", secondsOf(call.now)},
                                   {"exp", secondsOf(call.now + kInstanceToken)},
                                   {"ptype", "instance"},
                                   {"tenant", p.tenancyId},
                                   {"res_tenant", p.tenancyId},
                                   {"res_compartment", p.compartmentId},
                                   {"session_key", *pem}});
  if (!token) return refuse(500, "InternalServerError", token.error().what);
  return jsonResponse({{"token", *token}});
}

Response textResponse(std::string text) {
  Response response;
  response.contentType = "text/plain";
  response.body = std::move(text);
  return response;
}

// Loopback is everybody's on this machine, where OCI's address is an instance's alone.
bool isFromOwner(const Call& call) {
  const auto user = call.request.peerUser ? call.request.peerUser() : std::nullopt;
  return user && (*user == ::geteuid() || *user == 0);
}

struct Metadata {
  Database& database;
  InstanceIdentities& instances;
  nlohmann::json regionInfo;

  [[nodiscard]] std::optional<Resource> find(const Call& call) const {
    Transaction transaction(database);
    const auto all = resourcesInState(transaction, kind::kInstance, "RUNNING");
    const auto secret = call.path.find("secret");
    if (secret == call.path.end()) return all.empty() ? std::nullopt : std::optional(all.back());
    const std::string hash = metadataHash(secret->second);
    for (const Resource& instance : all) {
      const std::string known = instance.hidden.value("metadataHash", "");
      if (known.size() == hash.size() && CRYPTO_memcmp(known.data(), hash.data(), hash.size()) == 0)
        return instance;
    }
    return std::nullopt;
  }

  [[nodiscard]] OperationResult answer(const Call& call) const {
    if (call.header("authorization") != "Bearer Oracle")
      return refuse(401, "NotAuthenticated", "The header 'Authorization: Bearer Oracle' is missing.");
    const auto instance = find(call);
    if (!instance) return refuse(404, "NotFound", "This region has no such instance.");
    const std::string& path = call.path.at("path");
    if (path.starts_with("identity/")) {
      if (!call.path.contains("secret") && !isFromOwner(call))
        return refuse(404, "NotFound", "The identity of an instance stands below its own metadata path.");
      return identity(path.substr(9), *instance, call.now);
    }
    nlohmann::json body{{"id", instance->id},
                        {"displayName", instance->name},
                        {"compartmentId", instance->compartment},
                        {"tenantId", instance->hidden.value("tenancyId", "")},
                        {"region", regionInfo.value("regionIdentifier", "")},
                        {"canonicalRegionName", regionInfo.value("regionIdentifier", "")},
                        {"regionInfo", regionInfo},
                        {"definedTags", instance->body.value("definedTags", nlohmann::json::object())}};
    if (path == "instance" || path == "instance/") return jsonResponse(body);
    if (!path.starts_with("instance/")) return refuse(404, "NotFound", "There is no such metadata.");
    const auto value = body.find(path.substr(9));
    if (value == body.end()) return refuse(404, "NotFound", "There is no such metadata.");
    return value->is_string() ? textResponse(value->get<std::string>()) : jsonResponse(*value);
  }

  [[nodiscard]] OperationResult identity(const std::string& name, const Resource& instance,
                                         TimePoint now) const {
    const Principal principal{Principal::Kind::Instance, instance.id, instance.hidden.value("tenancyId", ""),
                              instance.compartment};
    const auto leaf = instances.leafOf(principal, now);
    const auto intermediate = instances.intermediate(now);
    if (!leaf || !intermediate)
      return refuse(500, "InternalServerError", "The certificates could not be made.");
    if (name == "cert.pem") return textResponse(leaf->certificate);
    if (name == "intermediate.pem") return textResponse(*intermediate);
    if (name != "key.pem") return refuse(404, "NotFound", "There is no such metadata.");
    const auto pem = privatePem(leaf->key);
    if (!pem) return refuse(500, "InternalServerError", pem.error().what);
    return textResponse(std::string(pem->reveal()));
  }
};

}  // namespace

std::string metadataHash(const std::string& secret) {
  return toHex(sha256("lockstep metadata path\n" + secret));
}

Result<std::string> issueSessionToken(const TokenIssuer& tokens, const UserSession& session, TimePoint now) {
  return tokens.issue({{"sub", session.userId},
                       {"iss", "rehearsal"},
                       {"iat", secondsOf(now)},
                       {"exp", secondsOf(now + session.lifetime)},
                       {"ptype", "user"},
                       {"tenant", session.tenancyId},
                       {"session_began", secondsOf(session.began)},
                       {"session_minutes", session.lifetime.count()},
                       {"jti", makeUuid()},
                       {"session_key", session.publicPem}});
}

void addSignIn(Router& router, const TokenIssuer& tokens, const InstanceIdentities& instances) {
  router.add("POST", "/v1/authentication/refresh", "RefreshSessionToken",
             [&](const Call& call) { return refreshToken(tokens, call); });
  router.add("POST", "/v1/token/upst/actions/GenerateUpst", "GenerateUpst",
             [&](const Call& call) { return generateToken(tokens, call); });
  router.add("POST", "/v1/x509", "FederateInstance",
             [&](const Call& call) { return federate(tokens, instances, call); });
}

void addInstanceMetadata(Router& open, Database& database, InstanceIdentities& instances,
                         const nlohmann::json& regionInfo) {
  const auto metadata = std::make_shared<const Metadata>(Metadata{database, instances, regionInfo});
  const auto answer = [metadata](const Call& call) { return metadata->answer(call); };
  open.add("GET", "/opc/v2/{*path}", "GetInstanceMetadata", answer);
  open.add("GET", "/metadata/{secret}/opc/v2/{*path}", "GetInstanceMetadata", answer);
}

}  // namespace lockstep::rehearsal
