// SPDX-License-Identifier: GPL-3.0-or-later
#include "setup/steps/setup_steps.h"

#include <algorithm>
#include <utility>

#include "setup/auth/auth_step.h"
#include "setup/hosts/hosts_step.h"
#include "setup/images/containers_step.h"
#include "setup/images/ocir_login_step.h"
#include "setup/images/repository_step.h"
#include "setup/limits/limits_step.h"
#include "setup/logging/logging_step.h"
#include "setup/machine/machine_step.h"
#include "setup/network/network_step.h"
#include "setup/policies/policies_step.h"
#include "setup/project/project_step.h"
#include "setup/storage/bucket_step.h"

namespace lockstep {
namespace {

using Make = std::unique_ptr<SetupStep> (*)(SetupContextPtr);

const std::vector<std::pair<std::string, Make>>& makers() {
  static const std::vector<std::pair<std::string, Make>> kMakers{
      {"machine", makeMachineStep},       {"auth", makeAuthStep},
      {"containers", makeContainersStep}, {"project", makeProjectStep},
      {"network", makeNetworkStep},       {"bucket", makeBucketStep},
      {"policies", makePoliciesStep},     {"repository", makeRepositoryStep},
      {"ocir-login", makeOcirLoginStep},  {"logging", makeLoggingStep},
      {"limits", makeLimitsStep},         {"hosts", makeHostsStep}};
  return kMakers;
}

}  // namespace

const std::vector<std::string>& setupStepNames() {
  static const std::vector<std::string> kNames = [] {
    std::vector<std::string> names;
    for (const auto& [name, make] : makers()) names.push_back(name);
    return names;
  }();
  return kNames;
}

std::unique_ptr<SetupStep> makeSetupStep(const std::string& name, SetupContextPtr context) {
  const auto found =
      std::find_if(makers().begin(), makers().end(), [&](const auto& entry) { return entry.first == name; });
  return found == makers().end() ? nullptr : found->second(std::move(context));
}

}  // namespace lockstep
