// SPDX-License-Identifier: GPL-3.0-or-later
#include "oci/identity_client.h"
#include "setup/findings.h"
#include "setup/policies_fixes.h"
#include "setup/policies_report.h"
#include "setup/setup_steps.h"

namespace lockstep {
namespace {

/// Whether the people who launch, their job runs and the service may do what training needs.
class PoliciesStep final : public SetupStep {
 public:
  explicit PoliciesStep(SetupContextPtr context) : context_(std::move(context)) {}
  [[nodiscard]] std::string id() const override { return "policies"; }
  StepReport check(const std::stop_token& stop) override;
  Result<void> takeBack(const AppliedChange& change, const std::stop_token& stop) override;

 private:
  [[nodiscard]] PolicyWish wish() const;
  SetupContextPtr context_;
};

// A proof of concept is granted too much, so it is checked for what it needs like any other.
PolicyWish PoliciesStep::wish() const {
  const PolicyMode chosen = context_->choices().policyMode;
  const PolicyMode mode = chosen == PolicyMode::Scoped ? chosen : PolicyMode::Restricted;
  return policyWishOf(context_->spec(), context_->workDir(), context_->image(), mode);
}

StepReport PoliciesStep::check(const std::stop_token& stop) {
  const auto services = context_->services();
  if (!services) return reportOf({needsAuth(services.error())});
  const auto picture = readPolicies(*context_, stop);
  if (!picture) return reportOf({noCompartmentFinding(picture.error())});
  for (const PolicyPicture::Unread& one : picture->unread)
    if (one.why.code == StatusCode::Unauthenticated) return reportOf({needsAuth(one.why)});
  const PoliciesReview review = reviewPolicies(*picture, context_->choices(), wish());
  StepReport report = policiesReport(*picture, review);
  if (picture->knowsPolicies && picture->knowsDynamicGroups)
    report.fixes = policyFixes(*picture, review, *services, SystemClock().now(), stop);
  if (context_->compartmentId().empty())
    report.facts["infrastructure.compartmentId"] = picture->compartmentId;
  return report;
}

Result<void> PoliciesStep::takeBack(const AppliedChange& change, const std::stop_token& stop) {
  const auto profile = context_->profile();
  if (!profile) return failure(profile.error());
  const auto services = context_->services();
  if (!services) return failure(services.error());
  oci::IdentityClient identity(*services, profile->tenancy);
  return takeBackPolicyChange(change, identity, stop);
}

}  // namespace

std::unique_ptr<SetupStep> makePoliciesStep(SetupContextPtr context) {
  return std::make_unique<PoliciesStep>(std::move(context));
}

}  // namespace lockstep
