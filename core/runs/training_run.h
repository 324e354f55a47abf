// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/ids.h"
#include "base/status.h"
#include "cluster/cluster_spec.h"

namespace lockstep {

/// Lifecycle of one job run as the service reports it (ads-contract 2.11). Unknown: a word that we do not know.
enum class JobRunState { Accepted, InProgress, Failed, Succeeded, Canceling, Canceled, Deleted, NeedsAttention, Unknown };
[[nodiscard]] JobRunState jobRunStateNamed(const std::string& word);
[[nodiscard]] const char* toString(JobRunState state);  // the service's word: "IN_PROGRESS"
[[nodiscard]] bool isTerminal(JobRunState state);

/// State of a whole launch, derived from its job runs.
enum class RunState { Launching, Waiting, Running, Stopping, Succeeded, Failed, Canceled };
[[nodiscard]] const char* toString(RunState state);  // "RUNNING"
[[nodiscard]] bool isTerminal(RunState state);

/// One node of a launch.
struct NodeRun {
  JobRunId id;  // empty: not created yet
  NodeRole role = NodeRole::Main;
  std::string displayName;
  int nodeRank = 0;
  JobRunState state = JobRunState::Accepted;
  std::string details;  // lifecycleDetails
  std::optional<TimePoint> started, finished;
};

/// One launch: a job and its job runs, and where to find them again.
struct TrainingRun {
  RunId id;
  std::string name;
  std::string backend = "oci";  // the Launcher that owns it
  std::string configFile;       // OCI config file and profile it was launched with
  std::string profile;
  JobId jobId;  // empty: the job was not created yet
  std::string compartmentId, logGroupId, logId, workDir, projectId;
  TimePoint created{};
  std::optional<TimePoint> finished;
  bool launchComplete = false;  // every planned job run was created
  bool cancelRequested = false;
  std::string failure;          // why it failed, for people; empty while it has not
  std::vector<NodeRun> nodes;
  std::string trainYaml;  // the text it was launched from
};

/// The rules: any node failed -> Failed; cancel asked and all ended -> Canceled; all succeeded -> Succeeded; …
[[nodiscard]] RunState stateOf(const TrainingRun& run);
[[nodiscard]] nlohmann::json toJson(const TrainingRun& run);

}  // namespace lockstep
