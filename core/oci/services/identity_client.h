// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <mutex>
#include <string>
#include <vector>

#include "oci/calls/service_client.h"
#include "oci/services/identity_types.h"

namespace lockstep::oci {

/// Identity (oci-rest-contract 4.1). Lists have all pages. Reads go to the client's own region, writes to the
/// tenancy's home region, which is asked for once. Thread-safe.
class IdentityClient {
 public:
  /// Without a tenancy, writes go to the client's own region too.
  explicit IdentityClient(std::shared_ptr<ServiceClient> services, std::string tenancyId = {})
      : services_(std::move(services)), tenancyId_(std::move(tenancyId)) {}

  Result<Tenancy> getTenancy(const std::string& tenancyId, const std::stop_token& stop);
  Result<User> getUser(const std::string& userId, const std::stop_token& stop);
  Result<std::vector<RegionSubscription>> listRegionSubscriptions(const std::string& tenancyId,
                                                                  const std::stop_token& stop);
  Result<std::vector<AvailabilityDomain>> listAvailabilityDomains(const std::string& compartmentId,
                                                                  const std::stop_token& stop);
  /// All active compartments of the tenancy, at every depth; the tenancy itself is not among them. NotFound
  /// where we may not inspect all.
  Result<std::vector<Compartment>> listCompartments(const std::string& tenancyId,
                                                    const std::stop_token& stop);
  /// Those of them in which we may see something, which anybody may ask for.
  Result<std::vector<Compartment>> listAccessibleCompartments(const std::string& tenancyId,
                                                              const std::stop_token& stop);
  /// Also one that is deleted, for some weeks: its lifecycleState says so.
  Result<Compartment> getCompartment(const std::string& compartmentId, const std::stop_token& stop);
  struct NewCompartment {
    std::string parentId, name, description;
  };
  Result<Compartment> createCompartment(const NewCompartment& compartment, const std::string& retryToken,
                                        const std::stop_token& stop);
  /// Accepted only while nothing is in it; it is gone some minutes later.
  Result<void> deleteCompartment(const std::string& compartmentId, const std::stop_token& stop);
  Result<std::vector<Group>> listGroups(const std::string& tenancyId, const std::stop_token& stop);
  Result<std::vector<DynamicGroup>> listDynamicGroups(const std::string& tenancyId,
                                                      const std::stop_token& stop);
  /// One of user and group may be empty.
  Result<std::vector<GroupMembership>> listUserGroupMemberships(const std::string& tenancyId,
                                                                const std::string& userId,
                                                                const std::string& groupId,
                                                                const std::stop_token& stop);
  /// Those attached to this compartment, not those above or below it.
  Result<std::vector<Policy>> listPolicies(const std::string& compartmentId, const std::stop_token& stop);
  Result<Policy> getPolicy(const std::string& policyId, const std::stop_token& stop);

  struct NewPolicy {
    std::string compartmentId, name, description;
    std::vector<std::string> statements;
  };
  /// It takes some ten seconds until it counts. A name that is there already: AlreadyExists.
  Result<Policy> createPolicy(const NewPolicy& policy, const std::string& retryToken,
                              const std::stop_token& stop);
  /// Replaces all statements; FailedPrecondition (412) when the policy is no longer the one with `ifMatch`.
  Result<Policy> updatePolicy(const std::string& policyId, const std::vector<std::string>& statements,
                              const std::string& ifMatch, const std::stop_token& stop);
  /// Adds those of the statements that the policy does not have yet; somebody else's change in between is
  /// kept.
  Result<Policy> addStatements(const std::string& policyId, const std::vector<std::string>& statements,
                               const std::stop_token& stop);
  /// FailedPrecondition (412) when the policy is no longer the one with `ifMatch`.
  Result<void> deletePolicy(const std::string& policyId, const std::string& ifMatch,
                            const std::stop_token& stop);

  struct NewDynamicGroup {
    std::string tenancyId, name, description, matchingRule;
  };
  Result<DynamicGroup> createDynamicGroup(const NewDynamicGroup& group, const std::string& retryToken,
                                          const std::stop_token& stop);
  Result<DynamicGroup> getDynamicGroup(const std::string& groupId, const std::stop_token& stop);
  /// Both: FailedPrecondition (412) when the group is no longer the one with `ifMatch`.
  Result<DynamicGroup> updateDynamicGroup(const std::string& groupId, const std::string& matchingRule,
                                          const std::string& ifMatch, const std::stop_token& stop);
  Result<void> deleteDynamicGroup(const std::string& groupId, const std::string& ifMatch,
                                  const std::stop_token& stop);

  Result<std::vector<AuthToken>> listAuthTokens(const std::string& userId, const std::stop_token& stop);
  /// The token is in this answer only: keep it. At most two per user.
  Result<AuthToken> createAuthToken(const std::string& userId, const std::string& description,
                                    const std::string& retryToken, const std::stop_token& stop);
  Result<std::vector<ApiKeyInfo>> listApiKeys(const std::string& userId, const std::stop_token& stop);
  /// At most three per user.
  Result<ApiKeyInfo> uploadApiKey(const std::string& userId, const std::string& publicKeyPem,
                                  const std::string& retryToken, const std::stop_token& stop);

 private:
  Result<std::shared_ptr<ServiceClient>> home(const std::stop_token& stop);
  Result<void> remove(const char* operation, const std::string& path, const std::string& ifMatch,
                      const std::stop_token& stop);

  const std::shared_ptr<ServiceClient> services_;
  const std::string tenancyId_;
  std::mutex mutex_;
  std::shared_ptr<ServiceClient> home_;  // once known
};

/// A client like `services`, but in the tenancy's home region: `services` itself when that is it, or when it
/// has one endpoint for everything.
Result<std::shared_ptr<ServiceClient>> inHomeRegion(const std::shared_ptr<ServiceClient>& services,
                                                    const std::string& tenancyId,
                                                    const std::stop_token& stop);

}  // namespace lockstep::oci
