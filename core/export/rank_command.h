// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>
#include <vector>

#include "export/cluster_view.h"
#include "export/secrets.h"

namespace lockstep {

/// A PyTorch cluster as launchers of ranks want to see it.
struct RankedCluster {
  ClusterView view;
  TrainingCommand main, worker;  // roles may have arguments of their own
  /// Without what the launcher sets itself (RANK, WORLD_SIZE, MASTER_ADDR…).
  Environment mainEnvironment, workerEnvironment;
  std::string masterPort = "29400";
  std::vector<std::string> notes;
  [[nodiscard]] int nodes() const { return view.rankedNodes(); }
  [[nodiscard]] bool hasWorkers() const { return nodes() > 1; }
  /// Ranks on each node; nullopt: the shape does not tell.
  [[nodiscard]] std::optional<int> ranksPerNode() const;
  /// ", 2 ranks on each" or what is known instead, for a README.
  [[nodiscard]] std::string ranksText() const;
};

/// Fails when the cluster is no PyTorch cluster, or when a `kind: job` file has a command that no launcher
/// but its own understands. `form` is what it would have been: "torchrun commands".
[[nodiscard]] Result<RankedCluster> rankedCluster(const ExportInput& input, std::string_view form);

/// `cluster.sh`, what resources/export/node/run-node.sh reads, and that script.
void addNodeScripts(const RankedCluster& cluster, SecretStore& secrets, ExportBundle& bundle);

/// Command and arguments of the container of a Kubernetes pod, or of one node, as torchrun takes them.
[[nodiscard]] std::vector<std::string> entryWords(const TrainingCommand& command);

}  // namespace lockstep
