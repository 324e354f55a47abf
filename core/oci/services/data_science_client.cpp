// SPDX-License-Identifier: GPL-3.0-or-later
#include "oci/services/data_science_client.h"

#include <fmt/format.h>

#include <charconv>

#include "base/digest.h"
#include "base/text/encoding.h"
#include "oci/calls/json_calls.h"
#include "oci/calls/typed_calls.h"

namespace lockstep::oci {
namespace {

constexpr const char* kPageSize = "100";  // the most that Data Science gives
constexpr std::size_t kSlowestBytesPerSecond = 256 * 1024;

Project readProject(AnswerFields& f) {
  return {f.text("id"), f.textOr("compartmentId"), f.textOr("displayName"), f.textOr("description"),
          f.textOr("lifecycleState")};
}

JobShape readShape(AnswerFields& f) {
  return {f.text("name"), f.textOr("shapeSeries"), f.maybeReal("coreCount").value_or(0),
          f.maybeReal("memoryInGBs").value_or(0)};
}

FastLaunchConfig readFastLaunch(AnswerFields& f) {
  return {f.text("name"),
          f.textOr("shapeName"),
          f.textOr("shapeSeries"),
          f.maybeReal("coreCount").value_or(0),
          f.maybeReal("memoryInGBs").value_or(0),
          f.textOr("managedEgressSupport")};
}

ServiceCall callOf(std::string operation, std::string method, std::string path) {
  return callTo(Service::DataScience, std::move(operation), std::move(method), std::move(path));
}

std::string jobPath(const std::string& jobId) {
  return "/20190101/jobs/" + percentEncode(jobId);
}

std::string jobRunPath(const std::string& jobRunId) {
  return "/20190101/jobRuns/" + percentEncode(jobRunId);
}

std::string projectPath(const std::string& projectId) {
  return "/20190101/projects/" + percentEncode(projectId);
}

// `attachment; filename="a.py"`
std::string fileNameOf(const std::string& disposition) {
  const std::size_t at = disposition.find("filename=");
  if (at == std::string::npos) return {};
  std::string name = disposition.substr(at + 9);
  if (name.starts_with('"')) return name.substr(1, name.find('"', 1) - 1);
  return name.substr(0, name.find(';'));
}

bool isFileName(const std::string& name) {
  return !name.empty() && isUtf8(name) && name.find_first_of("/\\\"\r\n;") == std::string::npos &&
         name.find('\0') == std::string::npos;
}

}  // namespace

Result<std::vector<Project>> DataScienceClient::listProjects(const std::string& compartmentId,
                                                             const std::stop_token& stop) {
  const std::string path =
      pathWith("/20190101/projects", {{"compartmentId", compartmentId}, {"limit", kPageSize}});
  return callForAll(*services_, callOf("ListProjects", "GET", path), stop, &readProject);
}

Result<Project> DataScienceClient::createProject(const NewProject& project, const std::string& retryToken,
                                                 const std::stop_token& stop) {
  nlohmann::ordered_json body{{"compartmentId", project.compartmentId}};
  if (!project.displayName.empty()) body["displayName"] = project.displayName;
  if (!project.description.empty()) body["description"] = project.description;
  return callForOne(*services_,
                    postTo(Service::DataScience, "CreateProject", "/20190101/projects", body, retryToken),
                    stop, &readProject);
}

Result<Project> DataScienceClient::getProject(const std::string& projectId, const std::stop_token& stop) {
  return callForOne(*services_, callOf("GetProject", "GET", projectPath(projectId)), stop, &readProject);
}

Result<std::string> DataScienceClient::deleteProject(const std::string& projectId,
                                                     const std::stop_token& stop) {
  return remove("DeleteProject", projectPath(projectId), stop);
}

Result<nlohmann::json> DataScienceClient::createJob(const nlohmann::ordered_json& body,
                                                    const std::string& retryToken,
                                                    const std::stop_token& stop) {
  return callForObject(*services_,
                       postTo(Service::DataScience, "CreateJob", "/20190101/jobs", body, retryToken), stop);
}

Result<nlohmann::json> DataScienceClient::getJob(const std::string& jobId, const std::stop_token& stop) {
  return callForObject(*services_, callOf("GetJob", "GET", jobPath(jobId)), stop);
}

Result<std::vector<nlohmann::json>> DataScienceClient::listJobs(const std::string& compartmentId,
                                                                const std::string& projectId,
                                                                const std::stop_token& stop) {
  const std::string path = pathWith(
      "/20190101/jobs", {{"compartmentId", compartmentId}, {"limit", kPageSize}, {"projectId", projectId}});
  return callForList(*services_, callOf("ListJobs", "GET", path), stop);
}

Result<std::string> DataScienceClient::deleteJob(const std::string& jobId, const std::stop_token& stop,
                                                 Related related) {
  const char* query = related == Related::DeleteJobRuns ? "?deleteRelatedJobRuns=true" : "";
  return remove("DeleteJob", jobPath(jobId) + query, stop);
}

Result<void> DataScienceClient::changeJobCompartment(const std::string& jobId,
                                                     const std::string& compartmentId,
                                                     const std::stop_token& stop) {
  return move("ChangeJobCompartment", jobPath(jobId), compartmentId, stop);
}

Result<void> DataScienceClient::createJobArtifact(const std::string& jobId, const std::string& fileName,
                                                  std::string bytes, const std::string& retryToken,
                                                  const std::stop_token& stop) {
  if (!isFileName(fileName)) {
    return failure(ErrorCode::InvalidArgument,
                   fmt::format("'{}' cannot be the name of an artifact", toValidUtf8(fileName)),
                   "a name has no path, quotation marks or line ends");
  }
  ServiceCall call = callOf("CreateJobArtifact", "POST", jobPath(jobId) + "/artifact");
  call.timeout += std::chrono::seconds(bytes.size() / kSlowestBytesPerSecond);
  call.body = std::move(bytes);
  call.bodySigning = BodySigning::Excluded;
  call.idempotent = false;
  call.headers = {{"content-type", "application/octet-stream"},
                  {"content-disposition", "attachment; filename=" + fileName}};
  if (!retryToken.empty()) call.headers.emplace_back("opc-retry-token", retryToken);
  return callForNothing(*services_, call, stop);
}

Result<JobArtifact> DataScienceClient::headJobArtifact(const std::string& jobId,
                                                       const std::stop_token& stop) {
  const ServiceCall call = callOf("HeadJobArtifact", "HEAD", jobPath(jobId) + "/artifact/content");
  const auto response = services_->call(call, stop);
  if (!response) return failure(response.error());
  const auto header = [&](const char* name) { return headerValue(response->headers, name); };
  JobArtifact artifact{fileNameOf(header("content-disposition")), 0, header("content-md5"), header("etag")};
  const std::string length = header("content-length");
  const auto [end, error] = std::from_chars(length.data(), length.data() + length.size(), artifact.size);
  if (error != std::errc() || end != length.data() + length.size())
    return failure(malformed(call, *response, "its content-length is no number"));
  return artifact;
}

Result<std::string> DataScienceClient::getJobArtifact(const std::string& jobId, const std::stop_token& stop) {
  ServiceCall call = callOf("GetJobArtifactContent", "GET", jobPath(jobId) + "/artifact/content");
  call.timeout = std::chrono::minutes(60);
  auto response = services_->call(call, stop);
  if (!response) return failure(response.error());
  const std::string expected = headerValue(response->headers, "content-md5");
  if (!expected.empty() && toBase64(md5(response->body)) != expected)
    return failure(
        malformed(call, *response, "the artifact's bytes do not have the checksum they should have"));
  return std::move(response->body);
}

Result<nlohmann::json> DataScienceClient::createJobRun(const nlohmann::ordered_json& body,
                                                       const std::string& retryToken,
                                                       const std::stop_token& stop) {
  return callForObject(
      *services_, postTo(Service::DataScience, "CreateJobRun", "/20190101/jobRuns", body, retryToken), stop);
}

Result<nlohmann::json> DataScienceClient::getJobRun(const std::string& jobRunId,
                                                    const std::stop_token& stop) {
  return callForObject(*services_, callOf("GetJobRun", "GET", jobRunPath(jobRunId)), stop);
}

Result<std::vector<nlohmann::json>> DataScienceClient::listJobRuns(const std::string& compartmentId,
                                                                   const std::string& jobId,
                                                                   const std::stop_token& stop) {
  const std::string path = pathWith(
      "/20190101/jobRuns", {{"compartmentId", compartmentId}, {"limit", kPageSize}, {"jobId", jobId}});
  return callForList(*services_, callOf("ListJobRuns", "GET", path), stop);
}

Result<void> DataScienceClient::cancelJobRun(const std::string& jobRunId, const std::stop_token& stop) {
  ServiceCall call = callOf("CancelJobRun", "POST", jobRunPath(jobRunId) + "/actions/cancelJobRun");
  call.retryConflicts = false;  // a run that has ended stays ended
  return callForNothing(*services_, call, stop);
}

Result<void> DataScienceClient::deleteJobRun(const std::string& jobRunId, const std::stop_token& stop) {
  ServiceCall call = callOf("DeleteJobRun", "DELETE", jobRunPath(jobRunId));
  call.retryConflicts = false;  // a live run does not end by waiting half a minute
  return callForNothing(*services_, call, stop);
}

Result<void> DataScienceClient::changeJobRunCompartment(const std::string& jobRunId,
                                                        const std::string& compartmentId,
                                                        const std::stop_token& stop) {
  return move("ChangeJobRunCompartment", jobRunPath(jobRunId), compartmentId, stop);
}

Result<std::vector<JobShape>> DataScienceClient::listJobShapes(const std::string& compartmentId,
                                                               const std::stop_token& stop) {
  const std::string path =
      pathWith("/20190101/jobShapes", {{"compartmentId", compartmentId}, {"limit", kPageSize}});
  return callForAll(*services_, callOf("ListJobShapes", "GET", path), stop, &readShape);
}

Result<std::vector<FastLaunchConfig>> DataScienceClient::listFastLaunchConfigs(
    const std::string& compartmentId, const std::stop_token& stop) {
  const std::string path =
      pathWith("/20190101/fastLaunchJobConfigs", {{"compartmentId", compartmentId}, {"limit", kPageSize}});
  return callForAll(*services_, callOf("ListFastLaunchJobConfigs", "GET", path), stop, &readFastLaunch);
}

Result<std::string> DataScienceClient::remove(const char* operation, std::string path,
                                              const std::stop_token& stop) {
  ServiceCall call = callOf(operation, "DELETE", std::move(path));
  call.retryConflicts = false;  // live runs and children do not go away by waiting half a minute
  const auto response = services_->call(call, stop);
  if (!response) return failure(response.error());
  return headerValue(response->headers, "opc-work-request-id");
}

Result<void> DataScienceClient::move(const char* operation, const std::string& path,
                                     const std::string& compartmentId, const std::stop_token& stop) {
  ServiceCall call = postTo(Service::DataScience, operation, path + "/actions/changeCompartment",
                            {{"compartmentId", compartmentId}}, {});
  call.idempotent = true;  // moving it there once more changes nothing
  return callForNothing(*services_, call, stop);
}

}  // namespace lockstep::oci
