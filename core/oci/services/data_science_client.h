// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "oci/calls/service_client.h"

namespace lockstep::oci {

struct Project {
  std::string id, compartmentId, displayName, description, lifecycleState;
};

/// A shape that jobs can have here. How many GPUs it has the service does not say (oci-rest-contract 6).
struct JobShape {
  std::string name;         // "VM.GPU.A10.1"
  std::string shapeSeries;  // "NVIDIA_GPU", "AMD_ROME", …
  double coreCount = 0;
  double memoryInGBs = 0;
};

struct FastLaunchConfig {
  std::string name, shapeName, shapeSeries;
  double coreCount = 0;
  double memoryInGBs = 0;
  std::string managedEgressSupport;  // "REQUIRED" "SUPPORTED" "UNSUPPORTED"
};

/// What is known of a job's artifact without fetching it.
struct JobArtifact {
  std::string fileName;  // of content-disposition
  std::uint64_t size = 0;
  std::string md5;  // base64; may be empty
  std::string etag;
};

/// Data Science jobs (oci-rest-contract 4.5). Bodies and answers of jobs and job runs, which are deep and of
/// many variants, are the service's JSON. Lists have all pages. Thread-safe.
class DataScienceClient {
 public:
  explicit DataScienceClient(std::shared_ptr<ServiceClient> services) : services_(std::move(services)) {}

  Result<std::vector<Project>> listProjects(const std::string& compartmentId, const std::stop_token& stop);
  struct NewProject {
    std::string compartmentId, displayName, description;  // the last two may be empty
  };
  Result<Project> createProject(const NewProject& project, const std::string& retryToken,
                                const std::stop_token& stop);
  Result<Project> getProject(const std::string& projectId, const std::stop_token& stop);
  /// The id of its work request. Fails while the project has children.
  Result<std::string> deleteProject(const std::string& projectId, const std::stop_token& stop);

  Result<nlohmann::json> createJob(const nlohmann::ordered_json& body, const std::string& retryToken,
                                   const std::stop_token& stop);
  Result<nlohmann::json> getJob(const std::string& jobId, const std::stop_token& stop);
  /// JobSummary rows, which have no configuration; `projectId` empty: of every project.
  Result<std::vector<nlohmann::json>> listJobs(const std::string& compartmentId, const std::string& projectId,
                                               const std::stop_token& stop);
  enum class Related { KeepJobRuns, DeleteJobRuns };
  /// The id of its work request. Fails while runs are live, and while there are any unless they are deleted
  /// too.
  Result<std::string> deleteJob(const std::string& jobId, const std::stop_token& stop,
                                Related related = Related::KeepJobRuns);
  Result<void> changeJobCompartment(const std::string& jobId, const std::string& compartmentId,
                                    const std::stop_token& stop);

  /// Once per job and never again; .py, .sh, or an archive whose JOB_RUN_ENTRYPOINT names what to run.
  Result<void> createJobArtifact(const std::string& jobId, const std::string& fileName, std::string bytes,
                                 const std::string& retryToken, const std::stop_token& stop);
  /// NotFound when the job has none.
  Result<JobArtifact> headJobArtifact(const std::string& jobId, const std::stop_token& stop);
  Result<std::string> getJobArtifact(const std::string& jobId, const std::stop_token& stop);

  Result<nlohmann::json> createJobRun(const nlohmann::ordered_json& body, const std::string& retryToken,
                                      const std::stop_token& stop);
  Result<nlohmann::json> getJobRun(const std::string& jobRunId, const std::stop_token& stop);
  /// JobRunSummary rows; `jobId` empty: of every job.
  Result<std::vector<nlohmann::json>> listJobRuns(const std::string& compartmentId, const std::string& jobId,
                                                  const std::stop_token& stop);
  Result<void> cancelJobRun(const std::string& jobRunId, const std::stop_token& stop);
  Result<void> deleteJobRun(const std::string& jobRunId, const std::stop_token& stop);
  Result<void> changeJobRunCompartment(const std::string& jobRunId, const std::string& compartmentId,
                                       const std::stop_token& stop);

  Result<std::vector<JobShape>> listJobShapes(const std::string& compartmentId, const std::stop_token& stop);
  Result<std::vector<FastLaunchConfig>> listFastLaunchConfigs(const std::string& compartmentId,
                                                              const std::stop_token& stop);

 private:
  Result<std::string> remove(const char* operation, std::string path, const std::stop_token& stop);
  Result<void> move(const char* operation, const std::string& path, const std::string& compartmentId,
                    const std::stop_token& stop);
  std::shared_ptr<ServiceClient> services_;
};

}  // namespace lockstep::oci
