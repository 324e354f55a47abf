// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "base/ids.h"
#include "cluster/spec/cluster_spec.h"
#include "runs/code_version.h"

namespace lockstep {

/// Lifecycle of one job run as the service reports it (ads-contract 2.11). Unknown: a word that we do not
/// know.
enum class JobRunState {
  Accepted,
  InProgress,
  Failed,
  Succeeded,
  Canceling,
  Canceled,
  Deleted,
  NeedsAttention,
  Unknown,
  Silent  // over, and nobody knows how: of a run that is read from its folder; never a service's word
};
[[nodiscard]] JobRunState jobRunStateNamed(const std::string& word);
[[nodiscard]] const char* toString(JobRunState state);  // the service's word: "IN_PROGRESS"
[[nodiscard]] bool isTerminal(JobRunState state);

/// State of a whole launch, derived from its job runs.
/// Silent: nothing is heard of it any more, and nothing tells how it ended.
enum class RunState { Launching, Waiting, Running, Stopping, Succeeded, Failed, Canceled, Silent };
[[nodiscard]] const char* toString(RunState state);  // "RUNNING"
[[nodiscard]] std::optional<RunState> runStateNamed(std::string_view word);
[[nodiscard]] bool isTerminal(RunState state);

/// One job run of a launch: one node, or, of a native multi-node job, all of them.
struct NodeRun {
  JobRunId id;  // empty: not created yet
  NodeRole role = NodeRole::Main;
  std::string displayName;
  int nodeRank = 0;
  int nodes = 1;  // that this job run spans; their states are not told apart by the service
  JobRunState state = JobRunState::Accepted;
  std::string details;     // lifecycleDetails
  std::string retryToken;  // of its CreateJobRun: sending that again within 24 h creates nothing new
  std::optional<TimePoint> started, finished;
};

/// One launch: a job and its job runs, and where to find them again.
struct TrainingRun {
  RunId id;
  std::string name;
  std::string backend = "oci";  // the Launcher that owns it; kFolderBackend, kFileBackend
  std::string configFile;       // OCI config file and profile it was launched with
  std::string profile;
  JobId jobId;                // empty: the job was not created yet
  std::string jobRetryToken;  // of its CreateJob
  std::string compartmentId, logGroupId, logId, workDir, projectId;
  TimePoint created{};
  std::optional<TimePoint> finished;
  bool launchComplete = false;  // every planned job run was created
  bool cancelRequested = false;
  std::string failure;  // why it failed, for people; empty while it has not
  std::vector<NodeRun> nodes;
  std::string trainYaml;  // the text it was launched from
  // With what else, for launching the same again; empty: unknown, or there was none.
  std::string trainFile;   // where that text stood
  std::string codeFolder;  // what stood for /code in a rehearsal
  std::string image;       // what stood for @image
  CodeVersion code;        // of the folder of trainFile
  // Of a run of a sweep: whose, and which of its points (SweepPoint). Empty, -1: of none.
  std::string sweep;
  int sweepPoint = -1;
};

/// The backend of a run that is read from its folder in a work dir.
inline constexpr const char* kFolderBackend = "folder";
/// Of one that is read from a .lockstep file.
inline constexpr const char* kFileBackend = "file";
/// Whether the run can only be looked at: its state is what its folder or file says, and nothing here can cancel it. Of them only
/// imported ones (core/history/imported_runs.h) are in a run store.
[[nodiscard]] bool isReadOnly(const TrainingRun& run);

/// The rules, the first that holds: a failure is written down, or a node failed without a cancel having been
/// asked for -> Failed; something lives -> Stopping, Launching, Running or Waiting; all succeeded ->
/// Succeeded; one fell silent -> Silent; else Canceled.
[[nodiscard]] RunState stateOf(const TrainingRun& run);
/// Whether every job run that was created has ended. Failed runs may have nodes that still run for some
/// seconds.
[[nodiscard]] bool allNodesEnded(const TrainingRun& run);

/// What two processes know about the same run, put together: nothing that either of them learned gets lost (a
/// cancel that was asked for, an id, the first failure, an ended node); where both know something, `newer`
/// wins.
[[nodiscard]] TrainingRun mergedRun(const TrainingRun& older, TrainingRun newer);

/// The name of a job run for people: "main", "resnet (3 nodes)".
[[nodiscard]] std::string labelOf(const NodeRun& node);

[[nodiscard]] const char* toString(NodeRole role);  // "MAIN" | "WORKER" | "PS"
/// Everything but the train.yaml: ids, "state", and one row per node in "nodes".
[[nodiscard]] nlohmann::json toJson(const TrainingRun& run);
/// The inverse of toJson(); `state` is derived and not read. DataLoss when it is not such a document.
[[nodiscard]] Result<TrainingRun> trainingRunFrom(const nlohmann::json& json);

}  // namespace lockstep
