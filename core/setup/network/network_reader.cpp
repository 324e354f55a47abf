// SPDX-License-Identifier: GPL-3.0-or-later
#include "setup/network/network_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <mutex>
#include <tuple>

#include "oci/calls/side_by_side.h"
#include "oci/services/identity_client.h"

namespace lockstep {
namespace {

constexpr int kParallel = 8;
constexpr std::size_t kMaxGroups = 50;         // of a VCN that are looked into
constexpr std::size_t kMaxCompartments = 200;  // that are searched for a subnet

/// Tells two audits.
class BothAudits final : public oci::CallAudit {
 public:
  BothAudits(std::shared_ptr<oci::CallAudit> first, std::shared_ptr<oci::CallAudit> second)
      : first_(std::move(first)), second_(std::move(second)) {}
  void record(oci::CallRecord record) override {
    if (first_) first_->record(record);
    second_->record(std::move(record));
  }

 private:
  std::shared_ptr<oci::CallAudit> first_, second_;
};

std::shared_ptr<oci::ServiceClient> alsoTelling(const std::shared_ptr<oci::ServiceClient>& services,
                                                const std::shared_ptr<oci::CallAudit>& audit) {
  oci::ServiceClient::Setup setup = services->setup();
  setup.audit = std::make_shared<BothAudits>(setup.audit, audit);
  return std::make_shared<oci::ServiceClient>(std::move(setup));
}

using Task = std::function<Result<void>(const std::stop_token&)>;

Result<void> doAll(const std::vector<Task>& tasks, const std::stop_token& stop) {
  return oci::sideBySide(tasks.size(), kParallel, stop,
                         [&](std::size_t i, const std::stop_token& token) { return tasks[i](token); });
}

/// One reading of a NetworkView: each answer has a place of its own in it.
class ViewReading {
 public:
  ViewReading(std::shared_ptr<oci::ServiceClient> services, const oci::Subnet& subnet)
      : network_(std::move(services)), subnet_(subnet), view_{subnet, {}, oci::RouteTable(), {}, {}} {
    view_.lists.resize(subnet.securityListIds.size());
  }

  Result<NetworkView> read(const std::stop_token& stop) {
    std::vector<Task> tasks;
    for (std::size_t i = 0; i < view_.lists.size(); ++i)
      tasks.emplace_back([this, i](const std::stop_token& token) { return list(i, token); });
    tasks.emplace_back([this](const std::stop_token& token) -> Result<void> {
      view_.routes = network_.getRouteTable(subnet_.routeTableId, token);
      return {};
    });
    tasks.emplace_back([this](const std::stop_token& token) { return others(token); });
    for (std::size_t kind = 0; kind < gateways_.size(); ++kind)
      tasks.emplace_back([this, kind](const std::stop_token& token) { return gateways(kind, token); });
    if (const auto done = doAll(tasks, stop); !done) return failure(done.error());
    for (const auto& some : gateways_) view_.gateways.insert(view_.gateways.end(), some.begin(), some.end());
    return std::move(view_);
  }

 private:
  Result<void> list(std::size_t i, const std::stop_token& stop) {
    auto list = network_.getSecurityList(subnet_.securityListIds[i], stop);
    if (!list) return failure(list.error());
    view_.lists[i] = *std::move(list);
    return {};
  }

  // What cannot be seen of these is not there for us.
  Result<void> gateways(std::size_t kind, const std::stop_token& stop) {
    const auto which = static_cast<oci::Gateway::Kind>(kind);
    auto some = network_.listGateways(which, subnet_.compartmentId, stop, subnet_.vcnId);
    if (some) gateways_[kind] = *std::move(some);
    return {};
  }

  Result<void> others(const std::stop_token& stop) {
    auto all = network_.listSubnets(subnet_.compartmentId, stop, subnet_.vcnId);
    if (!all) return {};
    std::erase_if(*all, [this](const oci::Subnet& other) { return other.id == subnet_.id; });
    view_.others = *std::move(all);
    return {};
  }

  oci::NetworkClient network_;
  const oci::Subnet& subnet_;
  NetworkView view_;
  std::array<std::vector<oci::Gateway>, 3> gateways_;  // by Gateway::Kind
};

}  // namespace

NetworkReader::NetworkReader(const std::shared_ptr<oci::ServiceClient>& services)
    : history_(std::make_shared<oci::CallHistory>()), services_(alsoTelling(services, history_)) {}

Result<oci::Subnet> NetworkReader::subnet(const std::string& id, const std::stop_token& stop) {
  return oci::NetworkClient(services_).getSubnet(id, stop);
}

Result<oci::Vcn> NetworkReader::vcn(const std::string& id, const std::stop_token& stop) {
  return oci::NetworkClient(services_).getVcn(id, stop);
}

Result<NetworkView> NetworkReader::view(const oci::Subnet& subnet, const std::stop_token& stop) {
  return ViewReading(services_, subnet).read(stop);
}

std::vector<GroupRules> NetworkReader::groups(const oci::Subnet& subnet, const std::stop_token& stop) {
  oci::NetworkClient network(services_);
  const auto found = network.listNetworkSecurityGroups(subnet.compartmentId, stop, subnet.vcnId);
  if (!found) return {};
  std::vector<GroupRules> groups(std::min(found->size(), kMaxGroups));
  std::vector<Task> tasks;
  for (std::size_t i = 0; i < groups.size(); ++i)
    tasks.emplace_back([&, i](const std::stop_token& token) -> Result<void> {
      groups[i].group = (*found)[i];
      if (auto rules = network.listRules(groups[i].group.id, token)) groups[i].rules = *std::move(rules);
      return {};
    });
  (void)doAll(tasks, stop);
  return groups;
}

Result<std::vector<SubnetChoice>> NetworkReader::choicesIn(const std::string& compartmentId,
                                                           const std::string& vcnId,
                                                           const std::stop_token& stop) {
  oci::NetworkClient network(services_);
  std::vector<oci::Vcn> vcns;
  Result<std::vector<oci::Subnet>> subnets;
  const std::vector<Task> tasks{[&](const std::stop_token& token) -> Result<void> {
                                  // Only for the names: without them the ids are shown.
                                  if (auto all = network.listVcns(compartmentId, token))
                                    vcns = *std::move(all);
                                  return {};
                                },
                                [&](const std::stop_token& token) -> Result<void> {
                                  subnets = network.listSubnets(compartmentId, token, vcnId);
                                  return {};
                                }};
  if (const auto done = doAll(tasks, stop); !done) return failure(done.error());
  if (!subnets) return failure(subnets.error());
  std::vector<SubnetChoice> choices;
  for (oci::Subnet& subnet : *subnets) {
    const auto vcn =
        std::find_if(vcns.begin(), vcns.end(), [&](const oci::Vcn& one) { return one.id == subnet.vcnId; });
    choices.push_back({std::move(subnet), vcn == vcns.end() ? "" : vcn->displayName});
    if (choices.back().vcnName.empty()) choices.back().vcnName = choices.back().subnet.vcnId;
  }
  return choices;
}

Result<std::vector<SubnetChoice>> NetworkReader::choices(const std::string& compartmentId,
                                                         const std::string& tenancyId,
                                                         const std::string& vcnId,
                                                         const std::stop_token& stop) {
  auto first = choicesIn(compartmentId, vcnId, stop);
  if (!first || !first->empty()) return first;
  // A network often has a compartment of its own.
  const auto all = oci::IdentityClient(services_, tenancyId).listCompartments(tenancyId, stop);
  std::vector<std::string> places{tenancyId};
  if (all)
    for (const oci::Compartment& one : *all) places.push_back(one.id);
  std::erase(places, compartmentId);
  places.resize(std::min(places.size(), kMaxCompartments));
  std::mutex mutex;
  std::vector<SubnetChoice> found;
  (void)oci::sideBySide(places.size(), kParallel, stop,
                        [&](std::size_t i, const std::stop_token& token) -> Result<void> {
                          const auto some = choicesIn(places[i], vcnId, token);
                          const std::scoped_lock lock(mutex);
                          if (some) found.insert(found.end(), some->begin(), some->end());
                          return {};
                        });
  std::sort(found.begin(), found.end(), [](const SubnetChoice& a, const SubnetChoice& b) {
    return std::tie(a.vcnName, a.subnet.displayName, a.subnet.id) <
           std::tie(b.vcnName, b.subnet.displayName, b.subnet.id);
  });
  return found;
}

std::string NetworkReader::evidence(const std::string& operation) const {
  std::string text;
  for (const oci::CallRecord& record : history_->since(0)) {
    if (record.operation != operation || record.httpStatus == 0) continue;
    text = fmt::format("{} {}", operation, record.httpStatus);
    if (!record.requestId.empty()) text += ", opc-request-id " + record.requestId;
  }
  return text;
}

}  // namespace lockstep
