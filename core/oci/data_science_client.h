// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "oci/service_client.h"

namespace lockstep::oci {

/// Data Science jobs (oci-rest-contract 4.5). Bodies and answers are the service's JSON. Thread-safe.
class DataScienceClient {
 public:
  explicit DataScienceClient(std::shared_ptr<ServiceClient> services) : services_(std::move(services)) {}

  Result<std::vector<nlohmann::json>> listProjects(const std::string& compartmentId,
                                                   const std::stop_token& stop);
  Result<nlohmann::json> createProject(const nlohmann::json& body, const std::string& retryToken,
                                       const std::stop_token& stop);
  Result<nlohmann::json> createJob(const nlohmann::ordered_json& body, const std::string& retryToken,
                                   const std::stop_token& stop);
  Result<nlohmann::json> getJob(const std::string& jobId, const std::stop_token& stop);
  Result<void> deleteJob(const std::string& jobId, const std::stop_token& stop);
  Result<nlohmann::json> createJobRun(const nlohmann::ordered_json& body, const std::string& retryToken,
                                      const std::stop_token& stop);
  Result<nlohmann::json> getJobRun(const std::string& jobRunId, const std::stop_token& stop);
  /// All pages.
  Result<std::vector<nlohmann::json>> listJobRuns(const std::string& compartmentId, const std::string& jobId,
                                                  const std::stop_token& stop);
  Result<void> cancelJobRun(const std::string& jobRunId, const std::stop_token& stop);

 private:
  std::shared_ptr<ServiceClient> services_;
};

}  // namespace lockstep::oci
