// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "cluster/spec/cluster_spec.h"
#include "reach/port_set.h"

namespace lockstep {

/// Ports that one purpose needs between the nodes.
struct PortRow {
  PortSet ports;
  std::string name;     // "29400", "all TCP"
  std::string purpose;  // "rendezvous (MASTER_PORT)"
  /// Any free ports will do: then it is those that Linux hands out that matter, and the others are worth a
  /// warning only.
  bool isAnyFree = false;
  bool isSure = true;  // false: only for a framework that nobody has said we use
};

/// What a train.yaml asks of the network.
struct NetworkNeeds {
  std::string notApplicable;  // why no subnet is needed; else empty
  long long nodes = 0;        // 0: nobody has said how many
  std::vector<PortRow> rows;  // empty for one node
  [[nodiscard]] PortSet asked() const;
};

/// By the framework (ads-contract 4.4). Without a train.yaml: the ports that the frameworks have by default.
/// `subnetId` empty: nobody says one. Fails when the train.yaml's environment cannot be worked out.
[[nodiscard]] Result<NetworkNeeds> networkNeedsOf(const std::optional<ClusterSpec>& spec,
                                                  const std::string& subnetId);

}  // namespace lockstep
