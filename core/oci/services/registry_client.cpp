// SPDX-License-Identifier: GPL-3.0-or-later
#include "oci/services/registry_client.h"

#include "oci/calls/typed_calls.h"

namespace lockstep::oci {
namespace {

constexpr const char* kPageSize = "1000";

ContainerRepository readRepository(AnswerFields& f) {
  return {f.text("id"),
          f.textOr("compartmentId"),
          f.textOr("namespace"),
          f.textOr("lifecycleState"),
          f.textOr("displayName"),
          f.flag("isPublic"),
          f.number("imageCount")};
}

ContainerImage readImage(AnswerFields& f) {
  return {f.text("id"),
          f.textOr("compartmentId"),
          f.textOr("digest"),
          f.textOr("repositoryId"),
          f.textOr("lifecycleState"),
          f.textOr("repositoryName"),
          f.textOr("version"),
          f.textOr("displayName"),
          f.maybeTime("timeCreated")};
}

RegistryConfiguration readConfiguration(AnswerFields& f) {
  return {f.text("namespace"), f.flag("isRepositoryCreatedOnFirstPush")};
}

RegistryToken readToken(AnswerFields& f) {
  RegistryToken token{Secret(f.text("token")), std::nullopt};
  if (const auto seconds = f.maybeNumber("expires_in")) token.expiresIn = std::chrono::seconds(*seconds);
  return token;
}

ServiceCall get(std::string operation, std::string path) {
  return callTo(Service::Artifacts, std::move(operation), "GET", std::move(path));
}

}  // namespace

Result<std::vector<ContainerRepository>> RegistryClient::listRepositories(const std::string& compartmentId,
                                                                          const std::stop_token& stop) {
  const std::string path =
      pathWith("/20160918/container/repositories",
               {{"compartmentId", compartmentId}, {"lifecycleState", "AVAILABLE"}, {"limit", kPageSize}});
  return callForAll(*services_, get("ListContainerRepositories", path), stop, &readRepository);
}

Result<ContainerRepository> RegistryClient::createRepository(const NewRepository& repository,
                                                             const std::string& retryToken,
                                                             const std::stop_token& stop) {
  nlohmann::ordered_json body{{"compartmentId", repository.compartmentId},
                              {"displayName", repository.displayName},
                              {"isImmutable", repository.isImmutable},
                              {"isPublic", repository.isPublic}};
  if (!repository.readme.empty())
    body["readme"] = {{"content", repository.readme}, {"format", "TEXT_MARKDOWN"}};
  return callForOne(*services_,
                    postTo(Service::Artifacts, "CreateContainerRepository",
                           "/20160918/container/repositories", body, retryToken),
                    stop, &readRepository);
}

Result<std::vector<ContainerImage>> RegistryClient::listImages(const std::string& compartmentId,
                                                               const std::stop_token& stop,
                                                               const std::string& repositoryName) {
  const std::string path = pathWith("/20160918/container/images", {{"compartmentId", compartmentId},
                                                                   {"repositoryName", repositoryName},
                                                                   {"lifecycleState", "AVAILABLE"},
                                                                   {"sortBy", "TIMECREATED"},
                                                                   {"sortOrder", "DESC"},
                                                                   {"limit", kPageSize}});
  return callForAll(*services_, get("ListContainerImages", path), stop, &readImage);
}

Result<RegistryConfiguration> RegistryClient::getConfiguration(const std::string& compartmentId,
                                                               const std::stop_token& stop) {
  const std::string path = pathWith("/20160918/container/configuration", {{"compartmentId", compartmentId}});
  return callForOne(*services_, get("GetContainerConfiguration", path), stop, &readConfiguration);
}

Result<RegistryToken> RegistryClient::loginToken(const std::stop_token& stop) {
  ServiceCall call = callTo(Service::Registry, "GetDockerToken", "GET", "/20180419/docker/token");
  call.headers.emplace_back("accept", "application/json");
  return callForOne(*services_, call, stop, &readToken);
}

}  // namespace lockstep::oci
