// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/migration.h"

#include <fmt/format.h>

#include <algorithm>

#include "cluster/document/fix.h"
#include "plan/node_groups.h"
#include "plan/plan.h"

namespace lockstep {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kNamesShown = 4;

FieldPath multiNodeField() {
  return {"spec", "multiNode"};
}

/// Both ends of a migration, as they will be planned.
struct Ends {
  ClusterSpec runsSpec, nodesSpec;
  Plan runs, nodes;
};

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i + 1 < names.size() && i + 1 == kNamesShown && names.size() > kNamesShown + 1) {
      return text + ", …, " + names.back();
    }
    text += (i == 0 ? "" : ", ") + names[i];
  }
  return text;
}

std::string runsText(const Plan& plan) {
  std::vector<std::string> names;
  for (const PlannedNode& node : plan.nodes) names.push_back(node.displayName);
  return fmt::format("{}: {}", names.size(), listed(names));
}

std::string nodesText(const Plan& plan) {
  const std::size_t count = plan.nodes.size();
  return fmt::format("1, which spans {} node{}", count, count == 1 ? "" : "s");
}

std::string groupsText(const ClusterSpec& spec) {
  std::vector<std::string> names;
  for (const NodeGroup& group : nodeGroupsOf(spec))
    names.push_back(fmt::format("{} × {}", group.name, group.replicas));
  return listed(names);
}

bool isManaged(const ClusterSpec& spec) {
  const auto& network = spec.multiNode->network;
  return network ? *network == "managed" : !spec.infrastructure.subnetId;
}

std::string networkText(const ClusterSpec& spec) {
  return isManaged(spec) ? "a network that the service manages for the nodes"
                         : "the subnet of subnetId, between the nodes as well";
}

bool hasRoleImage(const ClusterSpec& spec) {
  const auto has = [](const std::optional<RoleSpec>& role) { return role && role->image; };
  return has(spec.main) || has(spec.worker) || has(spec.parameterServer);
}

/// What is different, each as it is with one job run per node and as a native multi-node job.
std::vector<MigrationChange> differences(const Ends& ends) {
  std::vector<MigrationChange> all;
  all.push_back({"job runs", runsText(ends.runs), nodesText(ends.nodes)});
  all.push_back({"node groups", "none", groupsText(ends.nodesSpec)});
  all.push_back({"network",
                 ends.runsSpec.infrastructure.subnetId
                     ? "every job run has an address in the subnet of subnetId"
                     : "the service's own, without a way between the nodes",
                 networkText(ends.nodesSpec)});
  all.push_back({"number of a node", "RANK, set by the launch", "NODE_RANK, set by the service"});
  all.push_back({"number of nodes", "OCI__WORKER_COUNT + 1", "NODE_COUNT"});
  all.push_back({"addresses of the nodes", "files in the work dir",
                 "a file that the service writes (CLUSTER_NODES_METADATA_FILE)"});
  if (hasRoleImage(ends.runsSpec))
    all.push_back({"images of roles", "ignored", "applied to the group of the role"});
  all.push_back({"start", "one job run after the other, main first",
                 ends.nodesSpec.multiNode->startupOrder == "IN_ORDER" ? "group by group"
                                                                      : "all nodes at the same time"});
  all.push_back({"logs", "one stream for each node", "one stream with the lines of all nodes"});
  all.push_back({"cancelling", "each job run by itself", "all nodes at once"});
  return all;
}

std::vector<std::string> warningsToNodes(const Ends& ends) {
  std::vector<std::string> all;
  const ClusterSpec& spec = ends.nodesSpec;
  const NodeWork work = traitsOf(spec.framework).work;
  if (work == NodeWork::Ranks || work == NodeWork::Unknown)
    all.emplace_back(
        "The image has to number its nodes by NODE_RANK, as lockstep-node and node.py of the starters do: "
        "the "
        "containers of `ads` read RANK, which no node of a native multi-node job has.");
  else
    all.push_back(
        fmt::format("The containers of `ads` for {} exchange addresses through the work dir and take every "
                    "node for a job "
                    "run of its own; look whether yours can do with the service's file.",
                    upperCased(spec.clusterKind)));
  if (spec.infrastructure.subnetId && isManaged(spec))
    all.emplace_back("The subnet of subnetId is not used any more.");
  if (hasRoleImage(spec))
    all.emplace_back("The images of the roles take effect now; with one job run per node they are ignored.");
  all.emplace_back("`ads opctl run` ignores spec.multiNode and goes on to start one job run per node.");
  all.emplace_back("The rehearsal region has no multi-node jobs yet, so such a run cannot be rehearsed.");
  return all;
}

std::vector<std::string> warningsToRuns(const Ends& ends) {
  std::vector<std::string> all;
  const MultiNodeSpec& lost = *ends.nodesSpec.multiNode;
  if (lost.maximumRuntimeInMinutes)
    all.push_back(fmt::format("The time limit of {} minutes is lost: one job run per node has none.",
                              *lost.maximumRuntimeInMinutes));
  if (lost.startupOrder == "IN_ORDER") all.emplace_back("The order of the groups at the start is lost.");
  if (lost.hasGroups)
    all.emplace_back(
        "Shapes, storage, startup probes and numbers of nodes that must succeed of the groups are lost: all "
        "nodes get what the infrastructure says.");
  if (hasRoleImage(ends.runsSpec))
    all.emplace_back("The images of the roles are ignored then: all nodes run spec.cluster.spec.image.");
  if (!ends.runsSpec.infrastructure.subnetId)
    all.emplace_back("Without subnetId the nodes cannot find out which of their addresses the others reach.");
  all.emplace_back("The image has to number its nodes by RANK instead of NODE_RANK.");
  return all;
}

Result<Plan> draftOf(const ClusterDocument& document) {
  PlanOptions options;
  options.generatedName = "job";
  options.draft = true;
  return makePlan(document, options);
}

Result<Plan> planned(const ClusterDocument& document, bool wantsNodes) {
  if (document.spec().job)
    return failure(ErrorCode::FailedPrecondition, "the layout of this file cannot be changed",
                   "a file of kind 'job' runs as a native multi-node job when its replicas are more than 1",
                   "change spec.runtime.spec.replicas", "spec.runtime.spec.replicas");
  if (isMultiNode(document.spec()) != wantsNodes)
    return failure(ErrorCode::FailedPrecondition, "there is nothing to migrate",
                   wantsNodes ? "the file asks for one job run per node already"
                              : "the file asks for a native multi-node job already",
                   "", wantsNodes ? "spec" : "spec.multiNode");
  return draftOf(document);
}

Fix editsToNodes(const ClusterDocument& document) {
  Fix fix{"run it as a native multi-node job", {}};
  if (document.scalar(multiNodeField()))  // null asks for nothing
    fix.steps.push_back({FixStep::Kind::Remove, multiNodeField(), {}});
  const char* network = document.spec().infrastructure.subnetId ? "own" : "managed";
  fix.steps.push_back({FixStep::Kind::Set, multiNodeField().child("network"), network});
  return fix;
}

}  // namespace

Result<Migration> migrationToNodes(const ClusterDocument& document) {
  auto runs = planned(document, false);
  if (!runs) return failure(runs.error());
  Migration migration;
  migration.edits = editsToNodes(document);
  auto text = applyFix(document, migration.edits);
  if (!text) return failure(text.error());
  const ClusterDocument after(*std::move(text));
  auto nodes = draftOf(after);
  if (!nodes) return failure(nodes.error());
  const Ends ends{document.spec(), after.spec(), *std::move(runs), *std::move(nodes)};
  migration.changes = differences(ends);
  migration.warnings = warningsToNodes(ends);
  return migration;
}

Result<Migration> migrationToRuns(const ClusterDocument& document) {
  auto nodes = planned(document, true);
  if (!nodes) return failure(nodes.error());
  Migration migration;
  migration.edits = {"run one job run per node", {{FixStep::Kind::Remove, multiNodeField(), {}}}};
  auto text = applyFix(document, migration.edits);
  if (!text) return failure(text.error());
  const ClusterDocument after(*std::move(text));
  auto runs = draftOf(after);
  if (!runs) return failure(runs.error());
  const Ends ends{after.spec(), document.spec(), *std::move(runs), *std::move(nodes)};
  migration.changes = differences(ends);
  for (MigrationChange& change : migration.changes) std::swap(change.before, change.after);
  migration.warnings = warningsToRuns(ends);
  return migration;
}

}  // namespace lockstep
