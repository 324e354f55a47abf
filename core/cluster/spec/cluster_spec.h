// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cluster/spec/framework_traits.h"
#include "cluster/spec/job_spec.h"

namespace lockstep {

// What a train.yaml says, after YAML 1.1 resolution and Python str() of scalars (ads-contract 1.3), without
// defaults. Value structs only; parse_train_yaml fills them, the plan and the checks read them. Strings are
// what `ads` would send.

struct EnvVar {
  std::string name;
  std::string value;
};

struct ShapeConfig {
  std::optional<double> ocpus;
  std::optional<double> memoryInGBs;
  std::optional<std::string> cpuBaseline;
};

/// One line of storageMount, as written.
struct StorageMount {
  std::string src;   // "oci://bucket@namespace/prefix" | "<mount target>:<export>"
  std::string dest;  // "/a/b" | "b"
};

/// definedTags of one namespace.
struct DefinedTags {
  std::string nameSpace;
  std::vector<std::pair<std::string, std::string>> tags;
};

struct Infrastructure {
  std::optional<std::string> projectId, compartmentId, displayName, subnetId, shapeName, logGroupId, logId;
  std::optional<ShapeConfig> shapeConfig;
  std::optional<long long> blockStorageSizeInGBs;
  std::optional<std::string> jobInfrastructureType, jobType;
  std::vector<std::pair<std::string, std::string>> freeformTags;
  std::vector<DefinedTags> definedTags;
  std::vector<StorageMount> storageMounts;
};

enum class NodeRole { Main, Worker, ParameterServer };

/// The nodes of one role as the file asks for them.
struct RoleSpec {
  std::optional<std::string> name;
  std::optional<long long> replicas;
  std::optional<std::string> image;  // read and never applied, as in `ads`
  std::vector<EnvVar> env;
  std::vector<std::string> startOptions;
};

/// TLS material of a Dask cluster; used only when both parts are given.
struct CertificateSpec {
  std::optional<std::string> authorityId, authorityLocation;
  std::optional<std::string> id, location, keyLocation;
};

/// A command that the service runs in a node until it succeeds (startupProbeDetails).
struct StartupProbe {
  std::vector<std::string> command;
  std::optional<long long> periodInSeconds, failureThreshold, initialDelayInSeconds;
};

/// What the nodes of one role have for themselves in the native multi-node layout; unset: as all the others.
struct NodeGroupSpec {
  std::optional<std::string> shapeName;
  std::optional<ShapeConfig> shapeConfig;
  std::optional<long long> blockStorageSizeInGBs;
  std::optional<long long> minimumSuccessReplicas;
  std::optional<StartupProbe> startupProbe;
};

/// `spec.multiNode`, a key of ours that `ads` ignores: its presence asks for OCI's native multi-node job (one
/// job run that spans all nodes) instead of one job run per node.
struct MultiNodeSpec {
  std::optional<std::string> network;       // "own" (needs subnetId) | "managed"; unset: own with a subnetId
  std::optional<std::string> startupOrder;  // "IN_ORDER" | "IN_PARALLEL" (default)
  std::optional<long long> maximumRuntimeInMinutes;
  bool hasGroups = false;                       // whether `groups` says anything: then one group per role
  NodeGroupSpec main, worker, parameterServer;  // groups.main, groups.worker, groups.ps
};

struct ClusterSpec {
  std::string kind;  // "distributed" | "job"
  Infrastructure infrastructure;

  std::string clusterKind;  // as written, any case
  Framework framework = Framework::Unknown;
  std::optional<std::string> clusterName, image, workDir, ephemeral;
  std::vector<EnvVar> clusterEnv;
  std::vector<std::string> clusterStartOptions;
  std::optional<RoleSpec> main, worker, parameterServer;
  std::optional<CertificateSpec> certificate;

  std::optional<MultiNodeSpec> multiNode;
  std::optional<JobSpec> job;  // of a `kind: job` file; such a file has no cluster part

  std::optional<std::string> runtimeType;  // absent | "git" | "remote"
  std::optional<std::string> entryPoint, argsText, kwargsText;
  std::optional<std::string> uri, branch, commit, gitSecretId, codeDir, pythonPath;
  std::vector<EnvVar> runtimeEnv;
};

/// Nodes of a role as they will be started: main 1; worker and ps: replicas, where missing or 0 means 1.
[[nodiscard]] long long nodeCount(const ClusterSpec& spec, NodeRole role);
/// Whether the file asks for OCI's native multi-node job, one job run that spans all nodes.
[[nodiscard]] bool isMultiNode(const ClusterSpec& spec);
/// ASCII letters upper-cased, as OCI__CLUSTER_TYPE has the kind.
[[nodiscard]] std::string upperCased(std::string text);

}  // namespace lockstep
