// SPDX-License-Identifier: GPL-3.0-or-later
#include "setup/network/network_needs.h"

#include <fmt/format.h>

#include "export/terraform_needs.h"

namespace lockstep {
namespace {

constexpr int kLastPort = 65535;

PortRow rowOf(const PortRange& range) {
  const PortSet ports = PortSet::of(range.first, range.last);
  return {ports, ports.toString(), range.purpose, false, true};
}

std::string whyNoSubnet(const ClusterSpec& spec, long long nodes, const std::string& subnetId) {
  if (isMultiNode(spec)) {
    const bool managed =
        spec.multiNode && spec.multiNode->network ? *spec.multiNode->network == "managed" : subnetId.empty();
    if (managed)
      return fmt::format(
          "the native multi-node job has a network that the service manages ({}): its nodes need no subnet, "
          "no security list and no route of yours",
          spec.multiNode && spec.multiNode->network ? "spec.multiNode.network: managed" : "no subnetId");
  }
  if (nodes == 1 && subnetId.empty())
    return "one node without a subnetId runs in a network that the service manages: it talks to no other "
           "node";
  return {};
}

std::vector<PortRow> rowsOf(const PortNeeds& needs) {
  std::vector<PortRow> rows;
  for (const PortRange& range : needs.ranges) rows.push_back(rowOf(range));
  if (!needs.allTcpReason.empty())
    rows.push_back({PortSet::of(1, kLastPort), "all TCP", needs.allTcpReason, true, true});
  return rows;
}

NetworkNeeds needsOfAnybody() {
  NetworkNeeds needs;
  for (const PortRange& range :
       {PortRange{8786, 8786, "Dask scheduler"}, PortRange{8787, 8787, "Dask dashboard"},
        PortRange{12345, 12345, "TensorFlow servers"}, PortRange{29400, 29400, "PyTorch rendezvous"}})
    needs.rows.push_back(rowOf(range));
  needs.rows.push_back({PortSet::of(1, kLastPort), "all TCP",
                        "Horovod; NCCL and Gloo of PyTorch choose free ports", true, true});
  for (PortRow& row : needs.rows) row.isSure = false;
  return needs;
}

}  // namespace

PortSet NetworkNeeds::asked() const {
  PortSet all;
  for (const PortRow& row : rows) all = all | row.ports;
  return all;
}

Result<NetworkNeeds> networkNeedsOf(const std::optional<ClusterSpec>& spec, const std::string& subnetId) {
  if (!spec) return needsOfAnybody();
  const auto view = clusterView(*spec, Plan{});
  if (!view) return failure(view.error());
  NetworkNeeds needs;
  needs.nodes = static_cast<long long>(view->nodes.size());
  needs.notApplicable = whyNoSubnet(*spec, needs.nodes, subnetId);
  if (needs.nodes > 1) needs.rows = rowsOf(portNeedsOf(*view));
  return needs;
}

}  // namespace lockstep
