// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <chrono>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/status.h"

namespace lockstep::node {

using Environment = std::map<std::string, std::string>;

inline constexpr const char* kNoJob = "Undefined";  // what `ads` calls a job outside the service

/// What the environment of a job run asks of its node (ads-contract 4.1, 4.3).
struct NodeSettings {
  std::string jobId = kNoJob;  // JOB_OCID
  std::string jobRunId;        // JOB_RUN_OCID; outside the service a clock reading
  int nodeRank = 0;            // RANK, else NODE_RANK: main 0, workers from 1; multi-node: NODE_RANK
  int nodeCount = 1;           // OCI__WORKER_COUNT + 1, else NODE_COUNT; multi-node: INITIAL_CLUSTER_SIZE
  std::filesystem::path clusterFile;  // CLUSTER_NODES_METADATA_FILE; empty: a job run of one node
  int ranksPerNode = 1;               // GPUs of this node, at least 1; LOCKSTEP_RANKS_PER_NODE overrides
  std::string workDir;                // OCI__WORK_DIR
  std::chrono::seconds timeout{600};  // OCI__TIMEOUT: how long to wait for the main node
  std::string entryScript;            // OCI__ENTRY_SCRIPT
  std::vector<std::string> entryArguments;  // OCI__ENTRY_SCRIPT_ARGS
  std::filesystem::path codeDir = "/code";  // OCI__CODE_DIR
  int masterPort = 0;                       // MASTER_PORT; 0: 29400, or a free one when that is taken
  std::vector<std::string> profileCommand;  // PROFILE_CMD when PROFILE=1: goes before the training command
  std::string address;  // LOCKSTEP_NODE_ADDRESS: of this node, where no interface tells; empty: to be found

  int maxRestarts = 0;                   // LOCKSTEP_MAX_RESTARTS: of all ranks, after the failure of one
  int minNodes = 0;                      // LOCKSTEP_MIN_NODES: a restart may lack nodes down to this; 0: none
  std::chrono::seconds restartWait{60};  // LOCKSTEP_RESTART_WAIT: for the nodes to come back
  bool testReach = true;                 // LOCKSTEP_REACH_TEST=0 leaves it out
  std::filesystem::path syncFolder;      // OCI__SYNC_DIR when SYNC_ARTIFACTS=1; empty: nothing is synced
  std::chrono::seconds syncInterval{60};  // SYNC_SLEEP

  /// All nodes are one job run, and the service tells them their addresses.
  [[nodiscard]] bool isMultiNode() const { return !clusterFile.empty(); }
  [[nodiscard]] bool isMain() const { return nodeRank == 0; }
  [[nodiscard]] int worldSize() const { return nodeCount * ranksPerNode; }
  [[nodiscard]] bool outsideService() const { return jobId == kNoJob; }
  /// "main", "worker_0", "worker_1"…
  [[nodiscard]] std::string defaultName() const;
};

/// InvalidArgument names the variable that is missing or wrong; OCI__CLUSTER_TYPE is one that is wrong when
/// it is there and no PYTORCH.
Result<NodeSettings> nodeSettingsFrom(const Environment& environment, int gpuCount);

/// GPUs that this container sees.
[[nodiscard]] int visibleGpuCount();

/// The value, or `missing` when the variable is absent or empty.
[[nodiscard]] std::string valueOf(const Environment& environment, const std::string& name,
                                  const std::string& missing = {});

}  // namespace lockstep::node
