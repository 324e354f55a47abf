// SPDX-License-Identifier: GPL-3.0-or-later
#include "oci/services/identity_client.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/child_process.h"
#include "base/text/encoding.h"
#include "oci/calls/json_calls.h"
#include "oci/calls/regions.h"
#include "oci/calls/typed_calls.h"

namespace lockstep::oci {
namespace {

constexpr const char* kPageSize = "1000";
constexpr int kMergeAttempts = 4;

Tenancy readTenancy(AnswerFields& f) {
  return {f.text("id"), f.textOr("name"), f.textOr("description"), f.textOr("homeRegionKey")};
}

User readUser(AnswerFields& f) {
  User user{f.text("id"),
            f.textOr("compartmentId"),
            f.textOr("name"),
            f.textOr("description"),
            f.textOr("email"),
            f.textOr("lifecycleState"),
            f.flag("isMfaActivated"),
            true,
            true,
            {}};
  const auto capabilities = f.maybeObject("capabilities", [](AnswerFields& c) {
    return std::pair(c.flag("canUseApiKeys", true), c.flag("canUseAuthTokens", true));
  });
  if (capabilities) std::tie(user.canUseApiKeys, user.canUseAuthTokens) = *capabilities;
  return user;
}

RegionSubscription readSubscription(AnswerFields& f) {
  return {f.text("regionKey"), f.text("regionName"), f.textOr("status"), f.flag("isHomeRegion")};
}

AvailabilityDomain readAvailabilityDomain(AnswerFields& f) {
  return {f.text("name"), f.textOr("id"), f.textOr("compartmentId")};
}

Compartment readCompartment(AnswerFields& f) {
  return {f.text("id"),
          f.textOr("compartmentId"),
          f.textOr("name"),
          f.textOr("description"),
          f.textOr("lifecycleState"),
          f.maybeTime("timeCreated")};
}

Group readGroup(AnswerFields& f) {
  return {f.text("id"), f.textOr("compartmentId"), f.text("name"), f.textOr("description"),
          f.textOr("lifecycleState")};
}

DynamicGroup readDynamicGroup(AnswerFields& f) {
  return {f.text("id"),
          f.textOr("compartmentId"),
          f.text("name"),
          f.textOr("description"),
          f.text("matchingRule"),
          f.textOr("lifecycleState"),
          {}};
}

GroupMembership readMembership(AnswerFields& f) {
  return {f.text("id"), f.textOr("compartmentId"), f.text("groupId"), f.text("userId"),
          f.textOr("lifecycleState")};
}

Policy readPolicy(AnswerFields& f) {
  return {f.text("id"),
          f.textOr("compartmentId"),
          f.text("name"),
          f.textOr("description"),
          f.textOr("lifecycleState"),
          f.texts("statements"),
          f.textOr("versionDate"),
          {}};
}

AuthToken readAuthToken(AnswerFields& f) {
  return {f.text("id"),
          f.textOr("userId"),
          f.textOr("description"),
          f.textOr("lifecycleState"),
          f.maybeTime("timeCreated"),
          f.maybeTime("timeExpires"),
          Secret(f.textOr("token"))};
}

ApiKeyInfo readApiKey(AnswerFields& f) {
  return {f.textOr("keyId"),          f.text("fingerprint"), f.textOr("userId"),
          f.textOr("lifecycleState"), f.textOr("keyValue"),  f.maybeTime("timeCreated")};
}

ServiceCall get(std::string operation, std::string path) {
  return callTo(Service::Identity, std::move(operation), "GET", std::move(path));
}

ServiceCall list(std::string operation, const char* things, const std::string& compartmentId,
                 const char* state = "ACTIVE") {
  return get(std::move(operation),
             pathWith(std::string("/20160918/") + things,
                      {{"compartmentId", compartmentId}, {"lifecycleState", state}, {"limit", kPageSize}}));
}

ServiceCall compartmentsOf(const std::string& tenancyId, const char* accessLevel) {
  return get("ListCompartments", pathWith("/20160918/compartments", {{"compartmentId", tenancyId},
                                                                     {"compartmentIdInSubtree", "true"},
                                                                     {"accessLevel", accessLevel},
                                                                     {"lifecycleState", "ACTIVE"},
                                                                     {"limit", kPageSize}}));
}

std::string inUser(const std::string& userId, const char* things) {
  return fmt::format("/20160918/users/{}/{}", percentEncode(userId), things);
}

// How people write one statement differently without meaning something else.
std::string comparable(const std::string& statement) {
  std::string text;
  for (const char c : statement) {
    const bool blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (!blank)
      text += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    else if (!text.empty() && text.back() != ' ')
      text += ' ';
  }
  while (text.ends_with(' ')) text.pop_back();
  return text;
}

}  // namespace

Result<Tenancy> IdentityClient::getTenancy(const std::string& tenancyId, const std::stop_token& stop) {
  return callForOne(*services_, get("GetTenancy", "/20160918/tenancies/" + percentEncode(tenancyId)), stop,
                    &readTenancy);
}

Result<User> IdentityClient::getUser(const std::string& userId, const std::stop_token& stop) {
  return callForOne(*services_, get("GetUser", "/20160918/users/" + percentEncode(userId)), stop, &readUser);
}

Result<std::vector<RegionSubscription>> IdentityClient::listRegionSubscriptions(const std::string& tenancyId,
                                                                                const std::stop_token& stop) {
  return callForAll(*services_,
                    get("ListRegionSubscriptions",
                        fmt::format("/20160918/tenancies/{}/regionSubscriptions", percentEncode(tenancyId))),
                    stop, &readSubscription);
}

Result<std::vector<AvailabilityDomain>> IdentityClient::listAvailabilityDomains(
    const std::string& compartmentId, const std::stop_token& stop) {
  return callForAll(*services_,
                    get("ListAvailabilityDomains",
                        pathWith("/20160918/availabilityDomains", {{"compartmentId", compartmentId}})),
                    stop, &readAvailabilityDomain);
}

Result<std::vector<Compartment>> IdentityClient::listCompartments(const std::string& tenancyId,
                                                                  const std::stop_token& stop) {
  return callForAll(*services_, compartmentsOf(tenancyId, "ANY"), stop, &readCompartment);
}

Result<std::vector<Compartment>> IdentityClient::listAccessibleCompartments(const std::string& tenancyId,
                                                                            const std::stop_token& stop) {
  return callForAll(*services_, compartmentsOf(tenancyId, "ACCESSIBLE"), stop, &readCompartment);
}

Result<Compartment> IdentityClient::getCompartment(const std::string& compartmentId,
                                                   const std::stop_token& stop) {
  return callForOne(*services_,
                    get("GetCompartment", "/20160918/compartments/" + percentEncode(compartmentId)), stop,
                    &readCompartment);
}

Result<Compartment> IdentityClient::createCompartment(const NewCompartment& compartment,
                                                      const std::string& retryToken,
                                                      const std::stop_token& stop) {
  const auto writer = home(stop);
  if (!writer) return failure(writer.error());
  const nlohmann::ordered_json body{{"compartmentId", compartment.parentId},
                                    {"name", compartment.name},
                                    {"description", compartment.description}};
  return callForOne(
      **writer, postTo(Service::Identity, "CreateCompartment", "/20160918/compartments", body, retryToken),
      stop, &readCompartment);
}

Result<void> IdentityClient::deleteCompartment(const std::string& compartmentId,
                                               const std::stop_token& stop) {
  return remove("DeleteCompartment", "/20160918/compartments/" + percentEncode(compartmentId), {}, stop);
}

Result<std::vector<Group>> IdentityClient::listGroups(const std::string& tenancyId,
                                                      const std::stop_token& stop) {
  return callForAll(*services_, list("ListGroups", "groups", tenancyId), stop, &readGroup);
}

Result<std::vector<DynamicGroup>> IdentityClient::listDynamicGroups(const std::string& tenancyId,
                                                                    const std::stop_token& stop) {
  return callForAll(*services_, list("ListDynamicGroups", "dynamicGroups", tenancyId), stop,
                    &readDynamicGroup);
}

Result<std::vector<GroupMembership>> IdentityClient::listUserGroupMemberships(const std::string& tenancyId,
                                                                              const std::string& userId,
                                                                              const std::string& groupId,
                                                                              const std::stop_token& stop) {
  return callForAll(*services_,
                    get("ListUserGroupMemberships",
                        pathWith("/20160918/userGroupMemberships", {{"compartmentId", tenancyId},
                                                                    {"userId", userId},
                                                                    {"groupId", groupId},
                                                                    {"limit", kPageSize}})),
                    stop, &readMembership);
}

Result<std::vector<Policy>> IdentityClient::listPolicies(const std::string& compartmentId,
                                                         const std::stop_token& stop) {
  return callForAll(*services_, list("ListPolicies", "policies", compartmentId), stop, &readPolicy);
}

Result<Policy> IdentityClient::getPolicy(const std::string& policyId, const std::stop_token& stop) {
  return callForOne(*services_, get("GetPolicy", "/20160918/policies/" + percentEncode(policyId)), stop,
                    &readPolicy);
}

Result<Policy> IdentityClient::createPolicy(const NewPolicy& policy, const std::string& retryToken,
                                            const std::stop_token& stop) {
  const auto writer = home(stop);
  if (!writer) return failure(writer.error());
  const nlohmann::ordered_json body{{"compartmentId", policy.compartmentId},
                                    {"name", policy.name},
                                    {"description", policy.description},
                                    {"statements", policy.statements}};
  return callForOne(**writer,
                    postTo(Service::Identity, "CreatePolicy", "/20160918/policies", body, retryToken), stop,
                    &readPolicy);
}

Result<Policy> IdentityClient::updatePolicy(const std::string& policyId,
                                            const std::vector<std::string>& statements,
                                            const std::string& ifMatch, const std::stop_token& stop) {
  const auto writer = home(stop);
  if (!writer) return failure(writer.error());
  return callForOne(**writer,
                    putTo(Service::Identity, "UpdatePolicy", "/20160918/policies/" + percentEncode(policyId),
                          {{"statements", statements}}, ifMatch),
                    stop, &readPolicy);
}

Result<Policy> IdentityClient::addStatements(const std::string& policyId,
                                             const std::vector<std::string>& statements,
                                             const std::stop_token& stop) {
  for (int attempt = 1;; ++attempt) {
    auto policy = getPolicy(policyId, stop);
    if (!policy) return policy;
    std::vector<std::string> all = policy->statements;
    for (const std::string& statement : statements) {
      const bool known = std::any_of(all.begin(), all.end(), [&](const std::string& there) {
        return comparable(there) == comparable(statement);
      });
      if (!known) all.push_back(statement);
    }
    if (all.size() == policy->statements.size()) return policy;
    auto updated = updatePolicy(policyId, all, policy->etag, stop);
    const bool changedMeanwhile =
        !updated && updated.error().service && updated.error().service->httpStatus == 412;
    if (!changedMeanwhile || attempt == kMergeAttempts) return updated;
  }
}

Result<void> IdentityClient::deletePolicy(const std::string& policyId, const std::string& ifMatch,
                                          const std::stop_token& stop) {
  return remove("DeletePolicy", "/20160918/policies/" + percentEncode(policyId), ifMatch, stop);
}

Result<DynamicGroup> IdentityClient::createDynamicGroup(const NewDynamicGroup& group,
                                                        const std::string& retryToken,
                                                        const std::stop_token& stop) {
  const auto writer = home(stop);
  if (!writer) return failure(writer.error());
  const nlohmann::ordered_json body{{"compartmentId", group.tenancyId},
                                    {"name", group.name},
                                    {"matchingRule", group.matchingRule},
                                    {"description", group.description}};
  return callForOne(
      **writer, postTo(Service::Identity, "CreateDynamicGroup", "/20160918/dynamicGroups", body, retryToken),
      stop, &readDynamicGroup);
}

Result<DynamicGroup> IdentityClient::getDynamicGroup(const std::string& groupId,
                                                     const std::stop_token& stop) {
  return callForOne(*services_, get("GetDynamicGroup", "/20160918/dynamicGroups/" + percentEncode(groupId)),
                    stop, &readDynamicGroup);
}

Result<DynamicGroup> IdentityClient::updateDynamicGroup(const std::string& groupId,
                                                        const std::string& matchingRule,
                                                        const std::string& ifMatch,
                                                        const std::stop_token& stop) {
  const auto writer = home(stop);
  if (!writer) return failure(writer.error());
  return callForOne(
      **writer,
      putTo(Service::Identity, "UpdateDynamicGroup", "/20160918/dynamicGroups/" + percentEncode(groupId),
            {{"matchingRule", matchingRule}}, ifMatch),
      stop, &readDynamicGroup);
}

Result<void> IdentityClient::deleteDynamicGroup(const std::string& groupId, const std::string& ifMatch,
                                                const std::stop_token& stop) {
  return remove("DeleteDynamicGroup", "/20160918/dynamicGroups/" + percentEncode(groupId), ifMatch, stop);
}

Result<std::vector<AuthToken>> IdentityClient::listAuthTokens(const std::string& userId,
                                                              const std::stop_token& stop) {
  return callForAll(*services_, get("ListAuthTokens", inUser(userId, "authTokens")), stop, &readAuthToken);
}

Result<AuthToken> IdentityClient::createAuthToken(const std::string& userId, const std::string& description,
                                                  const std::string& retryToken,
                                                  const std::stop_token& stop) {
  const auto writer = home(stop);
  if (!writer) return failure(writer.error());
  return callForOne(**writer,
                    postTo(Service::Identity, "CreateAuthToken", inUser(userId, "authTokens"),
                           {{"description", description}}, retryToken),
                    stop, &readAuthToken);
}

Result<std::vector<ApiKeyInfo>> IdentityClient::listApiKeys(const std::string& userId,
                                                            const std::stop_token& stop) {
  return callForAll(*services_, get("ListApiKeys", inUser(userId, "apiKeys")), stop, &readApiKey);
}

Result<ApiKeyInfo> IdentityClient::uploadApiKey(const std::string& userId, const std::string& publicKeyPem,
                                                const std::string& retryToken, const std::stop_token& stop) {
  const auto writer = home(stop);
  if (!writer) return failure(writer.error());
  return callForOne(**writer,
                    postTo(Service::Identity, "UploadApiKey", inUser(userId, "apiKeys"),
                           {{"key", publicKeyPem}}, retryToken),
                    stop, &readApiKey);
}

Result<void> IdentityClient::remove(const char* operation, const std::string& path,
                                    const std::string& ifMatch, const std::stop_token& stop) {
  const auto writer = home(stop);
  if (!writer) return failure(writer.error());
  ServiceCall call = callTo(Service::Identity, operation, "DELETE", path);
  if (!ifMatch.empty()) call.headers.emplace_back("if-match", ifMatch);
  return callForNothing(**writer, call, stop);
}

Result<std::shared_ptr<ServiceClient>> IdentityClient::home(const std::stop_token& stop) {
  if (tenancyId_.empty()) return services_;
  const std::lock_guard lock(mutex_);
  if (home_ != nullptr) return home_;
  auto found = inHomeRegion(services_, tenancyId_, stop);
  if (found) home_ = *found;
  return found;
}

Result<std::shared_ptr<ServiceClient>> inHomeRegion(const std::shared_ptr<ServiceClient>& services,
                                                    const std::string& tenancyId,
                                                    const std::stop_token& stop) {
  if (!services->setup().endpoint.empty()) return services;
  const auto subscriptions = IdentityClient(services).listRegionSubscriptions(tenancyId, stop);
  if (!subscriptions) return failure(subscriptions.error());
  const auto found = std::find_if(subscriptions->begin(), subscriptions->end(),
                                  [](const RegionSubscription& one) { return one.isHomeRegion; });
  if (found == subscriptions->end()) {
    return failure(ErrorCode::DataLoss,
                   fmt::format("cannot tell the home region of the tenancy '{}'", tenancyId),
                   "none of its region subscriptions is the home region");
  }
  if (regionFor(services->setup().region, currentEnvironment()).id == found->regionName) return services;
  ServiceClient::Setup setup = services->setup();
  setup.region = found->regionName;
  return std::make_shared<ServiceClient>(std::move(setup));
}

}  // namespace lockstep::oci
