// SPDX-License-Identifier: GPL-3.0-or-later
#include "oci/services/logging_client.h"

#include <fmt/format.h>

#include "base/text/encoding.h"
#include "oci/calls/typed_calls.h"
#include "oci/services/work_request_client.h"

namespace lockstep::oci {
namespace {

constexpr const char* kPageSize = "1000";

LogGroup readLogGroup(AnswerFields& f) {
  return {f.text("id"), f.textOr("compartmentId"), f.textOr("displayName"), f.textOr("description"),
          f.textOr("lifecycleState")};
}

ServiceLog readLog(AnswerFields& f) {
  return {f.text("id"),
          f.textOr("logGroupId"),
          f.textOr("displayName"),
          f.textOr("lifecycleState"),
          f.textOr("logType"),
          f.flag("isEnabled", true),
          static_cast<int>(f.number("retentionDuration"))};
}

ServiceCall get(std::string operation, std::string path) {
  return callTo(Service::Logging, std::move(operation), "GET", std::move(path));
}

std::string groupPath(const std::string& logGroupId) {
  return "/20200531/logGroups/" + percentEncode(logGroupId);
}

std::string logPath(const std::string& logGroupId, const std::string& logId) {
  return groupPath(logGroupId) + "/logs/" + percentEncode(logId);
}

// A work request that names no resource leaves only the name to find the new thing by.
template <class T>
Result<std::string> idByName(const Result<std::vector<T>>& all, const std::string& name) {
  if (!all) return failure(all.error());
  for (const T& one : *all) {
    if (one.displayName == name) return one.id;
  }
  return failure(ErrorCode::DataLoss, fmt::format("cannot tell the OCID of the new '{}'", name),
                 "its work request succeeded, but names no resource, and no listing has it yet",
                 "look for it by its name in a moment");
}

}  // namespace

Result<std::vector<LogGroup>> LoggingClient::listLogGroups(const std::string& compartmentId,
                                                           const std::stop_token& stop,
                                                           const std::string& displayName) {
  const std::string path =
      pathWith("/20200531/logGroups",
               {{"compartmentId", compartmentId}, {"displayName", displayName}, {"limit", kPageSize}});
  return callForAll(*services_, get("ListLogGroups", path), stop, &readLogGroup);
}

Result<LogGroup> LoggingClient::getLogGroup(const std::string& logGroupId, const std::stop_token& stop) {
  return callForOne(*services_, get("GetLogGroup", groupPath(logGroupId)), stop, &readLogGroup);
}

Result<std::string> LoggingClient::createLogGroup(const NewLogGroup& group, const std::string& retryToken,
                                                  const std::stop_token& stop) {
  nlohmann::ordered_json body{{"compartmentId", group.compartmentId}, {"displayName", group.displayName}};
  if (!group.description.empty()) body["description"] = group.description;
  const auto id = create(postTo(Service::Logging, "CreateLogGroup", "/20200531/logGroups", body, retryToken),
                         "loggroup", stop);
  if (!id) return failure(id.error());
  if (*id) return **id;
  return idByName(listLogGroups(group.compartmentId, stop, group.displayName), group.displayName);
}

Result<void> LoggingClient::deleteLogGroup(const std::string& logGroupId, const std::stop_token& stop) {
  return remove("DeleteLogGroup", groupPath(logGroupId), stop);
}

Result<std::vector<ServiceLog>> LoggingClient::listLogs(const std::string& logGroupId,
                                                        const std::stop_token& stop,
                                                        const std::string& displayName) {
  const std::string path =
      pathWith(groupPath(logGroupId) + "/logs", {{"displayName", displayName}, {"limit", kPageSize}});
  return callForAll(*services_, get("ListLogs", path), stop, &readLog);
}

Result<ServiceLog> LoggingClient::getLog(const std::string& logGroupId, const std::string& logId,
                                         const std::stop_token& stop) {
  return callForOne(*services_, get("GetLog", logPath(logGroupId, logId)), stop, &readLog);
}

Result<std::string> LoggingClient::createLog(const NewLog& log, const std::string& retryToken,
                                             const std::stop_token& stop) {
  nlohmann::ordered_json body{{"displayName", log.displayName}, {"logType", "CUSTOM"}, {"isEnabled", true}};
  if (log.retentionDays > 0) body["retentionDuration"] = log.retentionDays;
  const auto id =
      create(postTo(Service::Logging, "CreateLog", groupPath(log.logGroupId) + "/logs", body, retryToken),
             "log", stop);
  if (!id) return failure(id.error());
  if (*id) return **id;
  return idByName(listLogs(log.logGroupId, stop, log.displayName), log.displayName);
}

Result<void> LoggingClient::deleteLog(const std::string& logGroupId, const std::string& logId,
                                      const std::stop_token& stop) {
  return remove("DeleteLog", logPath(logGroupId, logId), stop);
}

Result<std::optional<std::string>> LoggingClient::create(const ServiceCall& call, const char* ocidType,
                                                         const std::stop_token& stop) {
  const auto response = services_->call(call, stop);
  if (!response) return failure(response.error());
  const std::string workRequest = headerValue(response->headers, "opc-work-request-id");
  if (workRequest.empty())
    return failure(malformed(call, *response, "it names no work request (opc-work-request-id)"));
  const auto done = WorkRequestClient(services_).wait(Service::Logging, workRequest, stop);
  if (!done) return failure(done.error());
  for (const WorkRequestResource& resource : done->resources) {
    if (resource.identifier.starts_with(fmt::format("ocid1.{}.", ocidType))) return resource.identifier;
  }
  return std::nullopt;
}

Result<void> LoggingClient::remove(const char* operation, const std::string& path,
                                   const std::stop_token& stop) {
  const auto response = services_->call(callTo(Service::Logging, operation, "DELETE", path), stop);
  if (!response) return failure(response.error());
  const std::string workRequest = headerValue(response->headers, "opc-work-request-id");
  if (workRequest.empty()) return {};
  const auto done = WorkRequestClient(services_).wait(Service::Logging, workRequest, stop);
  if (!done) return failure(done.error());
  return {};
}

}  // namespace lockstep::oci
