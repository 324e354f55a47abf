// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "base/bounds.h"
#include "base/json_fields.h"
#include "base/outside_json.h"
#include "base/time_text.h"
#include "runs/training_run.h"

namespace lockstep {
namespace {

using nlohmann::json;

constexpr int kMaxUntracked = 1'000'000, kMaxSweepPoints = 1'000'000;

json timeOrNull(const std::optional<TimePoint>& time) {
  return time ? json(toRfc3339(*time)) : json(nullptr);
}

std::optional<TimePoint> timeAt(const json& object, const char* key) {
  return parseRfc3339(stringField(object, key));
}

NodeRole roleNamed(const std::string& word) {
  if (word == "WORKER") return NodeRole::Worker;
  return word == "PS" ? NodeRole::ParameterServer : NodeRole::Main;
}

json toJson(const NodeRun& node) {
  return {{"jobRunId", node.id.value},
          {"role", toString(node.role)},
          {"displayName", node.displayName},
          {"nodeRank", node.nodeRank},
          {"nodes", node.nodes},
          {"state", toString(node.state)},
          {"details", node.details},
          {"retryToken", node.retryToken},
          {"started", timeOrNull(node.started)},
          {"finished", timeOrNull(node.finished)}};
}

/// Missing: `least`. Anything but a number that a node can have makes the run unreadable.
int nodeNumber(const json& row, const char* key, int least) {
  if (!row.contains(key)) return least;
  const auto number = outsideNumber(row, key, least, kMaxRanks);
  if (number) return static_cast<int>(*number);
  throw std::out_of_range(fmt::format("{} is {}, and a whole number from {} to {} is wanted", key,
                                      row[key].dump(-1, ' ', true, json::error_handler_t::replace), least,
                                      kMaxRanks));
}

// Of a node whose end nobody has seen there is a word, too, which no service says.
JobRunState stateNamed(const std::string& word) {
  return word == toString(JobRunState::Silent) ? JobRunState::Silent : jobRunStateNamed(word);
}

NodeRun nodeFrom(const json& row) {
  NodeRun node;
  node.id = JobRunId(row.value("jobRunId", ""));
  node.role = roleNamed(row.value("role", ""));
  node.displayName = row.value("displayName", "");
  node.nodeRank = nodeNumber(row, "nodeRank", 0);
  node.nodes = nodeNumber(row, "nodes", 1);
  node.state = stateNamed(row.value("state", ""));
  node.details = row.value("details", "");
  node.retryToken = row.value("retryToken", "");
  node.started = timeAt(row, "started");
  node.finished = timeAt(row, "finished");
  return node;
}

json toJson(const CodeVersion& code) {
  if (!code.isKnown()) return nullptr;
  return {{"commit", code.commit},
          {"branch", code.branch},
          {"isDirty", code.isDirty},
          {"untracked", code.untracked},
          {"isWhole", code.isWhole}};
}

CodeVersion codeFrom(const json& object) {
  CodeVersion code;
  code.commit = stringField(object, "commit");
  code.branch = stringField(object, "branch");
  code.isDirty = boolField(object, "isDirty", false);
  code.untracked = static_cast<int>(outsideNumber(object, "untracked", 0, kMaxUntracked).value_or(0));
  code.isWhole = boolField(object, "isWhole", true);
  return code;
}

TrainingRun runFrom(const json& object) {
  TrainingRun run;
  run.id = RunId(object.at("id").get<std::string>());
  run.name = object.value("name", "");
  run.backend = object.value("backend", "oci");
  run.configFile = object.value("configFile", "");
  run.profile = object.value("profile", "");
  run.jobId = JobId(object.value("jobId", ""));
  run.jobRetryToken = object.value("jobRetryToken", "");
  run.compartmentId = object.value("compartmentId", "");
  run.projectId = object.value("projectId", "");
  run.logGroupId = object.value("logGroupId", "");
  run.logId = object.value("logId", "");
  run.workDir = object.value("workDir", "");
  run.created = timeAt(object, "created").value_or(TimePoint{});
  run.finished = timeAt(object, "finished");
  run.launchComplete = object.value("launchComplete", false);
  run.cancelRequested = object.value("cancelRequested", false);
  run.failure = object.value("failure", "");
  run.trainFile = object.value("trainFile", "");
  run.codeFolder = object.value("codeFolder", "");
  run.image = object.value("image", "");
  run.code = codeFrom(objectField(object, "code"));
  run.sweep = stringField(object, "sweep");
  if (!run.sweep.empty())
    run.sweepPoint = static_cast<int>(outsideNumber(object, "sweepPoint", 0, kMaxSweepPoints).value_or(-1));
  for (const json& row : object.at("nodes")) run.nodes.push_back(nodeFrom(row));
  return run;
}

}  // namespace

json toJson(const TrainingRun& run) {
  json nodes = json::array();
  for (const NodeRun& node : run.nodes) nodes.push_back(toJson(node));
  json document = {{"id", run.id.value},
                   {"name", run.name},
                   {"state", toString(stateOf(run))},
                   {"backend", run.backend},
                   {"configFile", run.configFile},
                   {"profile", run.profile},
                   {"jobId", run.jobId.value},
                   {"jobRetryToken", run.jobRetryToken},
                   {"compartmentId", run.compartmentId},
                   {"projectId", run.projectId},
                   {"logGroupId", run.logGroupId},
                   {"logId", run.logId},
                   {"workDir", run.workDir},
                   {"created", toRfc3339(run.created)},
                   {"finished", timeOrNull(run.finished)},
                   {"launchComplete", run.launchComplete},
                   {"cancelRequested", run.cancelRequested},
                   {"failure", run.failure},
                   {"trainFile", run.trainFile},
                   {"codeFolder", run.codeFolder},
                   {"image", run.image},
                   {"code", toJson(run.code)},
                   {"nodes", std::move(nodes)}};
  if (!run.sweep.empty()) {
    document["sweep"] = run.sweep;
    document["sweepPoint"] = run.sweepPoint;
  }
  return document;
}

Result<TrainingRun> trainingRunFrom(const json& object) {
  try {
    return runFrom(object);
  } catch (const std::exception& error) {
    return failure(ErrorCode::DataLoss, "cannot read a stored run", error.what());
  }
}

}  // namespace lockstep
