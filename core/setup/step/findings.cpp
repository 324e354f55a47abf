// SPDX-License-Identifier: GPL-3.0-or-later
#include "setup/step/findings.h"
#include "oci/signin/open_service_client.h"

#include <fmt/format.h>

#include <algorithm>

namespace lockstep {
namespace {

constexpr int kAttempts = 2;
constexpr std::chrono::seconds kTimeout{15};

}  // namespace

Finding blockedFinding(const Error& error) {
  Finding finding{StepState::Blocked, error.what, {}, error.remedy, toString(error.code), error.cause};
  if (!error.where.empty()) finding.text = error.where + ": " + finding.text;
  if (error.service) finding.evidence = describe(*error.service);
  return finding;
}

Finding needsAuth(const Error& error) {
  Finding finding = blockedFinding(error);
  finding.text = "the profile does not work (step auth): " + finding.text;
  finding.code = "needs-auth";
  return finding;
}

Finding refusedFinding(const Error& error) {
  return error.code == ErrorCode::Unauthenticated ? needsAuth(error) : blockedFinding(error);
}

Finding noCompartmentFinding(const Error& error) {
  Finding finding = refusedFinding(error);
  if (error.code == ErrorCode::FailedPrecondition && !error.service) finding.code = "compartment-not-chosen";
  if (error.code == ErrorCode::NotFound) {
    finding.text = "this has to wait for the step project: " + error.what;
    finding.remedy = "fix the step project first: until then nobody can tell what is missing here";
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

ProposedFix madeIn(const oci::Compartment& compartment, ProposedFix fix) {
  if (!isToBeMade(compartment)) return fix;
  fix.waitsFor = kCreateCompartment;
  fix.apply = [name = compartment.name,
               title = fix.title](const std::stop_token&) -> Result<std::vector<AppliedChange>> {
    return failure(ErrorCode::FailedPrecondition, fmt::format("cannot {}", title),
                   fmt::format("there is no compartment '{}' yet", name),
                   fmt::format("create it first (step project, {})", kCreateCompartment));
  };
  return fix;
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
