// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/training_run.h"

#include <algorithm>
#include <array>
#include <utility>

namespace lockstep {
namespace {

using StateWord = std::pair<JobRunState, const char*>;
constexpr std::array<StateWord, 8> kJobRunWords{{
    {JobRunState::Accepted, "ACCEPTED"},
    {JobRunState::InProgress, "IN_PROGRESS"},
    {JobRunState::Failed, "FAILED"},
    {JobRunState::Succeeded, "SUCCEEDED"},
    {JobRunState::Canceling, "CANCELING"},
    {JobRunState::Canceled, "CANCELED"},
    {JobRunState::Deleted, "DELETED"},
    {JobRunState::NeedsAttention, "NEEDS_ATTENTION"},
}};

bool isCreated(const NodeRun& node) {
  return !node.id.empty();
}
bool isLive(const NodeRun& node) {
  return isCreated(node) && !isTerminal(node.state);
}

template <class Predicate>
bool anyNode(const TrainingRun& run, Predicate predicate) {
  return std::any_of(run.nodes.begin(), run.nodes.end(), predicate);
}

bool anyNodeIs(const TrainingRun& run, JobRunState state) {
  return anyNode(run, [state](const NodeRun& n) { return isCreated(n) && n.state == state; });
}

bool hasFailed(const TrainingRun& run) {
  if (!run.failure.empty()) return true;
  // After a cancel, nodes may well fail: their peers went away. That is not why the run ended.
  return !run.cancelRequested && anyNodeIs(run, JobRunState::Failed);
}

RunState stateWhileLive(const TrainingRun& run) {
  if (run.cancelRequested || anyNodeIs(run, JobRunState::Canceling)) return RunState::Stopping;
  if (!run.launchComplete) return RunState::Launching;
  const bool started = anyNodeIs(run, JobRunState::InProgress) || anyNodeIs(run, JobRunState::Succeeded);
  return started ? RunState::Running : RunState::Waiting;
}

NodeRun mergedNode(const NodeRun& older, NodeRun newer) {
  if (newer.id.empty()) newer.id = older.id;
  if (newer.retryToken.empty()) newer.retryToken = older.retryToken;
  if (!newer.started) newer.started = older.started;
  if (!newer.finished) newer.finished = older.finished;
  if (isTerminal(older.state) && !isTerminal(newer.state)) {
    newer.state = older.state;
    newer.details = older.details;
  }
  return newer;
}

}  // namespace

JobRunState jobRunStateNamed(const std::string& word) {
  const auto found = std::find_if(kJobRunWords.begin(), kJobRunWords.end(),
                                  [&](const StateWord& w) { return word == w.second; });
  return found == kJobRunWords.end() ? JobRunState::Unknown : found->first;
}

const char* toString(JobRunState state) {
  const auto found = std::find_if(kJobRunWords.begin(), kJobRunWords.end(),
                                  [&](const StateWord& w) { return state == w.first; });
  if (found != kJobRunWords.end()) return found->second;
  return state == JobRunState::Silent ? "SILENT" : "UNKNOWN";
}

bool isTerminal(JobRunState state) {
  return state == JobRunState::Failed || state == JobRunState::Succeeded || state == JobRunState::Canceled ||
         state == JobRunState::Deleted || state == JobRunState::Silent;
}

const char* toString(RunState state) {
  switch (state) {
    case RunState::Launching:
      return "LAUNCHING";
    case RunState::Waiting:
      return "WAITING";
    case RunState::Running:
      return "RUNNING";
    case RunState::Stopping:
      return "STOPPING";
    case RunState::Succeeded:
      return "SUCCEEDED";
    case RunState::Failed:
      return "FAILED";
    case RunState::Canceled:
      return "CANCELED";
    case RunState::Silent:
      return "SILENT";
  }
  return "UNKNOWN";
}

std::optional<RunState> runStateNamed(std::string_view word) {
  for (const RunState state : {RunState::Launching, RunState::Waiting, RunState::Running, RunState::Stopping,
                               RunState::Succeeded, RunState::Failed, RunState::Canceled, RunState::Silent})
    if (word == toString(state)) return state;
  return std::nullopt;
}

bool isTerminal(RunState state) {
  return state == RunState::Succeeded || state == RunState::Failed || state == RunState::Canceled ||
         state == RunState::Silent;
}

std::string labelOf(const NodeRun& node) {
  if (node.nodes <= 1) return node.displayName;
  return node.displayName + " (" + std::to_string(node.nodes) + " nodes)";
}

const char* toString(NodeRole role) {
  switch (role) {
    case NodeRole::Main:
      return "MAIN";
    case NodeRole::Worker:
      return "WORKER";
    case NodeRole::ParameterServer:
      return "PS";
  }
  return "UNKNOWN";
}

bool isReadOnly(const TrainingRun& run) {
  return run.backend == kFolderBackend || run.backend == kFileBackend;
}

bool allNodesEnded(const TrainingRun& run) {
  return !anyNode(run, isLive);
}

RunState stateOf(const TrainingRun& run) {
  if (hasFailed(run)) return RunState::Failed;
  if (!allNodesEnded(run)) return stateWhileLive(run);
  if (run.cancelRequested) return RunState::Canceled;
  const bool nothingYet = !anyNode(run, isCreated);
  if (nothingYet) return run.launchComplete ? RunState::Succeeded : RunState::Launching;
  if (anyNodeIs(run, JobRunState::Silent)) return RunState::Silent;
  if (anyNodeIs(run, JobRunState::Canceled) || anyNodeIs(run, JobRunState::Deleted))
    return RunState::Canceled;
  return run.launchComplete ? RunState::Succeeded : RunState::Launching;
}

TrainingRun mergedRun(const TrainingRun& older, TrainingRun newer) {
  newer.cancelRequested = newer.cancelRequested || older.cancelRequested;
  newer.launchComplete = newer.launchComplete || older.launchComplete;
  if (newer.jobId.empty()) newer.jobId = older.jobId;
  if (newer.jobRetryToken.empty()) newer.jobRetryToken = older.jobRetryToken;
  if (!older.failure.empty()) newer.failure = older.failure;
  if (!newer.finished) newer.finished = older.finished;
  for (const auto part :
       {&TrainingRun::trainYaml, &TrainingRun::trainFile, &TrainingRun::codeFolder, &TrainingRun::image})
    if ((newer.*part).empty()) newer.*part = older.*part;
  // What was launched does not change: the first that knew it stays right.
  if (older.code.isKnown()) newer.code = older.code;
  if (!older.sweep.empty()) {
    newer.sweep = older.sweep;
    newer.sweepPoint = older.sweepPoint;
  }
  for (std::size_t i = 0; i < newer.nodes.size() && i < older.nodes.size(); ++i) {
    newer.nodes[i] = mergedNode(older.nodes[i], std::move(newer.nodes[i]));
  }
  for (std::size_t i = newer.nodes.size(); i < older.nodes.size(); ++i) newer.nodes.push_back(older.nodes[i]);
  return newer;
}

}  // namespace lockstep
