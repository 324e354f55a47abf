// SPDX-License-Identifier: GPL-3.0-or-later
#include "setup/project/compartment_missing.h"

#include <fmt/format.h>

#include <algorithm>

#include "oci/services/identity_client.h"
#include "setup/project/compartment_fixes.h"

namespace lockstep {
namespace {

using Compartments = std::vector<oci::Compartment>;

constexpr std::size_t kMaxNamed = 10;

std::string newNameOf(const SetupContext& context) {
  const std::string& wished = context.choices().newCompartment;
  return isCompartmentName(wished) ? wished : kNewCompartmentName;
}

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
  for (std::size_t i = 0; i < std::min(compartments.size(), kMaxNamed); ++i)
    text += fmt::format("{}{} ({})", i > 0 ? ", " : "", compartments[i].name, compartments[i].id);
  return compartments.size() > kMaxNamed ? text + fmt::format(" and {} more", compartments.size() - kMaxNamed)
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
                                 [](const auto& one) { return one.name == kNewCompartmentName; });
  return ours == compartments.end() ? nullptr : &*ours;
}

Finding findingFor(const Error& missing, const Visible& visible) {
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

StepReport compartmentMissingReport(const SetupContext& context, const Error& missing,
                                    const std::stop_token& stop) {
  const Visible visible = visibleTo(context, stop);
  Finding finding = findingFor(missing, visible);
  StepReport report;
  if (const auto* one = fitting(visible.compartments)) {
    finding.remedy = fmt::format("compartment '{}' would do: {}", one->name, one->id);
    report.facts["infrastructure.compartmentId"] = one->id;
    report.names[one->id] = one->name;
  } else if (!visible.compartments.empty()) {
    finding.remedy = "choose one of these, or name it as compartmentId in the train.yaml";
  } else if (visible.isAll && context.profile() && context.services()) {
    finding.remedy = "create one";
    report.fixes.push_back(
        createCompartmentFix(*context.services(), context.profile()->tenancy, newNameOf(context)));
  } else {
    finding.remedy =
        "ask an administrator for the right OCID, or for a policy that lets your group work in a compartment";
  }
  report.findings = {std::move(finding)};
  report.state = StepState::Blocked;
  if (!visible.compartments.empty()) report.tables.push_back(tableOf(visible.compartments));
  return report;
}

StepReport compartmentNoneReport(const SetupContext& context, const oci::Compartment& wished) {
  Finding finding{
      StepState::Blocked,
      "the tenancy has no compartment but its root",
      "ListCompartments 200",
      fmt::format("create '{}'; to use the root all the same, choose the tenancy itself as the compartment",
                  wished.name),
      "compartment-none",
      "every policy of the tenancy reaches what lies in the root, and the root can never be deleted"};
  StepReport report;
  if (!isCompartmentName(wished.name)) {
    finding.text = fmt::format("'{}' cannot be the name of a compartment", wished.name);
    finding.remedy = "a name has letters, digits, '-', '_' and '.' only, and at most 100 of them";
    finding.code = "compartment-name";
    finding.cause.clear();
  } else if (const auto all = context.compartments({}); all && !all->empty()) {
    finding.text = fmt::format("the tenancy has no compartment '{}' yet", wished.name);
    finding.remedy = "create it, or choose another";
    finding.cause.clear();
  }
  if (finding.code == "compartment-none" && context.profile() && context.services())
    report.fixes.push_back(
        createCompartmentFix(*context.services(), context.profile()->tenancy, wished.name));
  report.findings = {std::move(finding)};
  report.state = StepState::Blocked;
  return report;
}

}  // namespace lockstep
