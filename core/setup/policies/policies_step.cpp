// SPDX-License-Identifier: GPL-3.0-or-later
#include "setup/policies/policies_step.h"

#include "oci/services/identity_client.h"
#include "setup/policies/policies_fixes.h"
#include "setup/policies/policies_report.h"
#include "setup/step/findings.h"
#include "setup/storage/bucket_search.h"

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
  [[nodiscard]] std::string workDir(const std::stop_token& stop) const;
  [[nodiscard]] PolicyRequirements requirements(const std::stop_token& stop) const;
  SetupContextPtr context_;
};

void replaceAll(std::string& text, const std::string& what, const std::string& with) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
}

// Statements are copied and given to administrators: those about a compartment that is still to be made name
// it, which says the same once it is there.
void nameCompartment(StepReport& report, const std::string& name) {
  const std::string byId = std::string("compartment id ") + kCompartmentToBeMade,
                    byName = "compartment " + name;
  for (Finding& one : report.findings)
    for (std::string* text : {&one.text, &one.evidence, &one.remedy, &one.cause})
      replaceAll(*text, byId, byName);
  for (ProposedFix& one : report.fixes) replaceAll(one.after, byId, byName);
  for (ReportTable& table : report.tables)
    for (auto& row : table.rows)
      for (ReportTable::Cell& cell : row) {
        replaceAll(cell.text, byId, byName);
        replaceAll(cell.detail, byId, byName);
      }
}

// Where nobody has named one, what the step of the bucket finds or makes: rights on all buckets would be too
// much to ask for.
std::string PoliciesStep::workDir(const std::stop_token& stop) const {
  if (std::string named = context_->workDir(); !named.empty()) return named;
  const auto found = unnamedWorkDir(*context_, stop);
  return found && !found->isOpen() ? found->uri.toString() : "";
}

// A proof of concept is granted too much, so it is checked for what it needs like any other.
PolicyRequirements PoliciesStep::requirements(const std::stop_token& stop) const {
  const PolicyMode chosen = context_->choices().policyMode;
  const PolicyMode mode = chosen == PolicyMode::Scoped ? chosen : PolicyMode::Restricted;
  return policyRequirementsOf(context_->spec(), workDir(stop), context_->image(), mode);
}

StepReport PoliciesStep::check(const std::stop_token& stop) {
  const auto services = context_->services();
  if (!services) return reportOf({needsAuth(services.error())});
  const auto snapshot = readPolicies(*context_, stop);
  if (!snapshot) return reportOf({noCompartmentFinding(snapshot.error())});
  for (const PolicySnapshot::Unread& one : snapshot->unread)
    if (one.why.code == ErrorCode::Unauthenticated) return reportOf({needsAuth(one.why)});
  const PoliciesReview review = reviewPolicies(*snapshot, context_->choices(), requirements(stop));
  StepReport report = policiesReport(*snapshot, review);
  if (snapshot->knowsPolicies && snapshot->knowsDynamicGroups)
    for (ProposedFix& fix : policyFixes(*snapshot, review, *services, SystemClock().now(), stop))
      report.fixes.push_back(
          madeIn({snapshot->compartmentId, {}, snapshot->tree.nameOf(snapshot->compartmentId), {}, {}, {}},
                 std::move(fix)));
  const std::string name = snapshot->tree.nameOf(snapshot->compartmentId);
  const bool isThere = snapshot->compartmentId != kCompartmentToBeMade;
  if (isThere) report.names[snapshot->compartmentId] = name;
  if (!isThere) nameCompartment(report, name);
  if (context_->compartmentId().empty() && isThere)
    report.facts["infrastructure.compartmentId"] = snapshot->compartmentId;
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
