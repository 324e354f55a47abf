// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/node_groups.h"

#include "plan/job_environment.h"

namespace lockstep {
namespace {

constexpr const char* kOneGroup = "node-group";

bool hasOwn(const RoleSpec& role) {
  return !role.env.empty() || role.image || !startArguments(role.startOptions).empty();
}

/// Whether no node differs from another one but by its number.
bool allAlike(const ClusterSpec& spec) {
  if (spec.job) return true;
  if (traitsOf(spec.framework).work != NodeWork::Ranks || spec.parameterServer) return false;
  if (spec.multiNode && spec.multiNode->hasGroups) return false;
  return !(spec.main && hasOwn(*spec.main)) && !(spec.worker && hasOwn(*spec.worker));
}

}  // namespace

std::vector<NodeGroup> nodeGroupsOf(const ClusterSpec& spec) {
  if (allAlike(spec))
    return {{kOneGroup, std::nullopt, nodeCount(spec, NodeRole::Main) + nodeCount(spec, NodeRole::Worker)}};
  std::vector<NodeGroup> groups{{"main", NodeRole::Main, nodeCount(spec, NodeRole::Main)}};
  if (spec.worker) groups.push_back({"worker", NodeRole::Worker, nodeCount(spec, NodeRole::Worker)});
  if (spec.parameterServer)
    groups.push_back({"ps", NodeRole::ParameterServer, nodeCount(spec, NodeRole::ParameterServer)});
  return groups;
}

NodeGroupSpec nodeGroupSpecOf(const ClusterSpec& spec, std::optional<NodeRole> role) {
  if (!spec.multiNode || !role) return {};
  const MultiNodeSpec& groups = *spec.multiNode;
  return *role == NodeRole::Main     ? groups.main
         : *role == NodeRole::Worker ? groups.worker
                                     : groups.parameterServer;
}

std::string shapeNameOf(const ClusterSpec& spec, std::optional<NodeRole> role) {
  const NodeGroupSpec group = nodeGroupSpecOf(spec, role);
  return group.shapeName ? *group.shapeName : spec.infrastructure.shapeName.value_or("");
}

std::optional<ShapeConfig> shapeConfigOf(const ClusterSpec& spec, std::optional<NodeRole> role) {
  const NodeGroupSpec group = nodeGroupSpecOf(spec, role);
  if (group.shapeConfig || group.shapeName) return group.shapeConfig;
  return spec.infrastructure.shapeConfig;
}

}  // namespace lockstep
