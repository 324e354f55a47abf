// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/node_details.h"

#include <fmt/format.h>

#include "plan/env_interpolation.h"
#include "plan/job_body.h"
#include "plan/job_environment.h"
#include "plan/node_groups.h"
#include "plan/node_ports.h"
#include "plan/plan_names.h"
#include "plan/world_size.h"

namespace lockstep {
namespace {

std::string hostText(const ClusterSpec& spec, NodeRole role) {
  if (isMultiNode(spec))
    return "the service tells every node the addresses of all (CLUSTER_NODES_METADATA_FILE)";
  if (spec.job) return "it is the only node";
  const FrameworkTraits& traits = traitsOf(spec.framework);
  return std::string(role == NodeRole::Main ? traits.meetsAsMain : traits.meetsAsOther);
}

/// Number of the node among all that have ranks; nullopt where only the service knows it.
std::optional<long long> nodeRank(const ClusterSpec& spec, NodeRole role, long long index) {
  if (isMultiNode(spec) && nodeGroupsOf(spec).size() > 1) return std::nullopt;
  return role == NodeRole::Main ? 0 : index + 1;
}

std::optional<std::pair<int, int>> ranksOf(const ClusterSpec& spec, NodeRole role, long long index) {
  if (traitsOf(spec.framework).work != NodeWork::Ranks)
    return std::nullopt;  // Horovod numbers its slots at the start
  const auto ranks = ranksOnNode(spec, role);
  const auto node = nodeRank(spec, role, index);
  if (!ranks || !node) return std::nullopt;
  const int first = static_cast<int>(*node) * *ranks;
  return std::pair(first, first + *ranks - 1);
}

Environment environmentOf(const ClusterSpec& spec, NodeRole role, long long index, const Environment& job) {
  if (isMultiNode(spec)) {
    const bool alike = nodeGroupsOf(spec).size() == 1;
    return groupEnvironment(spec, job, alike ? std::nullopt : std::optional<NodeRole>(role));
  }
  if (spec.job) return job;
  Environment all = job;
  all.set(runEnvironment(spec, role, index).variables());
  return all;
}

/// "worker_2" of the group of workers, "main" of a group of one.
std::string nameInGroups(const ClusterSpec& spec, NodeRole role, long long index) {
  for (const NodeGroup& group : nodeGroupsOf(spec)) {
    if (group.role && *group.role != role) continue;
    const long long place = group.role || role == NodeRole::Main ? index : index + 1;
    return group.replicas > 1 ? fmt::format("{}_{}", group.name, place) : group.name;
  }
  return {};
}

std::string nameOf(const ClusterSpec& spec, NodeRole role, long long index, const Environment& job) {
  if (isMultiNode(spec)) return nameInGroups(spec, role, index);
  if (spec.job) return "main";
  return substituted(runNameTemplate(spec, role, index), runEnvironment(spec, role, index), job);
}

}  // namespace

NodeDetails nodeDetails(const ClusterSpec& spec, NodeRole role, long long index) {
  const Environment raw = jobEnvironment(spec);
  const auto expanded = interpolated(raw);
  const Environment& job = expanded ? *expanded : raw;  // the checks say what is wrong with it
  const Environment environment = environmentOf(spec, role, index, job);
  NodeDetails details;
  details.role = role;
  details.displayName = nameOf(spec, role, index, job);
  details.ranks = ranksOf(spec, role, index);
  details.host = hostText(spec, role);
  details.ports = portsOf(spec, role, environment);
  details.environment = environment.variables();
  return details;
}

}  // namespace lockstep
