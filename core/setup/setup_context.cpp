// SPDX-License-Identifier: GPL-3.0-or-later
#include "setup/setup_context.h"

#include <nlohmann/json.hpp>

#include "setup/findings.h"

namespace lockstep {
namespace {

std::string orElse(const std::string& choice, const std::optional<std::string>& own) {
  return choice.empty() ? own.value_or("") : choice;
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
    return failure(StatusCode::DataLoss, "the namespace of the tenancy is no text", answer->body);
  const std::scoped_lock lock(mutex_);
  nameSpace_ = name.get<std::string>();
  return nameSpace_;
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
  return setup_.spec ? setup_.spec->workDir.value_or("") : "";
}

std::string SetupContext::image() const {
  return orElse(setup_.choices.image, setup_.spec ? setup_.spec->image : std::nullopt);
}

}  // namespace lockstep
