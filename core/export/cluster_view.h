// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "cluster/spec/cluster_spec.h"
#include "export/export.h"
#include "plan/environment.h"

namespace lockstep {

/// One node as an exporter writes it down.
struct ExportNode {
  NodeRole role = NodeRole::Main;
  long long index = 0;      // within its role
  int nodeRank = 0;         // main 0, workers 1…, parameter servers after them
  std::string hostName;     // unique in the cluster, a DNS label: "main", "worker-0", "scheduler", "chief"
  std::string displayName;  // of its job run
  std::string image;
  /// What its container sees: the job's variables, interpolated as `ads` does it, with those of the run over
  /// them (ads-contract 2.3, 2.4). The same for both layouts.
  Environment environment;
};

/// What every rank of a node runs.
struct TrainingCommand {
  std::string entry;                   // as the file has it: "train.py", "/code/train.py", "lockstep-trainer"
  std::vector<std::string> arguments;  // split as the containers of the framework do it
  std::string codeDir = "/code";       // what a relative entry is below
  [[nodiscard]] bool isPython() const { return entry.ends_with(".py"); }
  /// The entry below the code folder, unless it is absolute. A name that is no Python file may be a program
  /// on PATH as well.
  [[nodiscard]] std::string path() const;
};
[[nodiscard]] TrainingCommand trainingCommandOf(const ExportNode& node);

/// A cluster as exporters want to see it, the same for both layouts.
struct ClusterView {
  std::string name;   // of the job
  std::string label;  // the same as a DNS label of at most 40 characters
  Framework framework = Framework::Unknown;
  std::string image;         // of the cluster; made up when it is not known
  bool imageIsKnown = true;  // false: the file says '@…' and nobody said what that is
  std::string shapeName;
  int gpusPerNode = 0;
  bool gpusAreKnown = true;         // false: a shape with GPUs that does not tell how many
  bool hasRdma = false;             // the shape has RDMA interfaces
  std::optional<ShapeConfig> flex;  // how much of a flex shape
  std::string workDir;
  std::vector<ExportNode> nodes;  // main first

  [[nodiscard]] bool hasGpus() const { return gpusPerNode > 0 || !gpusAreKnown; }
  /// Nodes with a rank: all but the parameter servers.
  [[nodiscard]] int rankedNodes() const;
};

[[nodiscard]] Result<ClusterView> clusterView(const ExportInput& input);
/// The same where nobody plans a launch yet: with an empty plan, names and an image '@…' stay unknown.
[[nodiscard]] Result<ClusterView> clusterView(const ClusterSpec& spec, const Plan& plan);

/// Letters, digits and single dashes, lower case, beginning with a letter.
[[nodiscard]] std::string dnsLabel(std::string_view text, std::size_t max);

/// A failure that says that a cluster of this kind has no such form, and what it has instead.
[[nodiscard]] Error noSuchForm(const ClusterSpec& spec, std::string_view form, std::string_view remedy);

}  // namespace lockstep
