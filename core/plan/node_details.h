// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cluster/spec/cluster_spec.h"

namespace lockstep {

/// A port that a node listens on, or has to be reached on by the others (ads-contract 4.4).
struct NodePort {
  std::string ports;    // "29400", "8700:8800", "any"
  std::string purpose;  // "rendezvous (MASTER_PORT)"
};

/// What people want to know of one node before it exists.
struct NodeDetails {
  NodeRole role = NodeRole::Main;
  std::string displayName;                   // of its job run; template names as the plan expands them
  std::optional<std::pair<int, int>> ranks;  // first and last global rank; nullopt: it has none, or not known
  std::string host;                          // how the others find it, in one sentence
  std::vector<NodePort> ports;
  std::vector<EnvVar> environment;  // of the job with the node's own over it, as the container will see it
};

/// `index` counts the nodes of the role from 0. Pure; costs nothing that grows with the number of nodes.
[[nodiscard]] NodeDetails nodeDetails(const ClusterSpec& spec, NodeRole role, long long index);

/// How the number of ranks comes about: nodes and ranks per node.
struct WorldSize {
  long long nodes = 0;
  std::optional<int> ranksPerNode;  // nullopt: the shape does not tell, or the framework has no ranks
  std::optional<long long> ranks;   // nodes with ranks x ranksPerNode
  std::string text;                 // "world size 6 = (1 main + 2 workers) × 2 GPUs of VM.GPU.A10.2"
};
[[nodiscard]] WorldSize worldSizeOf(const ClusterSpec& spec);

}  // namespace lockstep
