// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/attached_run.h"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "base/json_fields.h"
#include "base/time_text.h"
#include "launch/job_run_rows.h"
#include "oci/services/data_science_client.h"
#include "plan/job_field.h"

namespace lockstep {
namespace {

using nlohmann::json;

int numberOf(const std::string& text, int otherwise) {
  int value = otherwise;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

NodeRole roleOf(const std::string& mode) {
  if (mode == "MAIN") return NodeRole::Main;
  return mode == "PS" ? NodeRole::ParameterServer : NodeRole::Worker;
}

NodeRun nodeOf(const json& row) {
  const json& environment =
      objectField(objectField(row, "jobConfigurationOverrideDetails"), "environmentVariables");
  NodeRun node;
  node.id = JobRunId(stringField(row, "id"));
  node.displayName = stringField(row, "displayName");
  node.role = roleOf(stringField(environment, "OCI__MODE"));
  node.nodeRank = numberOf(stringField(environment, "RANK"), 0);
  applyJobRun(node, row);
  return node;
}

const json& nodeGroupsOf(const json& job) {
  return arrayField(objectField(job, job_field::kNodes), job_field::kGroups);
}

/// Nodes of a native multi-node job; 0: it is none.
int nodesOf(const json& job) {
  int nodes = 0;
  for (const json& group : nodeGroupsOf(job))
    nodes += std::max(1, static_cast<int>(integerField(group, "replicas").value_or(1)));
  return nodes;
}

/// Where the variables of a job stand: in itself, or in the first of its node groups.
const json& environmentOf(const json& job) {
  const json& groups = nodeGroupsOf(job);
  return objectField(objectField(groups.empty() ? job : groups.front(), job_field::kConfiguration),
                     "environmentVariables");
}

TrainingRun runOf(const json& job, const JobId& jobId) {
  const json& logs = objectField(job, job_field::kLogs);
  const json& environment = environmentOf(job);
  TrainingRun run;
  run.jobId = jobId;
  run.name = stringField(job, "displayName");
  run.compartmentId = stringField(job, "compartmentId");
  run.projectId = stringField(job, "projectId");
  run.logGroupId = stringField(logs, "logGroupId");
  run.logId = stringField(logs, "logId");
  run.workDir = stringField(environment, "OCI__WORK_DIR");
  run.created = parseRfc3339(stringField(job, "timeCreated")).value_or(TimePoint{});
  run.launchComplete = true;
  return run;
}

}  // namespace

Result<TrainingRun> attachedRun(const std::shared_ptr<oci::ServiceClient>& services, const JobId& jobId,
                                const std::stop_token& stop) {
  oci::DataScienceClient jobs(services);
  auto job = jobs.getJob(jobId.value, stop);
  if (!job) return failure(std::move(job.error()));
  TrainingRun run = runOf(*job, jobId);
  auto rows = jobs.listJobRuns(run.compartmentId, jobId.value, stop);
  if (!rows) return failure(std::move(rows.error()));
  for (const json& row : *rows) {
    auto whole = jobs.getJobRun(stringField(row, "id"), stop);  // the summary has no environment
    if (!whole) return failure(std::move(whole.error()));
    run.nodes.push_back(nodeOf(*whole));
    if (const int nodes = nodesOf(*job); nodes > 0) {
      run.nodes.back().nodes = nodes;
      run.nodes.back().role = NodeRole::Main;
    }
  }
  std::stable_sort(run.nodes.begin(), run.nodes.end(), [](const NodeRun& a, const NodeRun& b) {
    return std::pair(a.role, a.nodeRank) < std::pair(b.role, b.nodeRank);
  });
  // Of a run that is over nobody asks the service again.
  if (!run.nodes.empty() && allNodesEnded(run)) run.finished = lastFinished(run);
  return run;
}

}  // namespace lockstep
