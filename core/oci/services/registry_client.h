// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "base/secret.h"
#include "oci/calls/service_client.h"

namespace lockstep::oci {

struct ContainerRepository {
  std::string id, compartmentId, nameSpace, lifecycleState;
  std::string displayName;  // the path after the namespace, "team/trainer"
  bool isPublic = false;
  std::int64_t imageCount = 0;
};

struct ContainerImage {
  std::string id, compartmentId, digest, repositoryId, lifecycleState;
  std::string repositoryName;  // "team/trainer"
  std::string version;         // the tag; empty: none
  std::string displayName;     // "repo:tag" or "repo:unknown@sha256:…"
  std::optional<TimePoint> timeCreated;
};

struct RegistryConfiguration {
  std::string nameSpace;
  bool isRepositoryCreatedOnFirstPush = false;  // in the tenancy's root compartment
};

/// What `docker login -u BEARER_TOKEN --password-stdin` takes.
struct RegistryToken {
  Secret token;
  std::optional<std::chrono::seconds> expiresIn;
};

/// The container registry as Artifacts lists it (oci-rest-contract 4.4), and its login (5). Lists have all
/// pages. Thread-safe.
class RegistryClient {
 public:
  explicit RegistryClient(std::shared_ptr<ServiceClient> services) : services_(std::move(services)) {}
  Result<std::vector<ContainerRepository>> listRepositories(const std::string& compartmentId,
                                                            const std::stop_token& stop);
  struct NewRepository {
    std::string compartmentId, displayName;
    bool isPublic = false;
    bool isImmutable = false;
    std::string readme;  // Markdown; may be empty
  };
  Result<ContainerRepository> createRepository(const NewRepository& repository, const std::string& retryToken,
                                               const std::stop_token& stop);
  /// Newest first. `repositoryName` empty: of every repository; it may have a '*'.
  Result<std::vector<ContainerImage>> listImages(const std::string& compartmentId,
                                                 const std::stop_token& stop,
                                                 const std::string& repositoryName = {});
  Result<RegistryConfiguration> getConfiguration(const std::string& compartmentId,
                                                 const std::stop_token& stop);
  /// A login for about an hour without an auth token, from the credentials that sign our requests.
  Result<RegistryToken> loginToken(const std::stop_token& stop);

 private:
  std::shared_ptr<ServiceClient> services_;
};

}  // namespace lockstep::oci
