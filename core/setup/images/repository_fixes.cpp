// SPDX-License-Identifier: GPL-3.0-or-later
#include "setup/images/repository_fixes.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/text/encoding.h"
#include "oci/calls/json_calls.h"
#include "oci/calls/typed_calls.h"
#include "setup/step/findings.h"

namespace lockstep {
namespace {

constexpr const char* kPath = "/20160918/container/repositories";

oci::ContainerRepository repositoryOf(oci::AnswerFields& fields) {
  oci::ContainerRepository repository;
  repository.id = fields.text("id");
  repository.compartmentId = fields.text("compartmentId");
  repository.displayName = fields.text("displayName");
  repository.isPublic = fields.flag("isPublic");
  repository.imageCount = fields.number("imageCount");
  return repository;
}

oci::ServiceCall oneRepository(const char* operation, const char* method, const std::string& id) {
  return oci::callTo(oci::Service::Artifacts, operation, method,
                     fmt::format("{}/{}", kPath, percentEncode(id)));
}

Result<std::vector<AppliedChange>> create(const std::shared_ptr<oci::ServiceClient>& services,
                                          const std::string& name, const std::string& compartmentId,
                                          const std::stop_token& stop) {
  oci::RegistryClient::NewRepository repository;
  repository.compartmentId = compartmentId;
  repository.displayName = name;
  const auto made = oci::RegistryClient(services).createRepository(repository, oci::newRetryToken(), stop);
  if (!made) return failure(made.error());
  AppliedChange change;
  change.kind = kRepositoryCreated;
  change.title = fmt::format("created repository '{}'", name);
  change.undo = {{"repositoryId", made->id}, {"name", name}};
  return std::vector{std::move(change)};
}

}  // namespace

ProposedFix createRepositoryFix(const std::shared_ptr<oci::ServiceClient>& services,
                                const oci::ImageName& image, const oci::Compartment& compartment) {
  ProposedFix fix;
  fix.id = "create-repository";
  fix.title = fmt::format("create repository '{}' in compartment {}", image.repository, compartment.name);
  fix.after = fmt::format("repository {}\n  compartment {} ({})\n  public: no\n  images: {}/{}/{}:TAG\n",
                          image.repository, compartment.name, compartment.id, image.host, image.nameSpace,
                          image.repository);
  fix.calls = {fmt::format("CreateContainerRepository POST {}", kPath)};
  fix.apply = [services, name = image.repository, id = compartment.id](const std::stop_token& stop) {
    return create(services, name, id, stop);
  };
  return madeIn(compartment, std::move(fix));
}

Result<void> takeBackRepository(oci::ServiceClient& services, const AppliedChange& change,
                                const std::stop_token& stop) {
  const std::string id = change.undo.value("repositoryId", ""), name = change.undo.value("name", "");
  const auto now =
      oci::callForOne(services, oneRepository("GetContainerRepository", "GET", id), stop, &repositoryOf);
  if (!now) {
    if (now.error().code == ErrorCode::NotFound) return {};  // gone already
    return failure(now.error());
  }
  // The service would delete the images with it.
  if (now->imageCount > 0)
    return failure(ErrorCode::FailedPrecondition, fmt::format("cannot delete repository '{}'", name),
                   fmt::format("{} images were pushed into it since", now->imageCount),
                   "delete the images first if nobody needs them");
  return oci::callForNothing(services, oneRepository("DeleteContainerRepository", "DELETE", id), stop);
}

Result<std::vector<oci::ContainerRepository>> repositoriesOfTenancy(oci::ServiceClient& services,
                                                                    const std::string& tenancyId,
                                                                    const std::stop_token& stop) {
  const std::string path = oci::pathWith(
      kPath,
      {{"compartmentId", tenancyId}, {"compartmentIdInSubtree", "true"}, {"lifecycleState", "AVAILABLE"}});
  return oci::callForAll(services,
                         oci::callTo(oci::Service::Artifacts, "ListContainerRepositories", "GET", path), stop,
                         &repositoryOf);
}

}  // namespace lockstep
