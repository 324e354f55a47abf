// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <chrono>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/error.h"
#include "cluster/spec/cluster_spec.h"

namespace lockstep::node {

using Environment = std::map<std::string, std::string>;

inline constexpr const char* kNoJob = "Undefined";  // what `ads` calls a job outside the service

/// What the environment of a job run asks of its node (ads-contract 4.1, 4.3).
struct NodeSettings {
  Framework framework = Framework::PyTorch;  // OCI__CLUSTER_TYPE; one that runs on a node
  NodeRole role = NodeRole::Main;  // PyTorch: by the rank; else OCI__MODE, or by the rank without it
  std::string jobId = kNoJob;      // JOB_OCID
  std::string jobRunId;            // JOB_RUN_OCID; outside the service a clock reading
  int nodeRank = 0;  // RANK, else NODE_RANK: main 0, workers from 1, then parameter servers; multi-node:
                     // NODE_RANK
  bool isNumbered =
      true;  // false: a parameter server, which `ads` gives no RANK; nodeRank is that of the first
  int nodeCount =
      1;  // OCI__WORKER_COUNT + OCI__PS_COUNT + 1, else NODE_COUNT; multi-node: INITIAL_CLUSTER_SIZE
  int serverCount = 0;                // OCI__PS_COUNT; TensorFlow only
  std::filesystem::path clusterFile;  // CLUSTER_NODES_METADATA_FILE; empty: a job run of one node
  int ranksPerNode = 1;               // GPUs of this node, at least 1; LOCKSTEP_RANKS_PER_NODE overrides
  std::string workDir;                // OCI__WORK_DIR
  std::chrono::seconds timeout{600};  // OCI__TIMEOUT: how long to wait for the main node
  std::string entryScript;            // OCI__ENTRY_SCRIPT
  std::vector<std::string> entryArguments;  // OCI__ENTRY_SCRIPT_ARGS; Dask: and OCI__ENTRY_SCRIPT_KWARGS
  std::vector<std::string> startArguments;  // OCI__START_ARGS: for the scheduler or the workers of Dask
  std::filesystem::path codeDir = "/code";  // OCI__CODE_DIR
  int masterPort = 0;                       // MASTER_PORT; 0: 29400, or a free one when that is taken
  std::vector<std::string> profileCommand;  // PROFILE_CMD when PROFILE=1: goes before the training command
  std::string address;  // LOCKSTEP_NODE_ADDRESS: of this node, where no interface tells; empty: to be found

  int maxRestarts = 0;                   // LOCKSTEP_MAX_RESTARTS: of all ranks, after the failure of one
  int minNodes = 0;                      // LOCKSTEP_MIN_NODES: a restart may lack nodes down to this; 0: none
  std::chrono::seconds restartWait{60};  // LOCKSTEP_RESTART_WAIT: for the nodes to come back
  std::chrono::seconds nodeSilence{20};  // LOCKSTEP_NODE_SILENCE: without a heartbeat; then it is lost
  bool testReach = true;                 // LOCKSTEP_REACH_TEST=0 leaves it out
  std::filesystem::path syncFolder;      // OCI__SYNC_DIR when SYNC_ARTIFACTS=1; empty: nothing is synced
  std::chrono::seconds codeLimit{1800};  // LOCKSTEP_GIT_TIMEOUT: for each call of git
  std::chrono::seconds syncInterval{60};  // SYNC_SLEEP

  /// All nodes are one job run, and the service tells them their addresses.
  [[nodiscard]] bool isMultiNode() const { return !clusterFile.empty(); }
  [[nodiscard]] bool isMain() const { return nodeRank == 0; }
  [[nodiscard]] int workerCount() const { return nodeCount - 1 - serverCount; }
  [[nodiscard]] int worldSize() const { return nodeCount * ranksPerNode; }
  [[nodiscard]] bool outsideService() const { return jobId == kNoJob; }
  /// "main", "worker_0", "worker_1"…, "ps_0"…; "ps" of one without a number.
  [[nodiscard]] std::string defaultName() const;
};

/// InvalidArgument names the variable that is missing or wrong; OCI__CLUSTER_TYPE is one that is wrong when
/// it is there and names nothing that runs on a node.
Result<NodeSettings> nodeSettingsFrom(const Environment& environment, int gpuCount);

/// GPUs that this container sees.
[[nodiscard]] int visibleGpuCount();

/// A variable that is a whole number from `min` to `max`; `missing` when it is absent or empty.
Result<int> numberOf(const Environment& environment, const std::string& name, int missing, int min, int max);

}  // namespace lockstep::node
