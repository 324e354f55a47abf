// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/error.h"
#include "rehearsal/state/database.h"

namespace lockstep::rehearsal {

class IsolationProbe;

/// How a node is attached to its network: what its environment and its supervisor are told.
struct NodeAttachment {
  std::string address;  // "10.0.0.2"; 127.0.0.1 when nothing is isolated
  nlohmann::json spec;  // for NodeNetwork::enter
  /// What the node's environment gets because of its place: FQDN always; when nothing is isolated also
  /// LOCKSTEP_NODE_ADDRESS, since no interface then has an address in the subnet.
  std::map<std::string, std::string> environment;
};

struct VcnNetworkSetup {
  std::filesystem::path folder;  // the network's own within the state, made when it is needed
  std::vector<int> ports;        // on which this region answers at 127.0.0.1
  bool isolate = true;           // false: never isolates
  std::shared_ptr<IsolationProbe> probe = nullptr;  // that was begun before; none: it is made
};

/// The networks of the region's VCNs: hands out addresses, and keeps what the packet filters of running nodes
/// enforce equal to the security lists, NSGs and route tables as they are now. Thread-safe.
///
/// Where it isolates, every node has namespaces of its own (node_network.h), joined by a switch per VCN.
/// These are held by the nodes' supervisors alone: a region that is killed takes nothing with it, one that
/// starts again goes on with the nodes that it finds, and nothing is left when the last supervisor has gone.
class VcnNetwork {
 public:
  /// Finds out what the machine allows, in some milliseconds; nothing is set up before the first node joins.
  /// `database` must outlive it.
  static std::unique_ptr<VcnNetwork> create(Database& database, VcnNetworkSetup setup);
  virtual ~VcnNetwork() = default;

  /// Empty when nodes are isolated and rules enforced; else why not, as a sentence for `start` and the log.
  [[nodiscard]] virtual std::string unenforcedBecause() const = 0;
  /// An address lease for one node of a run; the same one when it has one already. `subnetId` empty: managed egress, or
  /// the default network that the nodes of a multi-node run share among themselves. Blocks for milliseconds.
  /// Fails when there is no such subnet (NotFound) or no address left in it (ResourceExhausted).
  virtual Result<NodeAttachment> join(const std::string& runId, int node, const std::string& subnetId) = 0;
  /// Gives back the addresses of a run that has ended; a run without any is fine.
  virtual void leave(const std::string& runId) = 0;
  /// Rules, lists or routes have changed: brings the filters of running nodes up to date.
  virtual void refresh() = 0;
};

}  // namespace lockstep::rehearsal
