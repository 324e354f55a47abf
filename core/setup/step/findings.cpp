// SPDX-License-Identifier: GPL-3.0-or-later
#include "setup/findings.h"

#include <fmt/format.h>

#include <algorithm>

namespace lockstep {
namespace {

constexpr int kAttempts = 2;
constexpr std::chrono::seconds kTimeout{15};

}  // namespace

Finding blockedFinding(const Status& status) {
  Finding finding{StepState::Blocked, status.what, {}, status.remedy, toString(status.code), status.cause};
  if (!status.where.empty()) finding.text = status.where + ": " + finding.text;
  if (status.service) finding.evidence = describe(*status.service);
  return finding;
}

Finding needsAuth(const Status& status) {
  Finding finding = blockedFinding(status);
  finding.text = "the profile does not work (step auth): " + finding.text;
  finding.code = "needs-auth";
  return finding;
}

Finding refusedFinding(const Status& status) {
  return status.code == StatusCode::Unauthenticated ? needsAuth(status) : blockedFinding(status);
}

Finding noCompartmentFinding(const Status& status) {
  Finding finding = refusedFinding(status);
  if (status.code == StatusCode::FailedPrecondition && !status.service)
    finding.code = "compartment-not-chosen";
  if (status.code == StatusCode::NotFound) {
    finding.text = "this has to wait for the step project: " + status.what;
    finding.remedy = "mend the step project first: until then nobody can tell what is missing here";
    finding.code = "needs-project";
  }
  return finding;
}

std::string evidenceOf(const std::string& operation, const HttpResponse& response) {
  const std::string id = headerValue(response.headers, "opc-request-id");
  return fmt::format("{} {}{}", operation, response.status, id.empty() ? "" : ", opc-request-id " + id);
}

Result<std::shared_ptr<oci::ServiceClient>> openForCheck(const oci::Profile& profile) {
  auto services = oci::openServiceClient(profile);
  if (!services) return services;
  oci::ServiceClient::Setup setup = (*services)->setup();
  setup.maxAttempts = std::min(setup.maxAttempts, kAttempts);
  return std::make_shared<oci::ServiceClient>(std::move(setup));
}

oci::ServiceCall objectStorageRead(std::string operation, std::string path) {
  oci::ServiceCall call;
  call.service = oci::Service::ObjectStorage;
  call.operation = std::move(operation);
  call.path = std::move(path);
  call.timeout = kTimeout;
  return call;
}

}  // namespace lockstep
