// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>

#include "setup/network/network_access.h"

namespace lockstep {
namespace {

const char* codeOf(const PortAccess& access, RuleDirection direction) {
  switch (access.why) {
    case ClosedBecause::OtherAddresses:
    case ClosedBecause::PartOfAddresses:
      return "wrong-cidr";
    case ClosedBecause::SourcePorts:
      return "source-ports";
    case ClosedBecause::NoReturn:
      return "stateless-without-return";
    default:
      return direction == RuleDirection::Ingress ? "port-closed" : "egress-closed";
  }
}

std::string called(const PortRow& row) {
  return row.isAnyFree ? fmt::format("all TCP ({})", row.purpose)
                       : fmt::format("TCP {} ({})", row.name, row.purpose);
}

/// The group whose rules would open what is closed, if nodes were in it.
const GroupRules* openingGroup(const NetworkAccess& access, RuleDirection direction, const PortSet& closed,
                               const std::vector<GroupRules>& groups) {
  const auto found = std::find_if(groups.begin(), groups.end(), [&](const GroupRules& one) {
    RuleBook rules = access.rules;
    for (PlacedRule& placed : rulesOf(one.group, one.rules)) rules.push_back(std::move(placed));
    Peer peer = Peer::at(access.block);
    peer.groups = {one.group.id};
    return reachOf(rules, direction, peer).all.contains(closed);
  });
  return found == groups.end() ? nullptr : &*found;
}

class PortFindings {
 public:
  PortFindings(const NetworkView& view, const NetworkNeeds& needs, const NetworkAccess& access,
               const std::vector<GroupRules>& groups, const std::string& evidence)
      : view_(view), needs_(needs), access_(access), groups_(groups), evidence_(evidence) {}

  std::vector<Finding> all() {
    for (std::size_t i = 0; i < needs_.rows.size(); ++i) {
      const PortRow& row = needs_.rows[i];
      const RowAccess& one = access_.rows[i];
      if (one.isReady()) ready(row);
      if (one.inState != StepState::Ready) closed(row, one.in, one.inState, RuleDirection::Ingress);
      if (one.outState != StepState::Ready) closed(row, one.out, one.outState, RuleDirection::Egress);
    }
    return std::move(findings_);
  }

 private:
  void ready(const PortRow& row) {
    findings_.push_back(
        {StepState::Ready,
         fmt::format("{} is open between all nodes of {}, both ways", called(row), view_.subnet.cidrBlock),
         evidence_,
         {},
         {}});
  }

  void closed(const PortRow& row, const PortAccess& access, StepState state, RuleDirection direction) {
    const bool isIngress = direction == RuleDirection::Ingress;
    const std::string which = access.closed == row.ports ? "" : access.closed.toString() + " of ";
    Finding finding{state,
                    fmt::format("{}{} is closed {} the nodes of the subnet '{}'", which, called(row),
                                isIngress ? "into" : "out of", view_.subnet.displayName),
                    evidence_,
                    remedy(),
                    codeOf(access, direction),
                    access.because};
    const bool mayBeGroup =
        access.why == ClosedBecause::NoRule || access.why == ClosedBecause::OtherAddresses;
    if (const auto* one = mayBeGroup ? openingGroup(access_, direction, access.closed, groups_) : nullptr) {
      finding.code = "nsg-only";
      finding.cause += fmt::format(
          "; the network security group '{}' would open it, but job runs cannot be put into one: only the "
          "subnet's security lists hold for them",
          one->group.displayName);
    }
    findings_.push_back(std::move(finding));
  }

  std::string remedy() const {
    if (view_.lists.empty()) return "give the subnet a security list";
    return fmt::format("the fix below adds the rules that are missing, for {} only", view_.subnet.cidrBlock);
  }

  const NetworkView& view_;
  const NetworkNeeds& needs_;
  const NetworkAccess& access_;
  const std::vector<GroupRules>& groups_;
  const std::string& evidence_;
  std::vector<Finding> findings_;
};

Finding noRoute(const NetworkView& view, const StorageAccess& storage, const std::string& evidence) {
  return {
      StepState::Blocked,
      fmt::format("the nodes of the subnet '{}' do not reach Object Storage", view.subnet.displayName),
      evidence,
      "add a service gateway with \"all services in Oracle Services Network\" to the VCN and a route to it "
      "to the subnet's route table (or a NAT gateway and a route for 0.0.0.0/0)",
      "no-route-to-storage",
      storage.route.text};
}

}  // namespace

std::vector<Finding> portFindings(const NetworkView& view, const NetworkNeeds& needs,
                                  const NetworkAccess& access, const std::vector<GroupRules>& groups,
                                  const std::string& evidence) {
  return PortFindings(view, needs, access, groups, evidence).all();
}

Finding storageFinding(const NetworkView& view, const NetworkAccess& access, const std::string& evidence) {
  const StorageAccess& storage = access.storage;
  if (storage.route.state == StorageRoute::State::Closed) return noRoute(view, storage, evidence);
  if (!storage.rule.closed.empty()) {
    return {storage.state,
            "HTTPS from the nodes to Object Storage does not pass",
            evidence,
            storage.route.serviceLabel.empty()
                ? "add an egress rule for TCP 443 to 0.0.0.0/0 to the subnet's security list"
                : "the fix below adds the rule for " + storage.route.serviceLabel,
            "storage-egress-closed",
            storage.rule.because};
  }
  if (storage.route.state == StorageRoute::State::Unknown)
    return {StepState::Warning, "whether nodes reach Object Storage cannot be told",
            evidence,           "ask whoever runs the network",
            "route-unknown",    "they go " + storage.route.text};
  return {StepState::Ready, "nodes reach Object Storage " + storage.route.text, evidence, {}, {}};
}

}  // namespace lockstep
