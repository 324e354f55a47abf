// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include "cluster/checks/check_parts.h"
#include "cluster/reading/train_yaml.h"

namespace lockstep {
namespace {

using Kind = FixStep::Kind;

constexpr long long kMaxReplicas = 10'000;
constexpr std::size_t kMaxName = 255;

void checkReplicas(const CheckContext& c, const std::optional<RoleSpec>& role, const char* key) {
  if (!role || !role->replicas) return;
  const FieldPath path = field::cluster().child(key).child("replicas");
  const long long replicas = *role->replicas;
  if (replicas < 0 || replicas > kMaxReplicas) {
    c.issues.error("out-of-range", path,
                   fmt::format("{} is {}; it must be from 1 to {}", path.toString(), replicas, kMaxReplicas),
                   "give the number of nodes of this role");
  } else if (std::string_view(key) == "main" && replicas > 1) {
    c.issues.warning("main-replicas", path,
                     fmt::format("{} is {}, but only one main node is started", path.toString(), replicas),
                     "write 1, and more replicas of worker");
    c.issues.fix("write 1", {{Kind::SetBare, path, "1"}});
  } else if (replicas == 0) {
    c.issues.warning(
        "zero-replicas", path, fmt::format("{} is 0, which means 1", path.toString()),
        std::string_view(key) == "main" ? "write 1" : fmt::format("remove {} if you want none", key));
    c.issues.fix("write 1, which it means", {{Kind::SetBare, path, "1"}});
  }
}

void checkRole(const CheckContext& c, const std::optional<RoleSpec>& role, const char* key) {
  if (!role) return;
  checkReplicas(c, role, key);
  const FieldPath path = field::cluster().child(key);
  const bool numbered = std::string_view(key) != "main";  // worker_17
  const std::size_t digits = numbered ? fmt::format("_{}", role->replicas.value_or(1) - 1).size() : 0;
  checkNameLength(c, path.child("name"), role->name.value_or(""), digits);
  if (!role->image || c.spec.multiNode) return;  // a node group of its own runs it
  c.issues.warning(
      "role-image", path.child("image"),
      fmt::format("{} is ignored: all nodes run spec.cluster.spec.image", path.child("image").toString()),
      "remove it");
  c.issues.fix("remove it", {{Kind::Remove, path.child("image"), {}}});
}

void checkParameterServers(const CheckContext& c) {
  if (!c.spec.parameterServer) return;
  if (!c.spec.worker)
    c.issues.error("ps-without-worker", field::cluster().child("ps"),
                   "parameter servers without workers cannot be launched", "add a worker section");
}

void checkNetworkAndLogs(const CheckContext& c) {
  const Infrastructure& infra = c.spec.infrastructure;
  if (!infra.subnetId && !c.spec.multiNode)
    c.issues.warning(
        "no-subnet", infrastructureField(c.tree, "subnetId"),
        "there is no subnetId, so the nodes cannot find out which of their addresses the others reach",
        "add the subnetId of a private subnet");
  const FieldPath log = infrastructureField(c.tree, "logId");
  if (!infra.logGroupId && !infra.logId)
    c.issues.warning("no-logs", log,
                     "there is no logGroupId and no logId, so there will be no logs to follow",
                     "add the OCIDs of a log group and of a log in it");
  else if (!infra.logGroupId)
    c.issues.warning("log-group", log, "logId is given without logGroupId; the service asks for both",
                     "add logGroupId");
  else if (!infra.logId)
    c.issues.info("log-created", infrastructureField(c.tree, "logGroupId"),
                  "there is no logId, so every job run creates a log of its own in this group");
}

/// STANDALONE has a subnet, ME_STANDALONE has none (ads-contract 1.2).
void checkInfrastructureType(const CheckContext& c) {
  const Infrastructure& infra = c.spec.infrastructure;
  if (!infra.jobInfrastructureType) return;
  const std::string fitting = infra.subnetId ? "STANDALONE" : "ME_STANDALONE";
  if (*infra.jobInfrastructureType == fitting) return;
  const FieldPath path = infrastructureField(c.tree, "jobInfrastructureType");
  c.issues.warning(
      "infrastructure-type", path,
      fmt::format("{} is {}, but {} subnetId the service wants {}", path.toString(),
                  shown(*infra.jobInfrastructureType), infra.subnetId ? "with a" : "without", fitting),
      "remove it: the right one follows from subnetId");
  c.issues.fix("remove it", {{Kind::Remove, path, {}}});
}

}  // namespace

void checkNameLength(const CheckContext& c, const FieldPath& path, const std::string& name,
                     std::size_t reserved) {
  const std::size_t length = characterCount(name) + reserved;
  if (name.empty() || length <= kMaxName) return;
  const std::string number = reserved > 0 ? " with the node's number" : "";
  c.issues.error(
      "too-long", path,
      fmt::format("{} has {} characters{}; a name has at most {}", path.toString(), length, number, kMaxName),
      "choose a shorter name");
}

void checkNodes(const CheckContext& context) {
  const ClusterSpec& spec = context.spec;
  checkRole(context, spec.main, "main");
  checkRole(context, spec.worker, "worker");
  checkRole(context, spec.parameterServer, "ps");
  checkParameterServers(context);
  checkNetworkAndLogs(context);
  checkInfrastructureType(context);
  checkNameLength(context, infrastructureField(context.tree, "displayName"),
                  spec.infrastructure.displayName.value_or(""));
  checkNameLength(context, field::cluster().child("name"), spec.clusterName.value_or(""));
}

}  // namespace lockstep
