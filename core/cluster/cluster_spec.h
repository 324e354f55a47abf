// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace lockstep {

// What a train.yaml says, after YAML 1.1 resolution and Python str() of scalars (ads-contract 1.3), without defaults.
// Value structs only; parse_train_yaml fills them, the plan and the checks read them. Strings are what `ads` would send.

struct EnvVar {
  std::string name;
  std::string value;
};

struct ShapeConfig {
  std::optional<double> ocpus;
  std::optional<double> memoryInGBs;
  std::optional<std::string> cpuBaseline;
};

struct Infrastructure {
  std::optional<std::string> projectId, compartmentId, displayName, subnetId, shapeName, logGroupId, logId;
  std::optional<ShapeConfig> shapeConfig;
  std::optional<long long> blockStorageSizeInGBs;
  std::optional<std::string> jobInfrastructureType, jobType;
  std::vector<std::pair<std::string, std::string>> freeformTags;
};

enum class NodeRole { Main, Worker, ParameterServer };

/// The nodes of one role as the file asks for them.
struct RoleSpec {
  std::optional<std::string> name;
  std::optional<long long> replicas;
  std::vector<EnvVar> env;
  std::vector<std::string> startOptions;
};

enum class Framework { PyTorch, Dask, Horovod, TensorFlow, Ray, Unknown };

struct ClusterSpec {
  std::string kind;  // "distributed"
  Infrastructure infrastructure;

  std::string clusterKind;  // as written, any case
  Framework framework = Framework::Unknown;
  std::optional<std::string> clusterName, image, workDir, ephemeral;
  std::vector<EnvVar> clusterEnv;
  std::vector<std::string> clusterStartOptions;
  std::optional<RoleSpec> main, worker, parameterServer;

  std::optional<std::string> runtimeType;  // absent | "git" | "remote"
  std::optional<std::string> entryPoint, argsText, kwargsText;
  std::optional<std::string> uri, branch, commit, gitSecretId, codeDir, pythonPath;
  std::vector<EnvVar> runtimeEnv;
};

/// Nodes of a role as they will be started: main 1; worker and ps: replicas, where missing or 0 means 1.
[[nodiscard]] long long nodeCount(const ClusterSpec& spec, NodeRole role);
[[nodiscard]] Framework frameworkNamed(const std::string& clusterKind);

}  // namespace lockstep
