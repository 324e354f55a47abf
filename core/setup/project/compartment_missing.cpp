// SPDX-License-Identifier: GPL-3.0-or-later
#include "setup/compartment_missing.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "oci/identity_client.h"

namespace lockstep {
namespace {

using Compartments = std::vector<oci::Compartment>;

constexpr const char* kName = "lockstep";  // of one that nobody has named
constexpr std::size_t kMostNamed = 10;
constexpr int kMostLooks = 40, kMostDeletions = 20;
constexpr std::chrono::milliseconds kBetweenLooks{500};

/// Those that can be seen, and whether those are all.
struct Visible {
  Compartments compartments;
  bool isAll = false;
};

Visible visibleTo(const SetupContext& context, const std::stop_token& stop) {
  if (auto all = context.compartments(stop)) return {*std::move(all), true};
  const auto profile = context.profile();
  const auto services = context.services();
  if (!profile || !services) return {};
  auto mine = oci::IdentityClient(*services).listAccessibleCompartments(profile->tenancy, stop);
  return mine ? Visible{*std::move(mine), false} : Visible{};
}

std::string listed(const Compartments& compartments) {
  std::string text;
  for (std::size_t i = 0; i < std::min(compartments.size(), kMostNamed); ++i)
    text += fmt::format("{}{} ({})", i > 0 ? ", " : "", compartments[i].name, compartments[i].id);
  return compartments.size() > kMostNamed
             ? text + fmt::format(" and {} more", compartments.size() - kMostNamed)
             : text;
}

ReportTable tableOf(const Compartments& compartments) {
  ReportTable table{"Compartments to choose from", {"name", "description", "OCID"}, {}};
  for (const oci::Compartment& one : compartments)
    table.rows.push_back({{one.name}, {one.description}, {one.id}});
  return table;
}

/// The only one, or the one that is called like ours.
const oci::Compartment* fitting(const Compartments& compartments) {
  if (compartments.size() == 1) return &compartments.front();
  const auto ours = std::find_if(compartments.begin(), compartments.end(),
                                 [](const auto& one) { return one.name == kName; });
  return ours == compartments.end() ? nullptr : &*ours;
}

// A new one is unknown to the other services for some seconds.
void waitUntilKnown(oci::IdentityClient& identity, const std::string& id, Clock& clock,
                    const std::stop_token& stop) {
  for (int look = 0; look < kMostLooks; ++look) {
    const auto one = identity.getCompartment(id, stop);
    if (one && one->lifecycleState == "ACTIVE") return;
    if (!clock.sleepFor(kBetweenLooks, stop)) return;
  }
}

Result<std::vector<AppliedChange>> create(const std::shared_ptr<oci::ServiceClient>& services,
                                          const std::string& tenancy, const std::stop_token& stop) {
  oci::IdentityClient identity(services, tenancy);
  const auto made =
      identity.createCompartment({tenancy, kName, "distributed training"}, oci::newRetryToken(), stop);
  if (!made) return failure(made.error());
  waitUntilKnown(identity, made->id, *services->setup().clock, stop);
  AppliedChange change;
  change.kind = kCompartmentCreated;
  change.title = fmt::format("created compartment '{}'", kName);
  change.undo = {{"compartmentId", made->id}};
  return std::vector{std::move(change)};
}

ProposedFix createCompartmentFix(const std::shared_ptr<oci::ServiceClient>& services,
                                 const std::string& tenancy) {
  ProposedFix fix;
  fix.id = "create-compartment";
  fix.title = fmt::format("create compartment '{}' in the tenancy", kName);
  fix.after = fmt::format("compartment {}\n  parent the tenancy itself ({})\n", kName, tenancy);
  fix.calls = {"CreateCompartment POST /20160918/compartments"};
  fix.apply = [services, tenancy](const std::stop_token& stop) { return create(services, tenancy, stop); };
  return fix;
}

bool isInUse(const Status& status) {
  return status.service && status.service->httpStatus == 409;
}

Finding findingFor(const Status& missing, const Visible& visible) {
  Finding finding{StepState::Blocked, missing.what, {}, {}, "compartment-missing"};
  if (missing.service) {
    finding.evidence = describe(*missing.service);
    finding.text += ": the service's 404 means either";
  } else if (!missing.cause.empty()) {
    finding.cause = missing.cause;
  }
  finding.text += visible.compartments.empty()
                      ? "; there is no other compartment that you can see"
                      : fmt::format("; you can see {}", listed(visible.compartments));
  return finding;
}

}  // namespace

StepReport compartmentMissingReport(const SetupContext& context, const Status& missing,
                                    const std::stop_token& stop) {
  const Visible visible = visibleTo(context, stop);
  Finding finding = findingFor(missing, visible);
  StepReport report;
  if (const auto* one = fitting(visible.compartments)) {
    finding.remedy = fmt::format("compartment '{}' would do: {}", one->name, one->id);
    report.facts["infrastructure.compartmentId"] = one->id;
  } else if (!visible.compartments.empty()) {
    finding.remedy = "choose one of these, or name it as compartmentId in the train.yaml";
  } else if (visible.isAll && context.profile() && context.services()) {
    finding.remedy = "create one";
    report.fixes.push_back(createCompartmentFix(*context.services(), context.profile()->tenancy));
  } else {
    finding.remedy =
        "ask an administrator for the right OCID, or for a policy that lets your group work in a compartment";
  }
  report.findings = {std::move(finding)};
  report.state = StepState::Blocked;
  if (!visible.compartments.empty()) report.tables.push_back(tableOf(visible.compartments));
  return report;
}

Result<void> deleteCompartment(const SetupContext& context, const AppliedChange& change,
                               const std::stop_token& stop) {
  const auto profile = context.profile();
  if (!profile) return failure(profile.error());
  const auto services = context.services();
  if (!services) return failure(services.error());
  oci::IdentityClient identity(*services, profile->tenancy);
  const std::string id = change.undo.value("compartmentId", "");
  auto done = identity.deleteCompartment(id, stop);
  // What was in it until a moment ago may still be on its way out.
  for (int look = 0; look < kMostDeletions && !done && isInUse(done.error()); ++look) {
    if (!(*services)->setup().clock->sleepFor(kBetweenLooks, stop)) break;
    done = identity.deleteCompartment(id, stop);
  }
  if (done || done.error().code == StatusCode::NotFound) return {};
  Status status = done.error();
  status.remedy = "something is in it by now: take that back, or delete it, first";
  return failure(status);
}

}  // namespace lockstep
