// SPDX-License-Identifier: GPL-3.0-or-later
// The profile and its API key or session: complete, private, and accepted by the services.
#include "setup/auth/auth_step.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "oci/calls/regions.h"
#include "oci/services/identity_client.h"
#include "oci/signin/profile_findings.h"
#include "oci/signing/profile_keys.h"
#include "setup/auth/auth_fixes.h"
#include "setup/auth/auth_new_key.h"
#include "setup/auth/auth_session.h"
#include "setup/step/findings.h"

namespace lockstep {
namespace {

class AuthStep final : public SetupStep {
 public:
  explicit AuthStep(SetupContextPtr context) : context_(std::move(context)) {}
  [[nodiscard]] std::string id() const override { return "auth"; }
  StepReport check(const std::stop_token& stop) override;
  Result<void> takeBack(const AppliedChange& change, const std::stop_token& stop) override {
    return takeAuthBack(*context_, change, stop);
  }

 private:
  void look();
  bool explain();
  void checkCall(const std::stop_token& stop);
  void explainRefusal(const std::stop_token& stop);
  void checkUser(const std::stop_token& stop);
  void checkRegion(const std::stop_token& stop);
  void addFixes(const std::stop_token& stop);
  void add(std::optional<ProposedFix> fix) {
    if (fix) fixes_.push_back(*std::move(fix));
  }

  SetupContextPtr context_;
  AuthSituation situation_;
  std::vector<Finding> findings_;
  std::vector<ProposedFix> fixes_;
};

Finding profileFinding(const oci::Profile& profile) {
  const std::string where = profile.endpoint.empty() ? "region " + profile.region : profile.endpoint;
  return {
      StepState::Ready,
      fmt::format("profile '{}' in {} is complete ({})", profile.name, profile.configFile.string(), where),
      "tenancy " + profile.tenancy,
      {},
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

Finding keyFinding(const oci::Profile& profile) {
  if (profile.signIn != oci::SignInKind::ApiKey && profile.signIn != oci::SignInKind::SecurityToken)
    return {
        StepState::Ready, fmt::format("the profile signs in as {}", toString(profile.signIn)), {}, {}, {}};
  const std::string text = profile.keyContent.empty()
                               ? fmt::format("the key file '{}' can be used", profile.keyFile.string())
                               : "the private key of OCI_CLI_KEY_CONTENT can be used";
  const std::string evidence = profile.fingerprint.empty() ? "" : "fingerprint " + profile.fingerprint;
  return {StepState::Ready, text, evidence, {}, {}};
}

void AuthStep::look() {
  const auto& environment = context_->environment();
  situation_ = {context_, oci::resolved(context_->query(), environment), std::nullopt, {}};
  auto profile = oci::loadIncomplete(context_->query(), environment);
  if (profile) situation_.profile = *std::move(profile);
  situation_.issues = oci::explainProfile(context_->query(), environment);
}

// Whether a request could be accepted at all.
bool AuthStep::explain() {
  bool usable = situation_.profile.has_value();
  for (const Issue& issue : situation_.issues) {
    std::string remedy = issue.remedy;
    if (issue.code == "missing-profile")
      remedy = "choose its tenancy, user and region, and it is created with a new key; or " + remedy;
    findings_.push_back({stateOf(issue.severity),
                         issue.message,
                         {},
                         std::move(remedy),
                         issue.severity == Severity::Info ? std::string() : issue.code});
    usable = usable && issue.severity != Severity::Error;
  }
  return usable;
}

void AuthStep::checkCall(const std::stop_token& stop) {
  auto services = context_->services();
  if (!services) {
    findings_.push_back(blockedFinding(services.error()));
    return;
  }
  const auto answer = (*services)->call(objectStorageRead("GetNamespace", "/n/"), stop);
  if (!answer) {
    findings_.push_back(blockedFinding(answer.error()));
    if (answer.error().code == ErrorCode::Unauthenticated) {
      explainRefusal(stop);
    } else if (answer.error().code == ErrorCode::Unavailable ||
               answer.error().code == ErrorCode::DeadlineExceeded) {
      findings_.back().code = "unreachable";
      findings_.back().remedy += " (the step machine tells what is in the way)";
    }
    return;
  }
  const auto name = nlohmann::json::parse(answer->body, nullptr, false);
  const std::string text = name.is_string() ? name.get<std::string>() : "?";
  findings_.push_back({StepState::Ready,
                       fmt::format("a signed request is accepted; the tenancy's namespace is '{}'", text),
                       evidenceOf("GetNamespace", *answer),
                       {},
                       {}});
  checkUser(stop);
  checkRegion(stop);
}

// The service says the same to every stranger; another profile of the tenancy may know more.
void AuthStep::explainRefusal(const std::stop_token& stop) {
  Finding& finding = findings_.back();
  finding.code = "not-authenticated";
  const oci::Profile& profile = *situation_.profile;
  if (profile.signIn != oci::SignInKind::ApiKey) return;
  const auto keeper = findKeyKeeper(situation_, profile.tenancy, profile.user, stop);
  const auto& known = keeper ? keeper->fingerprints : std::vector<std::string>();
  if (std::find(known.begin(), known.end(), profile.fingerprint) != known.end()) {
    finding.evidence += fmt::format("; ListApiKeys with the profile '{}': the key is there", keeper->profile);
    finding.remedy =
        "the key is uploaded, so look at the clock and the region, and whether the user is blocked";
    return;
  }
  if (keeper) {
    finding.code = "key-not-uploaded";
    finding.cause.clear();
    finding.text =
        fmt::format("the key {} is not among the {} API keys of the user", profile.fingerprint, known.size());
    finding.evidence += fmt::format("; ListApiKeys with the profile '{}'", keeper->profile);
    finding.remedy = known.size() >= 3
                         ? "delete one of the user's three API keys, which are the most there may "
                           "be, then upload this one"
                         : "upload it";
  }
  add(publishKeyFix(situation_, keeper));
}

// What a user may not look up is nothing that is wrong.
void AuthStep::checkUser(const std::stop_token& stop) {
  const oci::Profile& profile = *situation_.profile;
  if (profile.user.empty()) return;
  const auto services = context_->services();
  const auto user = oci::IdentityClient(*services, profile.tenancy).getUser(profile.user, stop);
  if (!user) return;
  findings_.push_back(
      {StepState::Ready, fmt::format("you are the user '{}'", user->name), "GetUser 200", {}, {}});
  if (user->compartmentId.starts_with("ocid1.tenancy.") && user->compartmentId != profile.tenancy) {
    findings_.push_back({StepState::Warning,
                         fmt::format("the user '{}' is of the tenancy '{}', not of the profile's", user->name,
                                     user->compartmentId),
                         "GetUser 200", "correct tenancy in the profile", "user-of-other-tenancy"});
  }
}

std::string regionId(const std::string& text) {
  const auto region = oci::findRegion(text);
  return region ? region->id : text;
}

void AuthStep::checkRegion(const std::stop_token& stop) {
  const oci::Profile& profile = *situation_.profile;
  const auto services = context_->services();
  if (profile.region.empty() || profile.tenancy.empty()) return;
  const auto regions =
      oci::IdentityClient(*services, profile.tenancy).listRegionSubscriptions(profile.tenancy, stop);
  if (!regions || regions->empty()) return;
  std::string names;
  for (const oci::RegionSubscription& region : *regions) {
    if (region.regionName == regionId(profile.region)) return;
    names += (names.empty() ? "" : ", ") + region.regionName;
  }
  findings_.push_back(
      {StepState::Warning,
       fmt::format("the tenancy is not subscribed to the region '{}' of the profile", profile.region),
       "ListRegionSubscriptions 200: " + names,
       fmt::format("write one of these as region: {}; or subscribe to it in the console", names),
       "region-not-subscribed"});
}

void AuthStep::addFixes(const std::stop_token& stop) {
  for (ProposedFix& fix : profileFixes(situation_)) fixes_.push_back(std::move(fix));
  if (situation_.has("missing-profile")) add(createProfileFix(situation_, stop));
  const bool lost = std::any_of(situation_.issues.begin(), situation_.issues.end(), [](const Issue& issue) {
    return issue.code == "missing-key" || issue.code == "missing-key_file" || issue.code == "unusable-key" ||
           issue.code == "public-key" || issue.code == "key-is-folder" || issue.code == "short-key" ||
           issue.code == "wrong-pass-phrase";
  });
  if (lost) add(newKeyFix(situation_));
}

StepReport AuthStep::check(const std::stop_token& stop) {
  findings_.clear();
  fixes_.clear();
  look();
  const bool usable = explain();
  if (usable) {
    findings_.insert(findings_.begin(), profileFinding(*situation_.profile));
    findings_.push_back(keyFinding(*situation_.profile));
    if (auto soon = sessionFinding(*situation_.profile)) findings_.push_back(*std::move(soon));
    checkCall(stop);  // else it could only be refused
  }
  addFixes(stop);
  StepReport report = reportOf(std::move(findings_));
  report.fixes = std::move(fixes_);
  return report;
}

}  // namespace

std::unique_ptr<SetupStep> makeAuthStep(SetupContextPtr context) {
  return std::make_unique<AuthStep>(std::move(context));
}

}  // namespace lockstep
