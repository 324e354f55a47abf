// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/attached_run.h"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "base/time_text.h"
#include "launch/job_run_rows.h"
#include "oci/data_science_client.h"

namespace lockstep {
namespace {

using nlohmann::json;

json objectAt(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_object() ? *found : json::object();
}

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
  const json environment = objectAt(objectAt(row, "jobConfigurationOverrideDetails"), "environmentVariables");
  NodeRun node;
  node.id = JobRunId(textAt(row, "id"));
  node.displayName = textAt(row, "displayName");
  node.role = roleOf(textAt(environment, "OCI__MODE"));
  node.nodeRank = numberOf(textAt(environment, "RANK"), 0);
  applyJobRun(node, row);
  return node;
}

/// Nodes of a native multi-node job; 0: it is none.
int nodesOf(const json& job) {
  const json details = objectAt(job, "jobNodeConfigurationDetails");
  int nodes = 0;
  const auto groups = details.find("jobNodeGroupConfigurationDetailsList");
  if (groups == details.end() || !groups->is_array()) return 0;
  for (const json& group : *groups) {
    const auto replicas = group.is_object() ? group.find("replicas") : group.end();
    nodes += replicas != group.end() && replicas->is_number_integer() ? std::max(1, replicas->get<int>()) : 1;
  }
  return nodes;
}

/// Where the variables of a job stand: in itself, or in the first of its node groups.
json environmentOf(const json& job) {
  const json details = objectAt(job, "jobNodeConfigurationDetails");
  const auto groups = details.find("jobNodeGroupConfigurationDetailsList");
  const bool grouped = groups != details.end() && groups->is_array() && !groups->empty();
  return objectAt(objectAt(grouped ? groups->front() : job, "jobConfigurationDetails"),
                  "environmentVariables");
}

TrainingRun runOf(const json& job, const JobId& jobId) {
  const json logs = objectAt(job, "jobLogConfigurationDetails");
  const json environment = environmentOf(job);
  TrainingRun run;
  run.jobId = jobId;
  run.name = textAt(job, "displayName");
  run.compartmentId = textAt(job, "compartmentId");
  run.projectId = textAt(job, "projectId");
  run.logGroupId = textAt(logs, "logGroupId");
  run.logId = textAt(logs, "logId");
  run.workDir = textAt(environment, "OCI__WORK_DIR");
  run.created = parseRfc3339(textAt(job, "timeCreated")).value_or(TimePoint{});
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
    auto whole = jobs.getJobRun(textAt(row, "id"), stop);  // the summary has no environment
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
