// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/job_run_rows.h"

#include <algorithm>

#include "base/json_fields.h"
#include "base/time_text.h"

namespace lockstep {
namespace {

using nlohmann::json;

/// "[main ACTIVE, worker FAILED: no capacity] "; empty for one node.
std::string groupStates(const json& row) {
  std::string text;
  for (const json& group : arrayField(row, "nodeGroupDetailsList")) {
    if (!group.is_object()) continue;
    text +=
        (text.empty() ? "[" : ", ") + stringField(group, "name") + " " + stringField(group, "lifecycleState");
    const std::string details = stringField(group, "lifecycleDetails");
    if (!details.empty()) text += ": " + details;
  }
  return text.empty() ? text : text + "] ";
}

NodeRun* nodeOf(TrainingRun& run, const std::string& id) {
  const auto found =
      std::find_if(run.nodes.begin(), run.nodes.end(), [&](const NodeRun& n) { return n.id.value == id; });
  return found == run.nodes.end() ? nullptr : &*found;
}

void takeOver(TrainingRun& run, const json& row) {
  const std::string name = stringField(row, "displayName");
  const auto found = std::find_if(run.nodes.begin(), run.nodes.end(),
                                  [&](const NodeRun& n) { return n.id.empty() && n.displayName == name; });
  if (found == run.nodes.end()) return;
  found->id = JobRunId(stringField(row, "id"));
  applyJobRun(*found, row);
}

}  // namespace

void applyJobRun(NodeRun& node, const json& row) {
  const JobRunState state = jobRunStateNamed(stringField(row, "lifecycleState"));
  if (isTerminal(node.state) && !isTerminal(state)) return;  // an older answer that overtook a newer one
  node.state = state;
  node.details = groupStates(row) + stringField(row, "lifecycleDetails");
  if (const auto time = parseRfc3339(stringField(row, "timeStarted"))) node.started = time;
  if (const auto time = parseRfc3339(stringField(row, "timeFinished"))) node.finished = time;
}

std::vector<std::size_t> applyJobRuns(TrainingRun& run, const std::vector<json>& rows) {
  std::vector<bool> seen(run.nodes.size(), false);
  for (const json& row : rows) {
    if (!row.is_object() || stringField(row, "id").empty()) continue;
    NodeRun* node = nodeOf(run, stringField(row, "id"));
    if (node == nullptr) {
      takeOver(run, row);
      node = nodeOf(run, stringField(row, "id"));
    } else {
      applyJobRun(*node, row);
    }
    if (node != nullptr) seen[static_cast<std::size_t>(node - run.nodes.data())] = true;
  }
  std::vector<std::size_t> missing;
  for (std::size_t i = 0; i < run.nodes.size(); ++i) {
    if (!seen[i] && !run.nodes[i].id.empty()) missing.push_back(i);
  }
  return missing;
}

std::optional<TimePoint> lastFinished(const TrainingRun& run) {
  std::optional<TimePoint> last;
  for (const NodeRun& node : run.nodes) {
    if (node.finished && (!last || *node.finished > *last)) last = node.finished;
  }
  return last;
}

}  // namespace lockstep
