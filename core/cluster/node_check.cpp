// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include "cluster/check_parts.h"
#include "cluster/train_yaml.h"

namespace lockstep {
namespace {

constexpr long long kMaxReplicas = 10'000;
constexpr long long kLeastBlockStorageInGBs = 50;
constexpr std::size_t kMaxMounts = 5;
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
  } else if (replicas == 0) {
    c.issues.warning(
        "zero-replicas", path, fmt::format("{} is 0, which means 1", path.toString()),
        std::string_view(key) == "main" ? "write 1" : fmt::format("remove {} if you want none", key));
  }
}

void checkLength(const CheckContext& c, const FieldPath& path, const std::optional<std::string>& name) {
  if (!name || characterCount(*name) <= kMaxName) return;
  c.issues.error("too-long", path,
                 fmt::format("{} has {} characters; a name has at most {}", path.toString(),
                             characterCount(*name), kMaxName),
                 "choose a shorter name");
}

void checkRole(const CheckContext& c, const std::optional<RoleSpec>& role, const char* key) {
  if (!role) return;
  checkReplicas(c, role, key);
  const FieldPath path = field::cluster().child(key);
  checkLength(c, path.child("name"), role->name);
  if (role->image)
    c.issues.warning(
        "role-image", path.child("image"),
        fmt::format("{} is ignored: all nodes run spec.cluster.spec.image", path.child("image").toString()),
        "remove it");
}

void checkParameterServers(const CheckContext& c) {
  if (!c.spec.parameterServer) return;
  const FieldPath path = field::cluster().child("ps");
  if (!c.spec.worker)
    c.issues.error("ps-without-worker", path, "parameter servers without workers cannot be launched",
                   "add a worker section");
  else if (c.spec.framework == Framework::PyTorch)
    c.issues.warning("ps-unused", path,
                     "a PYTORCH cluster has no use for parameter servers: they get no RANK", "remove ps");
}

void checkShape(const CheckContext& c) {
  const Infrastructure& infra = c.spec.infrastructure;
  if (!infra.shapeName || hasPlaceholder(*infra.shapeName)) return;
  const FieldPath name = infrastructureField(c.tree, "shapeName");
  const FieldPath details = infrastructureField(c.tree, "shapeConfigDetails");
  const bool flex = infra.shapeName->ends_with("Flex");
  if (!flex && infra.shapeConfig)
    c.issues.error("shape-details", details,
                   fmt::format("{} is given, but the shape {} is of a fixed size", details.toString(),
                               shown(*infra.shapeName)),
                   "remove it, or choose a shape whose name ends in Flex");
  if (!flex) return;
  if (!infra.shapeConfig || !infra.shapeConfig->ocpus || !infra.shapeConfig->memoryInGBs)
    c.issues.warning(
        "shape-details", infra.shapeConfig ? details : name,
        fmt::format("the flex shape {} needs to know its OCPUs and its memory", shown(*infra.shapeName)),
        "add shapeConfigDetails: {ocpus: 2, memoryInGBs: 32}");
  if (infra.shapeConfig && infra.shapeConfig->ocpus.value_or(1) <= 0)
    c.issues.error("out-of-range", details.child("ocpus"), "ocpus must be more than 0");
  if (infra.shapeConfig && infra.shapeConfig->memoryInGBs.value_or(1) <= 0)
    c.issues.error("out-of-range", details.child("memoryInGBs"), "memoryInGBs must be more than 0");
}

void checkStorage(const CheckContext& c) {
  const Infrastructure& infra = c.spec.infrastructure;
  const FieldPath size = infrastructureField(c.tree, "blockStorageSize");
  if (infra.blockStorageSizeInGBs.value_or(kLeastBlockStorageInGBs) < kLeastBlockStorageInGBs)
    c.issues.error("out-of-range", size,
                   fmt::format("{} is {}; a node has at least {} GB", size.toString(),
                               *infra.blockStorageSizeInGBs, kLeastBlockStorageInGBs),
                   "write 50 or more");
  if (infra.storageMounts.size() > kMaxMounts)
    c.issues.error(
        "out-of-range", infrastructureField(c.tree, "storageMount"),
        fmt::format("{} storage mounts; the service takes {}", infra.storageMounts.size(), kMaxMounts));
}

void checkNetworkAndLogs(const CheckContext& c) {
  const Infrastructure& infra = c.spec.infrastructure;
  if (!infra.subnetId)
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

}  // namespace

void checkNodes(const CheckContext& context) {
  const ClusterSpec& spec = context.spec;
  checkRole(context, spec.main, "main");
  checkRole(context, spec.worker, "worker");
  checkRole(context, spec.parameterServer, "ps");
  checkParameterServers(context);
  checkShape(context);
  checkStorage(context);
  checkNetworkAndLogs(context);
  checkLength(context, infrastructureField(context.tree, "displayName"), spec.infrastructure.displayName);
  checkLength(context, field::cluster().child("name"), spec.clusterName);
}

}  // namespace lockstep
