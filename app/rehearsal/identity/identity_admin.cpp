// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/identity/identity_admin.h"

#include <fmt/format.h>

#include "base/text/encoding.h"
#include "rehearsal/crypto/quick_rsa_key.h"
#include "rehearsal/iam/access.h"
#include "rehearsal/iam/policy_engine.h"
#include "rehearsal/iam/user_store.h"
#include "rehearsal/identity/identity_parts.h"
#include "rehearsal/identity/sign_in.h"
#include "rehearsal/state/well_known.h"

namespace lockstep::rehearsal {
namespace {

struct KeyPair {
  std::string publicPem, fingerprint;
  std::optional<Secret> privateKey;  // when the region made it
};

tl::expected<KeyPair, ServiceError> readOrMakeKey(BodyReader& body) {
  const auto given = body.optionalText("publicKey", 8000);
  auto key = given ? readPublicPem(*given) : makeQuickRsaKey();
  const auto fingerprint = key ? fingerprintOf(*key) : Result<std::string>(failure(key.error()));
  const auto pem = key ? publicPem(*key) : Result<std::string>(failure(key.error()));
  if (!fingerprint || !pem)
    return invalidParameter("The field 'publicKey' must be an RSA public key in PEM form.");
  KeyPair pair{*pem, *fingerprint, std::nullopt};
  if (given) return pair;
  auto secret = privatePem(*key);
  if (!secret) return refuse(500, "InternalServerError", secret.error().what);
  pair.privateKey = std::move(*secret);
  return pair;
}

IdentityDetails detailsOf(const std::string& compartment, const std::string& name,
                          const std::string& description) {
  return {compartment,
          name,
          description,
          {{"freeformTags", nlohmann::json::object()}, {"definedTags", nlohmann::json::object()}}};
}

std::optional<std::string> findNamed(Transaction& transaction, const char* kind,
                                     const std::string& compartment, const std::string& name) {
  auto& select = transaction.sql(
      "SELECT id FROM resources WHERE kind = ? AND compartment = ? AND name = ? COLLATE NOCASE");
  select.bind(1, kind);
  select.bind(2, compartment);
  select.bind(3, name);
  if (!select.executeStep()) return std::nullopt;
  return select.getColumn(0).getString();
}

std::string findOrMakeGroup(Transaction& transaction, const std::string& tenancy, const std::string& name,
                            TimePoint now) {
  if (const auto known = findNamed(transaction, kind::kGroup, tenancy, name)) return *known;
  const Resource group = makeIdentityResource(kind::kGroup, detailsOf(tenancy, name, name), now);
  insertResource(transaction, group);
  return group.id;
}

void join(Transaction& transaction, const std::string& tenancy, const std::string& user,
          const std::string& group, TimePoint now) {
  const long long millis = toMillis(now);
  Resource membership{makeIdentityOcid(kind::kGroupMembership),
                      kind::kGroupMembership,
                      tenancy,
                      group,
                      user,
                      "ACTIVE",
                      makeUuid(),
                      millis,
                      {}};
  membership.body = {{"id", membership.id}, {"compartmentId", tenancy},        {"groupId", group},
                     {"userId", user},      {"timeCreated", timeText(millis)}, {"lifecycleState", "ACTIVE"}};
  insertResource(transaction, membership);
}

nlohmann::json makeUser(Transaction& transaction, const std::string& tenancy, const std::string& name,
                        const std::vector<std::string>& groups, const KeyPair& key, TimePoint now) {
  Resource user = makeIdentityResource(kind::kUser, detailsOf(tenancy, name, name), now);
  user.body.update(userFields());
  insertResource(transaction, user);
  for (const std::string& group : groups)
    join(transaction, tenancy, user.id, findOrMakeGroup(transaction, tenancy, group, now), now);
  saveApiKey(transaction, tenancy, user.id, key.fingerprint, key.publicPem, now);
  nlohmann::json shown{{"userId", user.id},
                       {"tenancyId", tenancy},
                       {"name", name},
                       {"groups", groups},
                       {"fingerprint", key.fingerprint},
                       {"keyId", tenancy + "/" + user.id + "/" + key.fingerprint}};
  if (key.privateKey) shown["privateKey"] = std::string(key.privateKey->reveal());
  return shown;
}

OperationResult createTenancy(Database& database, const Call& call) {
  const auto parsed = parseBody(call.request.body);
  if (!parsed) return tl::unexpected(parsed.error());
  BodyReader body(*parsed);
  const std::string name = body.text("name", 100);
  const std::string home = body.optionalText("homeRegionKey", 10).value_or(kRegionKey);
  if (body.error()) return tl::unexpected(*body.error());
  static const nlohmann::json nobody = nlohmann::json::object();
  BodyReader administrator(body.has("administrator") ? body.json()["administrator"] : nobody,
                           "administrator");
  const std::string user = administrator.optionalText("name", 100).value_or("administrator");
  const auto key = readOrMakeKey(administrator);
  if (administrator.error()) return tl::unexpected(*administrator.error());
  if (!key) return tl::unexpected(key.error());
  Resource tenancy = makeIdentityResource(kind::kTenancy, detailsOf("", name, name), call.now);
  const std::string nameSpace = "ns" + toHex(randomBytes(5));
  tenancy.compartment = tenancy.id;
  tenancy.body["compartmentId"] = tenancy.id;
  tenancy.body["homeRegionKey"] = home;
  tenancy.hidden = {{"namespace", nameSpace}};
  Transaction transaction(database);
  insertResource(transaction, tenancy);
  nlohmann::json shown{{"tenancyId", tenancy.id}, {"name", name}, {"namespace", nameSpace}};
  shown["administrator"] = makeUser(transaction, tenancy.id, user, {"Administrators"}, *key, call.now);
  Resource policy = makeIdentityResource(
      kind::kPolicy, detailsOf(tenancy.id, "Tenant Admin Policy", "Tenant Admin Policy"), call.now);
  policy.body["statements"] = {"Allow group Administrators to manage all-resources in tenancy"};
  policy.body["versionDate"] = nullptr;
  insertResource(transaction, policy);
  transaction.commit();
  return jsonResponse(shown);
}

OperationResult createUser(Database& database, const Call& call) {
  const auto parsed = parseBody(call.request.body);
  if (!parsed) return tl::unexpected(parsed.error());
  BodyReader body(*parsed);
  const std::string name = body.text("name", 100);
  const std::string tenancy = body.optionalText("tenancyId").value_or(seed::kTenancy);
  const auto groups = body.has("groups") ? body.textList("groups") : std::vector<std::string>();
  const auto key = readOrMakeKey(body);
  if (body.error()) return tl::unexpected(*body.error());
  if (!key) return tl::unexpected(key.error());
  Transaction transaction(database);
  if (!findResource(transaction, kind::kTenancy, tenancy)) return notFound();
  if (isNameTaken(transaction, {kind::kUser}, tenancy, name)) return nameTaken("User", name);
  const nlohmann::json shown = makeUser(transaction, tenancy, name, groups, *key, call.now);
  transaction.commit();
  return jsonResponse(shown);
}

OperationResult createSession(Database& database, const TokenIssuer& tokens, const Call& call) {
  const auto parsed = parseBody(call.request.body);
  if (!parsed) return tl::unexpected(parsed.error());
  BodyReader body(*parsed);
  const std::string userId = body.optionalText("userId").value_or(seed::kUser);
  const double minutes = body.optionalNumber("minutes", 1, 60).value_or(60);
  const auto key = readOrMakeKey(body);
  if (body.error()) return tl::unexpected(*body.error());
  if (!key) return tl::unexpected(key.error());
  Transaction transaction(database);
  const auto user = findResource(transaction, kind::kUser, userId);
  if (!user) return notFound();
  const UserSession begun{userId, user->compartment, key->publicPem, call.now,
                          std::chrono::minutes(static_cast<long long>(minutes))};
  const auto token = issueSessionToken(tokens, begun, call.now);
  if (!token) return refuse(500, "InternalServerError", token.error().what);
  nlohmann::json shown{{"token", *token},
                       {"userId", userId},
                       {"tenancyId", user->compartment},
                       {"fingerprint", key->fingerprint},
                       {"timeExpires", timeText(toMillis(call.now + begun.lifetime))}};
  if (key->privateKey) shown["privateKey"] = std::string(key->privateKey->reveal());
  return jsonResponse(shown);
}

OperationResult createInstance(Database& database, const Call& call) {
  const auto parsed = parseBody(call.request.body);
  if (!parsed) return tl::unexpected(parsed.error());
  BodyReader body(*parsed);
  const std::string compartment = body.text("compartmentId");
  const std::string name = body.optionalText("displayName", 255).value_or("instance");
  const nlohmann::json tags = readIdentityTags(body);
  if (body.error()) return tl::unexpected(*body.error());
  Transaction transaction(database);
  const auto tenancy = tenancyOf(transaction, compartment);
  if (!tenancy) return notFound();
  const long long now = toMillis(call.now);
  Resource instance{
      makeOcid(kind::kInstance), kind::kInstance, compartment, "", name, "RUNNING", makeUuid(), now, {}};
  const std::string secret = toBase64Url(randomBytes(24));
  instance.hidden = {{"tenancyId", *tenancy}, {"metadataHash", metadataHash(secret)}};
  instance.body = {{"id", instance.id},
                   {"compartmentId", compartment},
                   {"displayName", name},
                   {"lifecycleState", "RUNNING"},
                   {"timeCreated", timeText(now)}};
  instance.body.update(tags);
  insertResource(transaction, instance);
  transaction.commit();
  return jsonResponse({{"instanceId", instance.id},
                       {"tenancyId", *tenancy},
                       {"metadataPath", "/metadata/" + secret + "/opc/v2"}});
}

std::optional<Principal> findPrincipal(Transaction& transaction, const std::string& id) {
  if (const auto user = findResource(transaction, kind::kUser, id))
    return Principal{Principal::Kind::User, id, user->compartment, ""};
  if (const auto run = findResource(transaction, kind::kJobRun, id))
    return Principal{Principal::Kind::JobRun, id, tenancyOf(transaction, run->compartment).value_or(""),
                     run->compartment};
  if (const auto instance = findResource(transaction, kind::kInstance, id))
    return Principal{Principal::Kind::Instance, id, instance->hidden.value("tenancyId", ""),
                     instance->compartment};
  return std::nullopt;
}

nlohmann::json toJson(const PolicyExplanation& explanation) {
  nlohmann::json needs = nlohmann::json::array();
  for (const PolicyExplanation::Need& need : explanation.needs) {
    nlohmann::json shown{{"anyOf", need.alternatives}, {"granted", nullptr}, {"nearMisses", need.nearMisses}};
    if (need.granted != nullptr)
      shown["granted"] = {{"policyId", need.granted->policyId},
                          {"policy", need.granted->policyName},
                          {"statement", need.granted->text}};
    needs.push_back(std::move(shown));
  }
  return {{"isAllowed", explanation.allowed}, {"reason", explanation.reason}, {"needs", std::move(needs)}};
}

OperationResult explainAccess(Database& database, const Call& call) {
  const auto operation = call.parameter("operation");
  const auto compartment = call.parameter("compartmentId");
  if (!operation || !compartment) return missingParameter(operation ? "compartmentId" : "operation");
  const NeededPermissions* needs = needsOf(*operation);
  if (needs == nullptr) return invalidParameter("The region has no operation '" + *operation + "'.");
  Transaction transaction(database);
  const auto principal = findPrincipal(transaction, call.parameter("principal").value_or(seed::kUser));
  if (!principal) return invalidParameter("The parameter 'principal' is no user, job run or instance.");
  TargetFacts facts;
  for (const auto& [name, value] : call.query)
    if (name.starts_with("target.")) facts.emplace(name, value);
  return jsonResponse(
      toJson(explain(transaction, {*principal, *operation, *compartment, *needs, facts, call.now})));
}

OperationResult listOperations(const Router& services) {
  nlohmann::json list = nlohmann::json::object();
  for (const Route& route : services.routes()) {
    const NeededPermissions* needs = needsOf(route.name);
    nlohmann::json shown = needs == nullptr ? nlohmann::json() : nlohmann::json::array();
    if (needs != nullptr)
      for (const auto& alternatives : *needs) {
        nlohmann::json names = nlohmann::json::array();
        for (const PermissionWord* permission : alternatives) names.push_back(permission->name);
        shown.push_back(std::move(names));
      }
    list[route.name] = std::move(shown);
  }
  return jsonResponse(list);
}

}  // namespace

void addIdentityAdmin(Router& admin, Database& database, const TokenIssuer& tokens, const Router& services) {
  admin.add("GET", "/rehearsal/iam/operations", "ListOperations",
            [&services](const Call&) { return listOperations(services); });
  admin.add("POST", "/rehearsal/tenancies", "MakeTenancy",
            [&database](const Call& c) { return createTenancy(database, c); });
  admin.add("POST", "/rehearsal/users", "MakeUser",
            [&database](const Call& c) { return createUser(database, c); });
  admin.add("POST", "/rehearsal/sessions", "MakeSession",
            [&database, &tokens](const Call& c) { return createSession(database, tokens, c); });
  admin.add("POST", "/rehearsal/instances", "MakeInstance",
            [&database](const Call& c) { return createInstance(database, c); });
  admin.add("GET", "/rehearsal/iam/explain", "ExplainAccess",
            [&database](const Call& c) { return explainAccess(database, c); });
}

}  // namespace lockstep::rehearsal
