// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "cluster/spec/cluster_spec.h"

namespace lockstep {

/// One node group of a native multi-node job.
struct NodeGroup {
  std::string name;              // "main" | "worker" | "ps" | "node-group": all nodes alike
  std::optional<NodeRole> role;  // nullopt: all roles together
  long long replicas = 1;
};

/// The groups that the nodes of a native multi-node job fall into, in the order in which they start. One for
/// all of a PYTORCH cluster whose roles have nothing of their own, as `ads` has it for pyTorchDistributed;
/// else one per role.
[[nodiscard]] std::vector<NodeGroup> nodeGroupsOf(const ClusterSpec& spec);

/// What the file says of a role's group; all unset when it says nothing.
[[nodiscard]] NodeGroupSpec nodeGroupSpecOf(const ClusterSpec& spec, std::optional<NodeRole> role);

/// The shape that the nodes of a role get: their group's own, or that of the infrastructure.
[[nodiscard]] std::string shapeNameOf(const ClusterSpec& spec, std::optional<NodeRole> role);
/// Its details: of the group, or, when the group has no shape of its own either, of the infrastructure.
[[nodiscard]] std::optional<ShapeConfig> shapeConfigOf(const ClusterSpec& spec, std::optional<NodeRole> role);

}  // namespace lockstep
