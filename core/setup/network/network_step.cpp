// SPDX-License-Identifier: GPL-3.0-or-later
#include "setup/network/network_step.h"

#include "setup/network/network_access.h"
#include "setup/network/network_creation.h"
#include "setup/network/network_fixes.h"
#include "setup/network/network_subnet.h"
#include "setup/step/findings.h"

namespace lockstep {
namespace {

StepReport only(Finding finding) {
  return reportOf({std::move(finding)});
}

class NetworkStep final : public SetupStep {
 public:
  explicit NetworkStep(SetupContextPtr context) : context_(std::move(context)) {}

  [[nodiscard]] std::string id() const override { return "network"; }

  StepReport check(const std::stop_token& stop) override {
    const auto needs = networkNeedsOf(context_->spec(), context_->subnetId());
    if (!needs) {
      Finding finding = blockedFinding(needs.error());
      finding.code = "train-yaml";
      return only(std::move(finding));
    }
    if (!needs->notApplicable.empty())
      return only({StepState::NotApplicable, needs->notApplicable, {}, {}, "not-applicable"});
    const auto services = context_->services();
    if (!services) return only(needsAuth(services.error()));
    NetworkReader reader(*services);
    ChosenSubnet chosen = chooseSubnet(*context_, reader, stop);
    if (!chosen.subnet) return withoutSubnet(*services, *needs, std::move(chosen), stop);
    StepReport report = checkSubnet(*services, reader, *needs, std::move(chosen), stop);
    nameVcn(reader, report, stop);
    return report;
  }

  Result<void> takeBack(const AppliedChange& change, const std::stop_token& stop) override {
    const bool isNetwork = change.kind == kNetworkCreated;
    if (!isNetwork && change.kind != kRulesAdded) return SetupStep::takeBack(change, stop);
    const auto services = context_->services();
    if (!services) return failure(services.error());
    return isNetwork ? deleteNetwork(*services, change, stop) : takeRulesBack(*services, change, stop);
  }

 private:
  StepReport withoutSubnet(const std::shared_ptr<oci::ServiceClient>& services, const NetworkNeeds& needs,
                           ChosenSubnet chosen, const std::stop_token& stop) const {
    StepReport report = reportOf(std::move(chosen.findings));
    report.tables = std::move(chosen.tables);
    const auto compartment = context_->compartment(stop);
    if (chosen.proposal) {
      report.facts["infrastructure.subnetId"] = chosen.proposal->id;
      report.names[chosen.proposal->id] = chosen.proposal->displayName;
    }
    if (chosen.isNoneThere && compartment)
      report.fixes.push_back(networkCreation(services, *compartment, needs));
    return report;
  }

  // Of the one that is chosen; the subnet's own is not asked about otherwise.
  void nameVcn(NetworkReader& reader, StepReport& report, const std::stop_token& stop) const {
    const std::string& id = context_->choices().vcnId;
    if (id.empty()) return;
    if (const auto vcn = reader.vcn(id, stop)) report.names[id] = vcn->displayName;
  }

  static StepReport checkSubnet(const std::shared_ptr<oci::ServiceClient>& services, NetworkReader& reader,
                                const NetworkNeeds& needs, ChosenSubnet chosen, const std::stop_token& stop) {
    const oci::Subnet& subnet = *chosen.subnet;
    std::string evidence = reader.evidence("GetSubnet");
    if (evidence.empty()) evidence = reader.evidence("ListSubnets");
    std::vector<Finding> findings = std::move(chosen.findings);
    for (Finding& one : subnetFindings(subnet, needs.nodes, evidence)) findings.push_back(std::move(one));
    StepReport report;
    if (parseIpv4Block(subnet.cidrBlock)) {
      const auto view = reader.view(subnet, stop);
      if (view)
        addFindings(services, reader, *view, needs, findings, report, stop);
      else
        findings.push_back(blockedFinding(view.error()));
    }
    report.state = reportOf(findings).state;
    report.findings = std::move(findings);
    report.facts["infrastructure.subnetId"] = subnet.id;
    report.names[subnet.id] = subnet.displayName;
    return report;
  }

  static void addFindings(const std::shared_ptr<oci::ServiceClient>& services, NetworkReader& reader,
                          const NetworkView& view, const NetworkNeeds& needs, std::vector<Finding>& findings,
                          StepReport& report, const std::stop_token& stop) {
    const NetworkAccess access = evaluateNetwork(view, needs);
    // Groups cannot help job runs; they are only looked at to explain a port that seems open.
    const auto groups =
        access.closed().empty() ? std::vector<GroupRules>() : reader.groups(view.subnet, stop);
    for (Finding& one : portFindings(view, needs, access, groups, reader.evidence("GetSecurityList")))
      findings.push_back(std::move(one));
    findings.push_back(storageFinding(view, access, reader.evidence("GetRouteTable")));
    report.tables.push_back(portTable(view, needs, access));
    report.fixes = networkFixes(services, view, needs, access);
  }

  SetupContextPtr context_;
};

}  // namespace

std::unique_ptr<SetupStep> makeNetworkStep(SetupContextPtr context) {
  return std::make_unique<NetworkStep>(std::move(context));
}

}  // namespace lockstep
