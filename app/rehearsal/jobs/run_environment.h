// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/clock.h"
#include "rehearsal/iam/tokens.h"
#include "rehearsal/jobs/run_plan.h"
#include "rehearsal/state/resources.h"
#include "rehearsal/support/run_folder.h"

namespace lockstep::rehearsal {

/// A resource principal's token is renewed in its file at half its life.
inline constexpr std::chrono::minutes kTokenLifetime{30};

/// The rank of the node in the environment of every process of a multi-node run, by which the region finds a
/// stray process of that node again.
inline constexpr const char* kNodeVariable = "LOCKSTEP_REHEARSAL_NODE";

/// What a node's environment depends on besides its run.
struct NodeContext {
  std::filesystem::path programs;  // first in PATH
  std::string endpoint;
  int rank = 0;
  std::map<std::string, std::string> network;  // NodeAttachment::environment
  std::string artifactName;                    // empty: the job has no artifact
  std::map<std::string, std::string> clients;  // RunnerSetup::clientEnvironment
};

/// Makes the folder with principal/, and writes the session key.
Result<void> makeRunFolder(const RunFolder& folder, const Key& sessionKey);

/// What a node finds in its environment (oci-rest-contract 9): what the service provides, then the job's
/// variables under the run's, then what an image would have set and the job did not.
[[nodiscard]] std::map<std::string, std::string> nodeEnvironment(const Resource& run, const RunPlan& plan,
                                                                 const RunFolder& folder,
                                                                 const std::filesystem::path& home,
                                                                 const NodeContext& place);

/// Issues a fresh resource principal session token and replaces the file; returns when it expires.
Result<TimePoint> writeRunToken(const Resource& run, const RunFolder& folder, const TokenIssuer& tokens,
                                TimePoint now);

/// One entry of CLUSTER_NODES_METADATA_FILE.
struct ClusterEntry {
  int rank = 0;
  std::string address;
};
Result<void> writeClusterFile(const RunFolder& folder, const std::vector<ClusterEntry>& entries);

/// Whether a node succeeded, and if not what happened, as a part of lifecycleDetails: "exit code 3".
struct NodeOutcome {
  bool success = false;
  std::string what;
};
[[nodiscard]] NodeOutcome outcomeOf(const NodeEnd& end, std::chrono::milliseconds longest);

/// Makes sure that a node without a supervisor never gets one: its end is `end` then. False while one is just
/// starting, or runs.
[[nodiscard]] bool stopBeforeStart(const NodeFolder& folder, const NodeEnd& end);

}  // namespace lockstep::rehearsal
