// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "rehearsal/api/router.h"
#include "rehearsal/service/body_reader.h"
#include "rehearsal/service/lists.h"
#include "rehearsal/state/resources.h"

namespace lockstep::rehearsal {

class KeyDirectory;

/// "ocid1.<kind>.oc1..<random>": identity's resources belong to no region.
[[nodiscard]] std::string makeIdentityOcid(const std::string& kind);

/// 403 NotAllowed when this is not the home region of the caller's tenancy: identity is written there only.
std::optional<ServiceError> checkHomeRegion(Transaction& transaction, const Call& call);

/// Whether a resource of one of these kinds has that name, in any case, in the compartment.
[[nodiscard]] bool isNameTaken(Transaction& transaction, const std::vector<std::string>& kinds,
                               const std::string& compartment, const std::string& name);
[[nodiscard]] tl::unexpected<ServiceError> nameTaken(const std::string& thing, const std::string& name);

/// What every create of this service has: compartmentId, name, description, tags.
struct IdentityDetails {
  std::string compartment, name, description;
  nlohmann::json tags;
};
IdentityDetails readDetails(BodyReader& body);
nlohmann::json readIdentityTags(BodyReader& body);
/// The fields of these that an update gives a new value, for body.update(): description and tags. What is absent stays.
nlohmann::json readIdentityChange(BodyReader& body);

/// A resource that is ACTIVE from now on, with the fields that all have.
[[nodiscard]] Resource makeIdentityResource(const std::string& kind, const IdentityDetails& details,
                                            TimePoint now);

/// Keeps a new resource and answers it, under the retry token if there is one. Commits.
OperationResult answerCreated(Transaction& transaction, const Call& call, const Resource& resource);
/// Writes a changed resource back and answers it. Commits.
OperationResult answerUpdated(Transaction& transaction, Resource& resource);

[[nodiscard]] ListStyle identityList(const char* kind);

/// The parts of addIdentity().
void addUsers(Router& router, Database& database, KeyDirectory& keys);
void addGroups(Router& router, Database& database);
void addPolicies(Router& router, Database& database);
void addDynamicGroups(Router& router, Database& database);
void addCompartments(Router& router, Database& database);
void addTagNamespaces(Router& router, Database& database);
void addCredentials(Router& router, Database& database, KeyDirectory& keys);

}  // namespace lockstep::rehearsal
