// SPDX-License-Identifier: GPL-3.0-or-later
#include "setup/network/network_subnet.h"

#include <fmt/format.h>

#include <algorithm>

#include "oci/calls/regions.h"
#include "reach/ipv4_range.h"
#include "setup/step/findings.h"

namespace lockstep {
namespace {

constexpr int kNotFound = 404;
constexpr std::uint64_t kReservedAddresses = 3;  // the network's own: the first two and the last

std::string regionId(const std::string& text) {
  const auto known = oci::findRegion(text);
  return known ? known->id : text;
}

/// "iad" of "ocid1.subnet.oc1.iad.aaaa"; empty when it does not say.
std::string regionOfOcid(const std::string& ocid) {
  std::size_t begin = 0;
  for (int part = 0; part < 3; ++part) {
    begin = ocid.find('.', begin);
    if (begin == std::string::npos) return {};
    ++begin;
  }
  const std::size_t end = ocid.find('.', begin);
  return end == std::string::npos ? "" : ocid.substr(begin, end - begin);
}

std::optional<Finding> elsewhere(const std::string& subnetId, const std::string& profileRegion) {
  const std::string region = regionOfOcid(subnetId);
  // A profile may name a whole domain instead of a region.
  if (region.empty() || profileRegion.empty() || profileRegion.find('.') != std::string::npos)
    return std::nullopt;
  const std::string here = regionId(profileRegion), there = regionId(region);
  if (here == there) return std::nullopt;
  return Finding{StepState::Blocked,
                 fmt::format("the subnet {} is in the region '{}', and the profile works in '{}'", subnetId,
                             there, here),
                 "the subnet's OCID and the profile's region",
                 fmt::format("choose a subnet of '{}', or a profile whose region is '{}'", here, there),
                 "subnet-in-other-region"};
}

Finding gone(const std::string& subnetId, const std::string& evidence, const std::string& why) {
  return {
      StepState::Blocked, fmt::format("the subnet {} {}", subnetId, why), evidence,
      "choose another subnet; if it does exist, the user needs a policy such as \"Allow group <group> to use "
      "virtual-network-family in compartment <compartment>\" (step policies)",
      "subnet-gone"};
}

ReportTable tableOf(const std::vector<SubnetChoice>& choices) {
  ReportTable table{"Subnets to choose from", {"VCN", "subnet", "block", "kind", "OCID"}, {}};
  for (const SubnetChoice& one : choices)
    table.rows.push_back({{one.vcnName},
                          {one.subnet.displayName},
                          {one.subnet.cidrBlock},
                          {one.subnet.isPrivate ? "private" : "public"},
                          {one.subnet.id}});
  return table;
}

std::string listed(const std::vector<SubnetChoice>& choices) {
  constexpr std::size_t kMax = 10;
  std::string text;
  for (std::size_t i = 0; i < std::min(choices.size(), kMax); ++i) {
    const oci::Subnet& subnet = choices[i].subnet;
    text += fmt::format("{}{} ({}, {}, VCN {}): {}", i > 0 ? "; " : "", subnet.displayName, subnet.cidrBlock,
                        subnet.isPrivate ? "private" : "public", choices[i].vcnName, subnet.id);
  }
  return choices.size() > kMax ? text + fmt::format("; and {} more", choices.size() - kMax) : text;
}

void addChoices(ChosenSubnet& chosen, const std::vector<SubnetChoice>& choices) {
  if (!choices.empty()) chosen.tables.push_back(tableOf(choices));
}

Result<std::vector<SubnetChoice>> listChoices(const SetupContext& context, NetworkReader& reader,
                                              const std::string& vcnId, const std::stop_token& stop) {
  const auto compartment = context.compartment(stop);
  if (!compartment) return failure(compartment.error());
  const auto profile = context.profile();
  const std::string tenancy = profile ? profile->tenancy : compartment->id;
  // Nothing is yet in one that is to be made; the network may be elsewhere all the same.
  return reader.choices(isToBeMade(*compartment) ? tenancy : compartment->id, tenancy, vcnId, stop);
}

// Named, but nothing to work with: what there is instead.
void offerOthers(const SetupContext& context, NetworkReader& reader, ChosenSubnet& chosen,
                 const std::stop_token& stop) {
  const auto choices = listChoices(context, reader, {}, stop);
  if (!choices) {
    chosen.findings.push_back(noCompartmentFinding(choices.error()));
    return;
  }
  addChoices(chosen, *choices);
  chosen.isNoneThere = choices->empty();
  std::string& remedy = chosen.findings.front().remedy;
  if (choices->empty()) {
    remedy = "there is no subnet that you could choose: the fix below makes one";
  } else if (choices->size() == 1) {
    chosen.proposal = choices->front().subnet;
    remedy = fmt::format("the subnet '{}' would do: {}", chosen.proposal->displayName, chosen.proposal->id);
  } else {
    remedy = fmt::format("choose one of these {}: {}", choices->size(), listed(*choices));
  }
}

ChosenSubnet named(const SetupContext& context, NetworkReader& reader, const std::string& id,
                   const std::stop_token& stop) {
  ChosenSubnet chosen;
  const auto profile = context.profile();
  if (auto other = elsewhere(id, profile ? profile->region : "")) {
    chosen.findings.push_back(*std::move(other));
  } else {
    auto subnet = reader.subnet(id, stop);
    const std::string evidence = reader.evidence("GetSubnet");
    if (subnet && !subnet->lifecycleState.starts_with("TERMINAT")) {
      chosen.subnet = *std::move(subnet);
      return chosen;
    }
    if (subnet)
      chosen.findings.push_back(gone(id, evidence, "is being deleted (" + subnet->lifecycleState + ")"));
    else if (subnet.error().service && subnet.error().service->httpStatus == kNotFound)
      chosen.findings.push_back(gone(id, evidence, "does not exist, or the profile may not see it"));
    else
      chosen.findings.push_back(blockedFinding(subnet.error()));
  }
  const std::string& code = chosen.findings.front().code;
  if (code == "subnet-gone" || code == "subnet-in-other-region") offerOthers(context, reader, chosen, stop);
  return chosen;
}

// A VCN that is named and not there has no subnets, just as one that is empty.
std::optional<ChosenSubnet> withoutVcn(const SetupContext& context, NetworkReader& reader,
                                       const std::string& id, const std::stop_token& stop) {
  const auto vcn = reader.vcn(id, stop);
  if (vcn && !vcn->lifecycleState.starts_with("TERMINAT")) return std::nullopt;
  const bool isMissing = vcn || (vcn.error().service && vcn.error().service->httpStatus == kNotFound);
  ChosenSubnet chosen;
  if (!isMissing) {
    chosen.findings.push_back(refusedFinding(vcn.error()));
    return chosen;
  }
  chosen.findings.push_back(
      {StepState::Blocked,
       vcn ? fmt::format("the VCN {} is being deleted ({})", id, vcn->lifecycleState)
           : fmt::format("the VCN {} does not exist, or the profile may not see it: the answer is the same",
                         id),
       reader.evidence("GetVcn"), "choose another one", "vcn-missing"});
  offerOthers(context, reader, chosen, stop);
  return chosen;
}

ChosenSubnet fromChoices(std::vector<SubnetChoice> choices, const std::string& vcnId,
                         const std::string& evidence) {
  ChosenSubnet chosen;
  if (choices.empty()) {
    chosen.isNoneThere = true;
    chosen.findings.push_back({StepState::Blocked,
                               vcnId.empty() ? "there is no subnet in this tenancy and region"
                                             : fmt::format("the VCN {} has no subnet", vcnId),
                               evidence,
                               "create a VCN with a private subnet and a service gateway (the fix below, "
                               "or the export to Terraform)",
                               "no-subnet"});
  } else if (choices.size() == 1) {
    const oci::Subnet& only = choices.front().subnet;
    chosen.findings.push_back({StepState::Ready,
                               fmt::format("the subnet '{}' of the VCN '{}' is taken: it is the only one",
                                           only.displayName, choices.front().vcnName),
                               evidence,
                               {},
                               {}});
    chosen.subnet = only;
  } else {
    chosen.findings.push_back(
        {StepState::Blocked,
         fmt::format("no subnet is chosen; there are {}: {}", choices.size(), listed(choices)), evidence,
         "choose one, or name it as subnetId in the train.yaml", "subnet-not-chosen"});
    addChoices(chosen, choices);
  }
  return chosen;
}

}  // namespace

ChosenSubnet chooseSubnet(const SetupContext& context, NetworkReader& reader, const std::stop_token& stop) {
  if (const std::string id = context.subnetId(); !id.empty()) return named(context, reader, id, stop);
  const std::string& vcnId = context.choices().vcnId;
  if (auto without = vcnId.empty() ? std::nullopt : withoutVcn(context, reader, vcnId, stop))
    return *std::move(without);
  auto choices = listChoices(context, reader, vcnId, stop);
  if (!choices) return {std::nullopt, {noCompartmentFinding(choices.error())}, {}};
  return fromChoices(*std::move(choices), vcnId, reader.evidence("ListSubnets"));
}

std::vector<Finding> subnetFindings(const oci::Subnet& subnet, long long nodes, const std::string& evidence) {
  std::vector<Finding> findings;
  const auto block = parseIpv4Block(subnet.cidrBlock);
  if (!block)
    return {
        {StepState::Blocked,
         fmt::format("the subnet '{}' has no IPv4 block (it has '{}')", subnet.displayName, subnet.cidrBlock),
         evidence, "choose a subnet with IPv4 addresses", "no-ipv4"}};
  findings.push_back({StepState::Ready,
                      fmt::format("the subnet '{}' ({}) is there", subnet.displayName, subnet.cidrBlock),
                      evidence,
                      {},
                      {}});
  if (!subnet.isPrivate)
    findings.push_back(
        {StepState::Warning,
         fmt::format("the subnet '{}' is public; nodes of job runs get no public address, and the "
                     "guides ask for a private subnet",
                     subnet.displayName),
         evidence + ", prohibitPublicIpOnVnic false",
         "choose or create a private subnet; a public one cannot be made private", "public-subnet"});
  const std::uint64_t room = block->size() > kReservedAddresses ? block->size() - kReservedAddresses : 0;
  if (static_cast<std::uint64_t>(nodes) > room)
    findings.push_back({StepState::Blocked,
                        fmt::format("the subnet '{}' ({}) has room for {} nodes, and the train.yaml has {}",
                                    subnet.displayName, subnet.cidrBlock, room, nodes),
                        evidence, "choose a larger subnet, or fewer replicas", "subnet-too-small"});
  return findings;
}

}  // namespace lockstep
