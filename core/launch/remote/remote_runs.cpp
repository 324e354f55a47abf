// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/remote/remote_runs.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>

#include "base/json_fields.h"
#include "base/time_text.h"
#include "launch/job_run_rows.h"
#include "oci/calls/side_by_side.h"
#include "oci/services/compartment_paths.h"
#include "oci/services/data_science_client.h"
#include "oci/services/identity_client.h"

namespace lockstep {
namespace {

using nlohmann::json;

constexpr int kParallel = 8;
constexpr std::size_t kMaxCompartments = 1'000;

/// The job runs of each job, as the nodes of one run.
std::map<std::string, TrainingRun> byJob(const std::vector<json>& rows,
                                         std::map<std::string, std::string>& creators) {
  std::map<std::string, TrainingRun> jobs;
  for (const json& row : rows) {
    const std::string job = stringField(row, "jobId");
    TrainingRun& run = jobs[job];
    run.launchComplete = true;
    run.compartmentId = stringField(row, "compartmentId");
    run.projectId = stringField(row, "projectId");
    run.name = stringField(row, "displayName");
    NodeRun node;
    node.id = JobRunId(stringField(row, "id"));
    applyJobRun(node, row);
    const auto accepted = parseRfc3339(stringField(row, "timeAccepted"));
    if (accepted && (run.nodes.empty() || *accepted < run.created)) run.created = *accepted;
    run.nodes.push_back(std::move(node));
    creators[job] = stringField(row, "createdBy");
  }
  return jobs;
}

RemoteRun remoteRun(const std::string& jobId, const TrainingRun& run, std::string createdBy) {
  RemoteRun remote;
  remote.jobId = JobId(jobId);
  remote.name = run.name;
  remote.compartmentId = run.compartmentId;
  remote.projectId = run.projectId;
  remote.createdBy = std::move(createdBy);
  remote.state = stateOf(run);
  remote.jobRuns = run.nodes;
  std::ranges::stable_sort(remote.jobRuns, {}, &NodeRun::started);
  remote.created = run.created;
  if (allNodesEnded(run)) remote.finished = lastFinished(run);
  return remote;
}

/// By OCID. Who may not list the projects sees the jobs all the same, without the names.
std::map<std::string, std::string> projectNames(oci::DataScienceClient& client,
                                                const std::string& compartment, const std::stop_token& stop) {
  std::map<std::string, std::string> names;
  if (const auto projects = client.listProjects(compartment, stop))
    for (const auto& project : *projects) names[project.id] = project.displayName;
  return names;
}

Result<std::vector<RemoteRun>> runsIn(const std::shared_ptr<oci::ServiceClient>& services,
                                      const CompartmentPlace& compartment, const std::string& project,
                                      const std::stop_token& stop) {
  oci::DataScienceClient client(services);
  const auto rows = client.listJobRuns(compartment.id, {}, stop);
  if (!rows) return failure(rows.error());
  if (rows->empty()) return std::vector<RemoteRun>();
  const auto jobs = client.listJobs(compartment.id, project, stop);
  if (!jobs) return failure(jobs.error());
  std::map<std::string, std::string> creators;
  auto grouped = byJob(*rows, creators);
  for (const json& job : *jobs)  // the name of the job says more than that of its last node
    if (const auto run = grouped.find(stringField(job, "id")); run != grouped.end())
      run->second.name = stringField(job, "displayName", run->second.name);
  const auto projects = projectNames(client, compartment.id, stop);
  std::vector<RemoteRun> found;
  for (const auto& [id, run] : grouped) {
    if (!project.empty() && run.projectId != project) continue;
    found.push_back(remoteRun(id, run, creators[id]));
    found.back().compartment = compartment.path;
    if (const auto name = projects.find(run.projectId); name != projects.end())
      found.back().project = name->second;
  }
  return found;
}

/// Nobody says whether it is there: the service answers the same to those who may not know.
bool isForbidden(const Error& error) {
  return error.code == ErrorCode::NotFound || error.code == ErrorCode::PermissionDenied;
}

}  // namespace

Result<RemoteRuns> remoteRuns(const std::shared_ptr<oci::ServiceClient>& services, const RemoteSearch& search,
                              const std::stop_token& stop) {
  RemoteRuns all;
  std::optional<Error> why;
  std::mutex mutex;
  std::size_t done = 0;
  const auto work = [&](std::size_t i, const std::stop_token& cancel) -> Result<void> {
    auto found = runsIn(services, search.compartments[i], search.projectId, cancel);
    if (!found && !isForbidden(found.error())) return failure(found.error());
    const std::lock_guard lock(mutex);
    if (search.onProgress) search.onProgress(++done, search.compartments.size());
    if (!found) {
      all.forbidden.push_back(search.compartments[i].id);
      why = found.error();
      return {};
    }
    std::move(found->begin(), found->end(), std::back_inserter(all.runs));
    return {};
  };
  if (auto asked = oci::sideBySide(search.compartments.size(), kParallel, stop, work); !asked)
    return failure(asked.error());
  if (why && all.forbidden.size() == search.compartments.size()) return failure(*why);
  std::ranges::stable_sort(all.runs, std::greater(), &RemoteRun::created);
  return all;
}

Result<std::vector<CompartmentPlace>> visibleCompartments(const std::shared_ptr<oci::ServiceClient>& services,
                                                          const std::string& tenancyId,
                                                          const std::stop_token& stop) {
  oci::IdentityClient identity(services);
  const auto found = identity.listAccessibleCompartments(tenancyId, stop);
  if (!found) return failure(found.error());
  const auto paths = oci::compartmentPaths(*found);
  std::vector<CompartmentPlace> places{{tenancyId, {}}};
  for (const auto& compartment : *found)
    if (places.size() < kMaxCompartments) places.push_back({compartment.id, paths.at(compartment.id)});
  return places;
}

Result<RemoteRuns> remoteRuns(const RunServices& services, RemoteSearch search, const std::stop_token& stop) {
  if (search.compartments.empty()) {
    auto visible = visibleCompartments(services.services(), services.profile().tenancy, stop);
    if (!visible) return failure(std::move(visible.error()));
    search.compartments = *std::move(visible);
    if (search.onProgress) search.onProgress(0, search.compartments.size());
  }
  return remoteRuns(services.services(), search, stop);
}

Result<TrainingRun> takeUp(RunServices& services, RunStore& store, const JobId& jobId,
                           const std::string& workDir, const std::stop_token& stop) {
  if (auto known = store.find(jobId.value)) return known;
  auto run = services.attach(jobId, stop);
  if (!run) return run;
  if (run->workDir.empty()) run->workDir = workDir;
  if (auto saved = store.save(*run); !saved) return failure(std::move(saved.error()));
  return run;
}

json toJson(const RemoteRun& run) {
  return {{"jobId", run.jobId.value},
          {"name", run.name},
          {"state", toString(run.state)},
          {"jobRuns", run.jobRuns.size()},
          {"compartmentId", run.compartmentId},
          {"compartment", run.compartment},
          {"projectId", run.projectId},
          {"project", run.project},
          {"createdBy", run.createdBy},
          {"created", toRfc3339(run.created)},
          {"finished", run.finished ? json(toRfc3339(*run.finished)) : json(nullptr)}};
}

}  // namespace lockstep
