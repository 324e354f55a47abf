// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lockstep {

/// The conda environment that a job runs in, from Oracle ("service") or from a bucket ("published").
struct CondaSpec {
  std::optional<std::string> type, slug, uri, region;
};

/// Where the service finds the code: a repository. `secretId` names the key for a private one.
struct GitSource {
  std::optional<std::string> url, branch, commit, secretId;
};

/// What only a `kind: job` file has: its runtime (ads-contract 5.1). Its name, environment and image stand in
/// the ClusterSpec as those of a cluster do, its nodes as one main and replicas - 1 workers.
struct JobSpec {
  std::string type;                   // "pyTorchDistributed" | "container" | another, which is refused
  std::optional<long long> replicas;  // nodes; more than one is a native multi-node job
  std::optional<long long> maximumRuntimeInMinutes;
  std::vector<std::string> args;

  // pyTorchDistributed
  std::optional<CondaSpec> conda;
  std::optional<GitSource> git;
  std::optional<std::string> scriptPathUri, command, entryPoint, entryFunction;
  bool deepspeed = false;
  std::optional<std::string> pipRequirements, pipPackages;
  std::vector<std::pair<std::string, std::string>> inputs;
  std::optional<std::string> workingDir, outputDir, outputUri;
  std::vector<std::string> pythonPath;

  // container
  std::optional<std::vector<std::string>> entryPointWords;  // none: the image's own; empty: cmd alone
  std::vector<std::string> cmd;
  std::optional<std::string> imageDigest, imageSignatureId;

  [[nodiscard]] bool isContainer() const { return type == "container"; }
};

}  // namespace lockstep
