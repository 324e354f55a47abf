// SPDX-License-Identifier: GPL-3.0-or-later
#include "oci/data_science_client.h"

#include <fmt/format.h>

#include "base/encoding.h"
#include "oci/json_calls.h"

namespace lockstep::oci {
namespace {

constexpr int kPageSize = 100;  // the most that Data Science gives

ServiceCall callOf(std::string operation, std::string method, std::string path) {
  ServiceCall call;
  call.service = Service::DataScience;
  call.operation = std::move(operation);
  call.method = std::move(method);
  call.path = std::move(path);
  return call;
}

std::string bodyText(const nlohmann::ordered_json& body) {
  return body.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace

Result<std::vector<nlohmann::json>> DataScienceClient::listProjects(const std::string& compartmentId,
                                                                    const std::stop_token& stop) {
  return callForList(*services_,
                     callOf("ListProjects", "GET",
                            fmt::format("/20190101/projects?compartmentId={}&limit={}",
                                        percentEncode(compartmentId), kPageSize)),
                     stop);
}

Result<nlohmann::json> DataScienceClient::createProject(const nlohmann::json& body,
                                                        const std::string& retryToken,
                                                        const std::stop_token& stop) {
  return callForObject(
      *services_,
      createCall(Service::DataScience, "CreateProject", "/20190101/projects",
                 body.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace), retryToken),
      stop);
}

Result<nlohmann::json> DataScienceClient::createJob(const nlohmann::ordered_json& body,
                                                    const std::string& retryToken,
                                                    const std::stop_token& stop) {
  return callForObject(
      *services_, createCall(Service::DataScience, "CreateJob", "/20190101/jobs", bodyText(body), retryToken),
      stop);
}

Result<nlohmann::json> DataScienceClient::getJob(const std::string& jobId, const std::stop_token& stop) {
  return callForObject(*services_, callOf("GetJob", "GET", "/20190101/jobs/" + percentEncode(jobId)), stop);
}

Result<void> DataScienceClient::deleteJob(const std::string& jobId, const std::stop_token& stop) {
  ServiceCall call = callOf("DeleteJob", "DELETE", "/20190101/jobs/" + percentEncode(jobId));
  call.retryConflicts = false;  // live runs do not go away by waiting half a minute
  return callForNothing(*services_, call, stop);
}

Result<nlohmann::json> DataScienceClient::createJobRun(const nlohmann::ordered_json& body,
                                                       const std::string& retryToken,
                                                       const std::stop_token& stop) {
  return callForObject(
      *services_,
      createCall(Service::DataScience, "CreateJobRun", "/20190101/jobRuns", bodyText(body), retryToken),
      stop);
}

Result<nlohmann::json> DataScienceClient::getJobRun(const std::string& jobRunId,
                                                    const std::stop_token& stop) {
  return callForObject(*services_, callOf("GetJobRun", "GET", "/20190101/jobRuns/" + percentEncode(jobRunId)),
                       stop);
}

Result<std::vector<nlohmann::json>> DataScienceClient::listJobRuns(const std::string& compartmentId,
                                                                   const std::string& jobId,
                                                                   const std::stop_token& stop) {
  std::string path =
      fmt::format("/20190101/jobRuns?compartmentId={}&limit={}", percentEncode(compartmentId), kPageSize);
  if (!jobId.empty()) path += "&jobId=" + percentEncode(jobId);
  return callForList(*services_, callOf("ListJobRuns", "GET", path), stop);
}

Result<void> DataScienceClient::cancelJobRun(const std::string& jobRunId, const std::stop_token& stop) {
  ServiceCall call =
      callOf("CancelJobRun", "POST",
             fmt::format("/20190101/jobRuns/{}/actions/cancelJobRun", percentEncode(jobRunId)));
  call.retryConflicts = false;  // a run that has ended stays ended
  return callForNothing(*services_, call, stop);
}

}  // namespace lockstep::oci
