// SPDX-License-Identifier: GPL-3.0-or-later
#include "setup/step/setup_context.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

#include "oci/calls/regions.h"
#include "oci/services/data_science_client.h"
#include "oci/services/identity_client.h"
#include "setup/step/findings.h"
#include "setup/step/setup_facts.h"

namespace lockstep {
namespace {

std::string orElse(const std::string& choice, const std::optional<std::string>& own) {
  if (!choice.empty()) return choice;
  return own && !isPlaceholder(*own) ? *own : "";
}

std::string namesOf(const std::vector<oci::Compartment>& compartments) {
  std::string names;
  for (const oci::Compartment& one : compartments) names += (names.empty() ? "" : ", ") + one.name;
  return names;
}

oci::Compartment compartmentWith(std::string id, std::string name) {
  oci::Compartment compartment;
  compartment.id = std::move(id);
  compartment.name = std::move(name);
  return compartment;
}

const oci::Compartment* among(const Result<std::vector<oci::Compartment>>& all, const std::string& id) {
  if (!all) return nullptr;
  const auto found = std::find_if(all->begin(), all->end(), [&](const auto& one) { return one.id == id; });
  return found == all->end() ? nullptr : &*found;
}

Error missing(const std::string& id, std::string cause, std::optional<ServiceAnswer> answer) {
  Error error;
  error.code = ErrorCode::NotFound;
  error.what = fmt::format("compartment {} is not there, or you may not see it", id);
  error.cause = std::move(cause);
  error.where = "infrastructure.compartmentId";
  error.service = std::move(answer);
  return error;
}

// An answer that says more than that we were stopped or that nobody answered.
bool isSettled(const Error& error) {
  return error.code == ErrorCode::NotFound || error.code == ErrorCode::FailedPrecondition;
}

// Names of compartments differ in more than their case.
bool isSameName(const std::string& a, const std::string& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

const oci::Compartment* childNamed(const std::vector<oci::Compartment>& all, const std::string& name,
                                   const std::string& parentId) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const oci::Compartment& one) {
    return one.compartmentId == parentId && isSameName(one.name, name);
  });
  return found == all.end() ? nullptr : &*found;
}

tl::unexpected<Error> severalCompartments(const std::vector<oci::Compartment>& all) {
  return failure(ErrorCode::FailedPrecondition, "no compartment is chosen",
                 "the tenancy has " + std::to_string(all.size()) + " of them: " + namesOf(all),
                 "choose one, or name it in the train.yaml", "infrastructure.compartmentId");
}

Result<CapturedExit> runHere(const std::vector<std::string>& command, const Secret& input,
                             std::chrono::milliseconds limit, const std::stop_token& stop) {
  return runCaptured(command, limit, stop, input);
}

}  // namespace

SetupContext::SetupContext(Setup setup) : setup_(std::move(setup)) {
  if (!setup_.run) setup_.run = runHere;
  if (setup_.environment.empty()) setup_.environment = currentEnvironment();
}

Result<oci::Profile> SetupContext::profile() const {
  const std::scoped_lock lock(mutex_);
  if (!profile_) profile_ = oci::loadProfile(setup_.query);
  return *profile_;
}

Result<std::shared_ptr<oci::ServiceClient>> SetupContext::services() const {
  const auto own = profile();
  if (!own) return failure(own.error());
  const std::scoped_lock lock(mutex_);
  if (services_) return services_;
  auto opened = openForCheck(*own);
  if (!opened) return opened;
  services_ = *opened;
  return services_;
}

Result<std::string> SetupContext::nameSpace(const std::stop_token& stop) const {
  const auto client = services();
  if (!client) return failure(client.error());
  {
    const std::scoped_lock lock(mutex_);
    if (!nameSpace_.empty()) return nameSpace_;
  }
  const auto answer = (*client)->call(objectStorageRead("GetNamespace", "/n/"), stop);
  if (!answer) return failure(answer.error());
  const auto name = nlohmann::json::parse(answer->body, nullptr, false);
  if (!name.is_string())
    return failure(ErrorCode::DataLoss, "the namespace of the tenancy is no text", answer->body);
  const std::scoped_lock lock(mutex_);
  nameSpace_ = name.get<std::string>();
  return nameSpace_;
}

Result<std::vector<oci::Compartment>> SetupContext::compartments(const std::stop_token& stop) const {
  const std::scoped_lock lock(compartmentsMutex_);
  if (compartments_) return *compartments_;
  const auto own = profile();
  if (!own) return failure(own.error());
  const auto client = services();
  if (!client) return failure(client.error());
  auto all = oci::IdentityClient(*client, own->tenancy).listCompartments(own->tenancy, stop);
  if (all || isSettled(all.error())) compartments_ = all;
  return all;
}

// Whoever may not list the compartments of the tenancy may still use one of them, and then sees that one.
Result<oci::Compartment> SetupContext::namedCompartment(const std::string& id,
                                                        const std::stop_token& stop) const {
  const auto own = profile();
  if (!own) return failure(own.error());
  if (id == own->tenancy) return compartmentWith(id, kRootCompartmentName);
  const auto all = compartments(stop);
  if (const auto* found = among(all, id)) return *found;
  if (!all && all.error().code != ErrorCode::NotFound) return failure(all.error());
  oci::IdentityClient identity(*services(), own->tenancy);
  if (!all) {
    const auto mine = identity.listAccessibleCompartments(own->tenancy, stop);
    if (const auto* found = among(mine, id)) return *found;
  }
  auto one = identity.getCompartment(id, stop);
  if (!one && one.error().code == ErrorCode::NotFound)
    return failure(missing(id, one.error().cause, one.error().service));
  if (one && !one->lifecycleState.empty() && one->lifecycleState != "ACTIVE")
    return failure(missing(id, fmt::format("compartment '{}' is {}", one->name, one->lifecycleState), {}));
  return one;
}

Result<bool> SetupContext::hasProject(const std::string& compartmentId, const std::stop_token& stop) const {
  const auto client = services();
  if (!client) return failure(client.error());
  const auto projects = oci::DataScienceClient(*client).listProjects(compartmentId, stop);
  if (!projects) {
    // Who may not see any has none there.
    const ErrorCode code = projects.error().code;
    if (code == ErrorCode::NotFound || code == ErrorCode::PermissionDenied) return false;
    return failure(projects.error());
  }
  return std::any_of(projects->begin(), projects->end(), [](const oci::Project& one) {
    return one.lifecycleState.empty() || one.lifecycleState == "ACTIVE";
  });
}

// Nothing is put into the root compartment unasked: every policy of the tenancy reaches it, and it cannot be
// deleted. Where somebody trains in it already, that goes on.
Result<oci::Compartment> SetupContext::unnamedCompartment(const std::stop_token& stop) const {
  const auto own = profile();
  if (!own) return failure(own.error());
  const auto all = compartments(stop);
  if (!all) return failure(all.error());
  const std::string& wished = setup_.choices.newCompartment;
  if (!wished.empty()) {
    const auto* there = childNamed(*all, wished, own->tenancy);
    return there != nullptr ? *there : compartmentWith(kCompartmentToBeMade, wished);
  }
  if (all->size() == 1) return all->front();
  if (all->size() > 1) return severalCompartments(*all);
  const auto isRootUsed = hasProject(own->tenancy, stop);
  if (!isRootUsed) return failure(isRootUsed.error());
  return *isRootUsed ? compartmentWith(own->tenancy, kRootCompartmentName)
                     : compartmentWith(kCompartmentToBeMade, kNewCompartmentName);
}

bool SetupContext::isRehearsal() const {
  if (setup_.isRehearsal) return *setup_.isRehearsal;
  const auto own = profile();
  return own && !own->endpoint.empty();
}

std::string SetupContext::compartmentText(const std::string& id, const std::stop_token& stop) const {
  const auto own = profile();
  if (own && id == own->tenancy) return fmt::format("{} ({})", kRootCompartmentName, id);
  const auto all = compartments(stop);
  const auto* found = among(all, id);
  return found == nullptr || found->name.empty() ? id : fmt::format("{} ({})", found->name, id);
}

Result<oci::Compartment> SetupContext::compartment(const std::stop_token& stop) const {
  const std::scoped_lock lock(compartmentMutex_);
  if (compartment_) return *compartment_;
  const auto own = profile();
  if (!own) return failure(own.error());
  const auto client = services();
  if (!client) return failure(client.error());
  const std::string wanted = compartmentId();
  auto chosen = wanted.empty() ? unnamedCompartment(stop) : namedCompartment(wanted, stop);
  if (chosen || isSettled(chosen.error())) compartment_ = chosen;
  return chosen;
}

Result<std::vector<RegionServices>> SetupContext::otherRegions(const std::stop_token& stop) const {
  if (setup_.otherRegions) return setup_.otherRegions(stop);
  const auto own = profile();
  if (!own) return failure(own.error());
  const auto client = services();
  if (!client) return failure(client.error());
  if (!(*client)->setup().endpoint.empty()) return std::vector<RegionServices>{};
  const auto all = oci::IdentityClient(*client).listRegionSubscriptions(own->tenancy, stop);
  if (!all) return failure(all.error());
  const std::string here = oci::regionFor((*client)->setup().region, setup_.environment).id;
  std::vector<RegionServices> others;
  for (const oci::RegionSubscription& one : *all) {
    if (one.regionName == here || one.status != "READY") continue;
    oci::ServiceClient::Setup setup = (*client)->setup();
    setup.region = one.regionName;
    others.push_back({one.regionName, std::make_shared<oci::ServiceClient>(std::move(setup))});
  }
  return others;
}

std::string SetupContext::compartmentId() const {
  const auto& spec = setup_.spec;
  return orElse(setup_.choices.compartmentId, spec ? spec->infrastructure.compartmentId : std::nullopt);
}

std::string SetupContext::subnetId() const {
  const auto& spec = setup_.spec;
  return orElse(setup_.choices.subnetId, spec ? spec->infrastructure.subnetId : std::nullopt);
}

std::string SetupContext::workDir() const {
  const SetupChoices& c = setup_.choices;
  if (!c.bucket.empty() && !c.nameSpace.empty())
    return "oci://" + c.bucket + "@" + c.nameSpace + (c.bucketPrefix.empty() ? "" : "/" + c.bucketPrefix);
  return orElse(c.workDir, setup_.spec ? setup_.spec->workDir : std::nullopt);
}

std::string SetupContext::image() const {
  return orElse(setup_.choices.image, setup_.spec ? setup_.spec->image : std::nullopt);
}

}  // namespace lockstep
