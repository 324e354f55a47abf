// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "setup/findings.h"
#include "setup/setup_steps.h"

namespace lockstep {
namespace {

class AuthStep final : public SetupStep {
 public:
  explicit AuthStep(SetupContextPtr context) : context_(std::move(context)) {}
  [[nodiscard]] std::string id() const override { return "auth"; }
  StepReport check(const std::stop_token& stop) override;

 private:
  SetupContextPtr context_;
};

Finding profileFinding(const oci::Profile& profile) {
  const std::string where = profile.endpoint.empty() ? "region " + profile.region : profile.endpoint;
  return {
      StepState::Ready,
      fmt::format("profile '{}' in {} is complete ({})", profile.name, profile.configFile.string(), where),
      "tenancy " + profile.tenancy,
      {}};
}

StepState stateOf(Severity severity) {
  switch (severity) {
    case Severity::Error:
      return StepState::Blocked;
    case Severity::Warning:
      return StepState::Warning;
    case Severity::Info:
      return StepState::Ready;
  }
  return StepState::Unknown;
}

std::string keyText(const oci::Profile& profile) {
  if (!profile.keyContent.empty()) return "the private key of OCI_CLI_KEY_CONTENT can be used";
  return fmt::format("the key file '{}' can be used", profile.keyFile.string());
}

Finding callFinding(const SetupContext& context, const std::stop_token& stop) {
  auto services = context.services();
  if (!services) return blockedFinding(services.error());
  const auto answer = (*services)->call(objectStorageRead("GetNamespace", "/n/"), stop);
  if (!answer) return blockedFinding(answer.error());
  const auto name = nlohmann::json::parse(answer->body, nullptr, false);
  const std::string text = name.is_string() ? name.get<std::string>() : "?";
  return {StepState::Ready,
          fmt::format("a signed request is accepted; the tenancy's namespace is '{}'", text),
          evidenceOf("GetNamespace", *answer),
          {}};
}

StepReport AuthStep::check(const std::stop_token& stop) {
  auto profile = context_->profile();
  if (!profile) return reportOf({blockedFinding(profile.error())});
  std::vector<Finding> findings{profileFinding(*profile)};
  bool usable = true;
  for (const Issue& issue : oci::explainProfile(*profile)) {
    findings.push_back({stateOf(issue.severity), issue.message, issue.code, issue.remedy, issue.code});
    usable = usable && issue.severity != Severity::Error;
  }
  if (!usable) return reportOf(std::move(findings));  // the request could only be refused
  findings.push_back({StepState::Ready, keyText(*profile), "fingerprint " + profile->fingerprint, {}});
  findings.push_back(callFinding(*context_, stop));
  return reportOf(std::move(findings));
}

}  // namespace

std::unique_ptr<SetupStep> makeAuthStep(SetupContextPtr context) {
  return std::make_unique<AuthStep>(std::move(context));
}

}  // namespace lockstep
