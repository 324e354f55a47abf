// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "base/status.h"
#include "rehearsal/state/database.h"

namespace lockstep::rehearsal {

/// A node's place: what its environment and its supervisor are told.
struct NodeSeat {
  std::string address;  // "10.0.0.2"; 127.0.0.1 when nothing is isolated
  nlohmann::json spec;  // for NodeNetwork::enter
};

/// The networks of the region's VCNs: hands out addresses, and keeps what the packet filters of running nodes
/// enforce equal to the security lists, NSGs and route tables as they are now. Thread-safe.
class VcnNetwork {
 public:
  /// `endpointPort`: of this region on 127.0.0.1. Finds out what the machine allows; nothing is set up before
  /// the first node joins. `isolate` false: never isolates.
  static std::unique_ptr<VcnNetwork> create(Database& database, int endpointPort, bool isolate);
  virtual ~VcnNetwork() = default;

  /// Empty when nodes are isolated and rules enforced; else why not, as a sentence for `start` and the log.
  [[nodiscard]] virtual std::string unenforcedBecause() const = 0;
  /// A seat for one node of a run; the same one when it has one already. `subnetId` empty: managed egress, or
  /// the default network that the nodes of a multi-node run share among themselves. Blocks for milliseconds.
  virtual Result<NodeSeat> join(const std::string& runId, int node, const std::string& subnetId) = 0;
  /// Gives back the addresses of a run that has ended.
  virtual void leave(const std::string& runId) = 0;
  /// Rules, lists or routes have changed: brings the filters of running nodes up to date.
  virtual void refresh() = 0;
};

}  // namespace lockstep::rehearsal
