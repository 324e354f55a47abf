// SPDX-License-Identifier: GPL-3.0-or-later
#include "setup/images/repository_step.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "oci/calls/regions.h"
#include "oci/services/identity_client.h"
#include "oci/services/registry_client.h"
#include "setup/images/repository_fixes.h"
#include "setup/step/findings.h"
#include "setup/step/setup_facts.h"

namespace lockstep {
namespace {

constexpr const char* kNewRepository = "lockstep-trainer";  // of one that nobody has named
constexpr const char* kNewTag = "1";

class RepositoryStep final : public SetupStep {
 public:
  explicit RepositoryStep(SetupContextPtr context) : context_(std::move(context)) {}
  [[nodiscard]] std::string id() const override { return "repository"; }
  StepReport check(const std::stop_token& stop) override;
  Result<void> takeBack(const AppliedChange& change, const std::stop_token& stop) override;

 private:
  SetupContextPtr context_;
};

/// One check of one image. Collects findings, fixes and facts.
class RepositoryCheck {
 public:
  RepositoryCheck(const SetupContext& context, std::shared_ptr<oci::ServiceClient> services,
                  const std::stop_token& stop)
      : context_(context), services_(std::move(services)), registry_(services_), stop_(stop) {}

  StepReport check();

 private:
  using Repositories = std::vector<oci::ContainerRepository>;

  Result<oci::ImageName> chosenImage();
  void checkName(const oci::ImageName& image);
  void checkRepository(const oci::ImageName& image, const oci::Compartment& compartment);
  void checkImage(const oci::ImageName& image, const oci::ContainerRepository& repository);
  void lookElsewhere(const oci::ImageName& image, const oci::Compartment& compartment);
  void add(StepState state, std::string code, std::string text, std::string evidence, std::string remedy) {
    findings_.push_back({state, std::move(text), std::move(evidence), std::move(remedy), std::move(code)});
  }
  [[nodiscard]] bool isBlocked() const { return reportOf(findings_).state == StepState::Blocked; }

  const SetupContext& context_;
  const std::shared_ptr<oci::ServiceClient> services_;
  oci::RegistryClient registry_;
  const std::stop_token stop_;
  std::vector<Finding> findings_;
  std::vector<ProposedFix> fixes_;
};

const oci::ContainerRepository* named(const std::vector<oci::ContainerRepository>& all,
                                      const std::string& name) {
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const auto& r) { return r.displayName == name; });
  return found == all.end() ? nullptr : &*found;
}

std::string ownHost(const SetupContext& context) {
  const auto profile = context.profile();
  return oci::registryHost(oci::regionFor(profile ? profile->region : "", context.environment()));
}

// What the train.yaml says, a starter's "<namespace>" replaced; with nothing said, an image of our own naming
// in the registry of the profile's region.
Result<oci::ImageName> RepositoryCheck::chosenImage() {
  if (const std::string image = context_.image(); !image.empty()) return oci::parseImageName(image);
  const auto nameSpace = context_.nameSpace(stop_);
  if (!nameSpace) return failure(nameSpace.error());
  const auto& spec = context_.spec();
  oci::ImageName name{ownHost(context_), *nameSpace, kNewRepository, kNewTag, {}};
  const std::string text = spec ? spec->image.value_or("") : "";
  const std::size_t open = text.find('<'), close = text.find('>');
  if (!isPlaceholder(text) || close < open) return name;
  const auto filled = oci::parseImageName(text.substr(0, open) + *nameSpace + text.substr(close + 1));
  if (!filled) return name;
  name.repository = filled->repository;
  name.tag = filled->tag;
  return name;
}

void RepositoryCheck::checkName(const oci::ImageName& image) {
  const std::string text = image.toString();
  if (image.host.find("ocir.") == std::string::npos) {
    add(StepState::Blocked, "image-other-registry",
        fmt::format("image '{}' is not in Oracle's registry: job runs only pull from there", text), {},
        fmt::format("push it to {} (lockstep build --push) and name it so", ownHost(context_)));
    return;
  }
  const auto nameSpace = context_.nameSpace(stop_);
  if (!nameSpace) {
    findings_.push_back(refusedFinding(nameSpace.error()));
  } else if (*nameSpace != image.nameSpace) {
    add(StepState::Blocked, "image-namespace",
        fmt::format("image '{}' is in namespace '{}', the tenancy's is '{}'", text, image.nameSpace,
                    *nameSpace),
        "GetNamespace 200",
        "write the tenancy's namespace, which is neither its name nor the user's, behind the host");
  }
  const std::string host = ownHost(context_);
  const auto profile = context_.profile();
  const auto region = profile ? oci::findRegion(profile->region) : std::nullopt;
  const bool isOwn = image.host == host || (region && image.host == region->id + ".ocir.io");
  if (!isOwn)
    add(StepState::Warning, "image-region",
        fmt::format("image '{}' is in the registry {}, the region of the profile has {}", text, image.host,
                    host),
        {}, fmt::format("push it to {}: another region's registry is slow to pull from, if it may be", host));
}

// The first push creates a repository in the root compartment when the tenancy allows it at all, where the
// policies of the cluster's compartment do not reach.
void RepositoryCheck::lookElsewhere(const oci::ImageName& image, const oci::Compartment& compartment) {
  const auto profile = context_.profile();
  if (!profile) return;
  const auto all = repositoriesOfTenancy(*services_, profile->tenancy, stop_);
  const oci::ContainerRepository* other = all ? named(*all, image.repository) : nullptr;
  if (other != nullptr) {
    const bool isRoot = other->compartmentId == profile->tenancy;
    add(StepState::Warning, "repository-other-compartment",
        fmt::format("repository '{}' is in {}, the cluster in compartment {}", image.repository,
                    isRoot ? "the root compartment"
                           : "compartment " + context_.compartmentText(other->compartmentId, stop_),
                    compartment.name),
        "ListContainerRepositories 200",
        isRoot ? "a first push creates repositories there: move it in the console, or let the policies name "
                 "the root compartment (step policies)"
               : "the policies have to name that compartment (step policies)");
    checkImage(image, *other);
    return;
  }
  const auto configuration = registry_.getConfiguration(profile->tenancy, stop_);
  const bool isMadeByPush = configuration && configuration->isRepositoryCreatedOnFirstPush;
  add(StepState::Blocked, "repository-missing",
      fmt::format("there is no repository '{}' in compartment {}{}", image.repository, compartment.name,
                  isMadeByPush ? "; a push would make one in the root compartment" : ""),
      "ListContainerRepositories 200", "create it before the first push");
  fixes_.push_back(createRepositoryFix(services_, image, compartment));
}

void RepositoryCheck::checkRepository(const oci::ImageName& image, const oci::Compartment& compartment) {
  if (isToBeMade(compartment)) return lookElsewhere(image, compartment);
  const auto here = registry_.listRepositories(compartment.id, stop_);
  if (!here) {
    Finding finding = refusedFinding(here.error());
    if (here.error().code == ErrorCode::NotFound) {
      finding.code = "repositories-not-listable";
      finding.cause.clear();
      finding.text = fmt::format(
          "the repositories of compartment {} may not be listed, or there is no such "
          "compartment",
          compartment.name);
      finding.remedy = "you need a policy that lets your group manage repos there (step policies)";
    }
    findings_.push_back(std::move(finding));
    return;
  }
  const oci::ContainerRepository* own = named(*here, image.repository);
  if (own == nullptr) return lookElsewhere(image, compartment);
  add(StepState::Ready, {},
      fmt::format("repository '{}' is in compartment {}", image.repository, compartment.name),
      "ListContainerRepositories 200", {});
  if (own->isPublic)
    add(StepState::Warning, "repository-public",
        fmt::format("repository '{}' is public: anybody can pull its images", image.repository),
        "ListContainerRepositories isPublic", "make it private in the console, unless that is meant");
  checkImage(image, *own);
}

void RepositoryCheck::checkImage(const oci::ImageName& image, const oci::ContainerRepository& repository) {
  const auto images = registry_.listImages(repository.compartmentId, stop_, image.repository);
  if (!images) {
    findings_.push_back(refusedFinding(images.error()));
    return;
  }
  const bool isThere = std::any_of(images->begin(), images->end(), [&](const oci::ContainerImage& one) {
    return (image.tag.empty() || one.version == image.tag) &&
           (image.digest.empty() || one.digest == image.digest);
  });
  if (isThere) {
    add(StepState::Ready, {}, fmt::format("image '{}' is there", image.toString()), "ListContainerImages 200",
        {});
    return;
  }
  const bool isRehearsal = !services_->setup().endpoint.empty();
  add(isRehearsal ? StepState::Ready : StepState::Warning, isRehearsal ? "" : "image-missing",
      fmt::format("image '{}' is not pushed yet{}", image.toString(),
                  isRehearsal ? ", which a rehearsal does not need" : ""),
      fmt::format("ListContainerImages 200, {} images", images->size()), "lockstep build --push makes it");
}

StepReport RepositoryCheck::check() {
  const auto image = chosenImage();
  if (!image) {
    const bool isGrammar = !image.error().service && image.error().code == ErrorCode::InvalidArgument;
    Finding finding = refusedFinding(image.error());
    if (isGrammar) finding.code = "image-grammar";
    return reportOf({std::move(finding)});
  }
  checkName(*image);
  const auto compartment = context_.compartment(stop_);
  if (!compartment) {
    findings_.push_back(noCompartmentFinding(compartment.error()));
  } else if (!isBlocked()) {
    checkRepository(*image, *compartment);
  }
  const bool isUsable = !isBlocked();
  StepReport report = reportOf(std::move(findings_));
  report.fixes = std::move(fixes_);
  if (isUsable) report.facts["cluster.image"] = image->toString();
  return report;
}

StepReport RepositoryStep::check(const std::stop_token& stop) {
  const auto& spec = context_->spec();
  if (spec && spec->kind == "job" && context_->image().empty() && !spec->image)
    return reportOf({{StepState::NotApplicable, "the job has no image of its own", {}, {}}});
  const auto services = context_->services();
  if (!services) return reportOf({needsAuth(services.error())});
  return RepositoryCheck(*context_, *services, stop).check();
}

Result<void> RepositoryStep::takeBack(const AppliedChange& change, const std::stop_token& stop) {
  if (change.kind != kRepositoryCreated) return SetupStep::takeBack(change, stop);
  const auto services = context_->services();
  if (!services) return failure(services.error());
  return takeBackRepository(**services, change, stop);
}

}  // namespace

std::unique_ptr<SetupStep> makeRepositoryStep(SetupContextPtr context) {
  return std::make_unique<RepositoryStep>(std::move(context));
}

}  // namespace lockstep
