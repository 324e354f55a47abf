// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "setup/setup_context.h"
#include "setup/setup_step.h"

namespace lockstep {

using SetupContextPtr = std::shared_ptr<const SetupContext>;

// One function for each step, in a file of its name (auth_step.cpp). The ids are those of `lockstep check`.
[[nodiscard]] std::unique_ptr<SetupStep> makeMachineStep(
    SetupContextPtr context);  // "machine": clock, proxy, DNS, TLS
[[nodiscard]] std::unique_ptr<SetupStep> makeAuthStep(
    SetupContextPtr context);  // "auth": profile and API key
[[nodiscard]] std::unique_ptr<SetupStep> makeContainersStep(SetupContextPtr context);  // "containers": engine
[[nodiscard]] std::unique_ptr<SetupStep> makeProjectStep(
    SetupContextPtr context);  // "project": compartment and Data Science project
[[nodiscard]] std::unique_ptr<SetupStep> makeNetworkStep(
    SetupContextPtr context);  // "network": subnet, ports, routes
[[nodiscard]] std::unique_ptr<SetupStep> makeBucketStep(
    SetupContextPtr context);  // "bucket": of the work dir
[[nodiscard]] std::unique_ptr<SetupStep> makePoliciesStep(
    SetupContextPtr context);  // "policies": and dynamic groups
[[nodiscard]] std::unique_ptr<SetupStep> makeOcirLoginStep(SetupContextPtr context);   // "ocir-login"
[[nodiscard]] std::unique_ptr<SetupStep> makeRepositoryStep(SetupContextPtr context);  // "repository"
[[nodiscard]] std::unique_ptr<SetupStep> makeLoggingStep(
    SetupContextPtr context);  // "logging": group and log
[[nodiscard]] std::unique_ptr<SetupStep> makeLimitsStep(
    SetupContextPtr context);  // "limits": of shape and count
[[nodiscard]] std::unique_ptr<SetupStep> makeHostsStep(
    SetupContextPtr context);  // "hosts": own machines over SSH

/// The ids that makeSetupStep() knows, in the order in which a newcomer needs them.
[[nodiscard]] const std::vector<std::string>& setupStepNames();
/// Null for a name that is none of them.
[[nodiscard]] std::unique_ptr<SetupStep> makeSetupStep(const std::string& name, SetupContextPtr context);

}  // namespace lockstep
