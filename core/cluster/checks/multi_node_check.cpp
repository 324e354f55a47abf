// SPDX-License-Identifier: GPL-3.0-or-later
#include "cluster/reading/multi_node_yaml.h"

#include <fmt/format.h>

#include "cluster/checks/check_parts.h"
#include "cluster/reading/train_yaml.h"

namespace lockstep {
namespace {

using Kind = FixStep::Kind;

void checkNetwork(const CheckContext& c, const MultiNodeSpec& spec) {
  const FieldPath path = field::multiNode().child("network");
  const std::string network = spec.network.value_or("");
  const bool subnet = c.spec.infrastructure.subnetId.has_value();
  if (spec.network && network != "own" && network != "managed") {
    c.issues.error("multi-node-network", path,
                   fmt::format("{} is {}; it is own or managed", path.toString(), shown(network)),
                   "write own (with a subnetId) or managed");
    for (const char* meant : {"own", "managed"})
      if (upperCased(network) == upperCased(meant))
        c.issues.fix(fmt::format("write {}", meant), {{Kind::Set, path, meant}});
  } else if (network == "own" && !subnet) {
    c.issues.error("multi-node-network", path, "the nodes' own network needs a subnetId",
                   "add the subnetId of a private subnet, or write managed");
  } else if (network == "managed" && subnet) {
    c.issues.warning("multi-node-network", path,
                     "the network is managed by the service, so the subnetId has no effect",
                     "remove subnetId, or write own");
  }
}

void checkOrder(const CheckContext& c, const MultiNodeSpec& spec) {
  const FieldPath path = field::multiNode().child("startupOrder");
  const std::string order = spec.startupOrder.value_or("");
  if (!spec.startupOrder || order == "IN_ORDER" || order == "IN_PARALLEL") return;
  c.issues.error("multi-node-order", path,
                 fmt::format("{} is {}; it is IN_ORDER or IN_PARALLEL", path.toString(), shown(order)),
                 "write IN_ORDER or IN_PARALLEL");
  for (const char* meant : {"IN_ORDER", "IN_PARALLEL"})
    if (upperCased(order) == meant) c.issues.fix(fmt::format("write {}", meant), {{Kind::Set, path, meant}});
}

void checkPositive(const CheckContext& c, const FieldPath& path, const std::optional<long long>& value,
                   long long min) {
  if (!value || *value >= min) return;
  c.issues.error("out-of-range", path,
                 fmt::format("{} is {}; it must be {} or more", path.toString(), *value, min));
}

void checkProbe(const CheckContext& c, const FieldPath& path, const NodeGroupSpec& group) {
  if (!group.startupProbe) return;
  const StartupProbe& probe = *group.startupProbe;
  if (probe.command.empty())
    c.issues.error("missing-field", path.child("command"), path.child("command").toString() + " is missing",
                   "give the command whose success says that the node is up");
  checkPositive(c, path.child("periodInSeconds"), probe.periodInSeconds, 1);
  checkPositive(c, path.child("failureThreshold"), probe.failureThreshold, 1);
  checkPositive(c, path.child("initialDelayInSeconds"), probe.initialDelayInSeconds, 0);
  if (c.spec.multiNode->startupOrder.value_or("IN_PARALLEL") == "IN_ORDER") return;
  c.issues.warning("multi-node-probe", path, "a startup probe has no use when all groups start at once",
                   "write startupOrder: IN_ORDER, or remove the probe");
}

void checkGroup(const CheckContext& c, const char* key, NodeRole role, const NodeGroupSpec& group) {
  const FieldPath path = field::nodeGroup(key);
  if (!c.tree.find(path)) return;
  const long long nodes = nodeCount(c.spec, role);
  if (nodes == 0)
    c.issues.warning("multi-node-group", path,
                     fmt::format("the node group {} is described, but the cluster has no such nodes", key),
                     fmt::format("add spec.cluster.spec.{}, or remove the group", key));
  checkProbe(c, path.child("startupProbe"), group);
  const FieldPath min = path.child("minimumSuccessReplicas");
  checkPositive(c, min, group.minimumSuccessReplicas, 1);
  if (nodes == 0 || group.minimumSuccessReplicas.value_or(0) <= nodes) return;
  c.issues.error("out-of-range", min,
                 fmt::format("{} is {}, but the group has {} {}", min.toString(),
                             *group.minimumSuccessReplicas, nodes, nodes == 1 ? "node" : "nodes"),
                 "ask for at most as many as there are");
  c.issues.fix(fmt::format("write {}", nodes), {{Kind::SetBare, min, std::to_string(nodes)}});
}

/// A key without a value reads like a wish for this layout, but is none.
void checkEmpty(const CheckContext& c) {
  const FieldPath path = field::multiNode();
  const auto id = c.tree.find(path);
  if (!id || c.tree.node(c.tree.resolved(*id)).kind != NodeKind::Scalar) return;
  c.issues.warning("multi-node-empty", path,
                   path.toString() + " is empty, so there will be one job run for each node",
                   "write multiNode: {} for one native multi-node job, or remove it");
}

}  // namespace

void checkMultiNode(const CheckContext& context) {
  if (!context.spec.multiNode) return checkEmpty(context);
  const MultiNodeSpec& spec = *context.spec.multiNode;
  checkNetwork(context, spec);
  checkOrder(context, spec);
  checkPositive(context, field::multiNode().child("maximumRuntimeInMinutes"), spec.maximumRuntimeInMinutes,
                1);
  if (!spec.hasGroups) return;
  checkGroup(context, "main", NodeRole::Main, spec.main);
  checkGroup(context, "worker", NodeRole::Worker, spec.worker);
  checkGroup(context, "ps", NodeRole::ParameterServer, spec.parameterServer);
}

}  // namespace lockstep
