// SPDX-License-Identifier: GPL-3.0-or-later
#include "setup/logging/logging_fixes.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/text/encoding.h"
#include "oci/calls/typed_calls.h"
#include "oci/calls/versioned.h"
#include "oci/services/work_request_client.h"
#include "setup/step/findings.h"

namespace lockstep {
namespace {

using ServicesPtr = std::shared_ptr<oci::ServiceClient>;
using Changes = std::vector<AppliedChange>;

constexpr int kRetentionDays = 30;
constexpr int kMaxLooks = 20;
constexpr std::chrono::milliseconds kBetweenLooks{500};

AppliedChange changeOf(const char* kind, std::string title, nlohmann::json undo) {
  AppliedChange change;
  change.kind = kind;
  change.title = std::move(title);
  change.undo = std::move(undo);
  return change;
}

// Even when its work request has succeeded, a new log may be unknown to a get for some seconds
// (oci-rest-contract 4.6): whoever launches at once would be refused.
void waitUntilKnown(const ServicesPtr& services, const std::string& groupId, const std::string& logId,
                    const std::stop_token& stop) {
  for (int look = 0; look < kMaxLooks; ++look) {
    if (oci::LoggingClient(services).getLog(groupId, logId, stop)) return;
    if (!services->setup().clock->sleepFor(kBetweenLooks, stop)) return;
  }
}

Error withWhatIsThere(Error error, const std::string& groupName, const std::string& groupId) {
  error.cause += fmt::format("{}the log group '{}' ({}) was created and is there",
                             error.cause.empty() ? "" : "; ", groupName, groupId);
  return error;
}

Result<Changes> create(const ServicesPtr& services, const LogToCreate& place, const std::stop_token& stop) {
  oci::LoggingClient logging(services);
  Changes changes;
  std::string groupId = place.groupId;
  if (groupId.empty()) {
    const auto made = logging.createLogGroup({place.compartment.id, place.groupName, "logs of training runs"},
                                             oci::newRetryToken(), stop);
    if (!made) return failure(made.error());
    groupId = *made;
    changes.push_back(changeOf(kLogGroupCreated, fmt::format("created log group '{}'", place.groupName),
                               {{"logGroupId", groupId}}));
  }
  const auto log = logging.createLog({groupId, place.logName, kRetentionDays}, oci::newRetryToken(), stop);
  if (!log)
    return failure(changes.empty() ? log.error() : withWhatIsThere(log.error(), place.groupName, groupId));
  changes.push_back(changeOf(kLogCreated, fmt::format("created log '{}'", place.logName),
                             {{"logGroupId", groupId}, {"logId", *log}}));
  waitUntilKnown(services, groupId, *log, stop);
  return changes;
}

std::string logPath(const std::string& groupId, const std::string& logId) {
  return fmt::format("/20200531/logGroups/{}/logs/{}", percentEncode(groupId), percentEncode(logId));
}

Result<void> setEnabled(const ServicesPtr& services, const std::string& groupId, const std::string& logId,
                        bool isEnabled, const std::stop_token& stop) {
  const std::string path = logPath(groupId, logId);
  const auto get = oci::callTo(oci::Service::Logging, "GetLog", "GET", path);
  const auto log = oci::callForVersioned(*services, get, stop);
  if (!log) return failure(log.error());
  nlohmann::ordered_json body{{"displayName", log->body.value("displayName", "")}, {"isEnabled", isEnabled}};
  const auto answer =
      services->call(oci::putTo(oci::Service::Logging, "UpdateLog", path, body, log->etag), stop);
  if (!answer) return failure(answer.error());
  const std::string request = headerValue(answer->headers, "opc-work-request-id");
  if (request.empty()) return {};
  const auto ended = oci::WorkRequestClient(services).wait(oci::Service::Logging, request, stop);
  return ended ? Result<void>{} : failure(ended.error());
}

std::string groupText(const LogToCreate& place) {
  return fmt::format("log group {}\n  compartment {} ({})\n", place.groupName, place.compartment.name,
                     place.compartment.id);
}

// Gone already: nothing is left to take back.
Result<void> unlessGone(const Result<void>& done) {
  if (done || done.error().code == ErrorCode::NotFound) return {};
  return done;
}

}  // namespace

ProposedFix createLogFix(const ServicesPtr& services, const LogToCreate& place) {
  ProposedFix fix;
  fix.id = "create-log";
  const bool isGroupNew = place.groupId.empty();
  const std::string log =
      fmt::format("  log {} (custom, enabled, kept for {} days)\n", place.logName, kRetentionDays);
  fix.title = isGroupNew ? fmt::format("create log group '{}' and log '{}' in compartment {}",
                                       place.groupName, place.logName, place.compartment.name)
                         : fmt::format("create log '{}' in log group '{}'", place.logName, place.groupName);
  fix.before = isGroupNew ? "" : groupText(place);
  fix.after = groupText(place) + log;
  if (isGroupNew) fix.calls.emplace_back("CreateLogGroup POST /20200531/logGroups");
  fix.calls.push_back(fmt::format("CreateLog POST /20200531/logGroups/{}/logs",
                                  isGroupNew ? "(the new group)" : place.groupId));
  fix.apply = [services, place](const std::stop_token& stop) { return create(services, place, stop); };
  return madeIn(place.compartment, std::move(fix));
}

ProposedFix enableLogFix(const ServicesPtr& services, const oci::ServiceLog& log) {
  ProposedFix fix;
  fix.id = "enable-log";
  fix.title = fmt::format("enable log '{}'", log.displayName);
  fix.before = fmt::format("log {}\n  enabled: no\n", log.displayName);
  fix.after = fmt::format("log {}\n  enabled: yes\n", log.displayName);
  fix.calls = {"UpdateLog PUT " + logPath(log.logGroupId, log.id)};
  fix.apply = [services, log](const std::stop_token& stop) -> Result<Changes> {
    if (auto done = setEnabled(services, log.logGroupId, log.id, true, stop); !done)
      return failure(done.error());
    return Changes{changeOf(kLogEnabled, fmt::format("enabled log '{}'", log.displayName),
                            {{"logGroupId", log.logGroupId}, {"logId", log.id}})};
  };
  return fix;
}

Result<void> takeBackLogChange(const ServicesPtr& services, const AppliedChange& change,
                               const std::stop_token& stop) {
  const std::string group = change.undo.value("logGroupId", ""), log = change.undo.value("logId", "");
  oci::LoggingClient logging(services);
  if (change.kind == kLogEnabled) return unlessGone(setEnabled(services, group, log, false, stop));
  if (change.kind == kLogCreated) return unlessGone(logging.deleteLog(group, log, stop));
  const auto logs = logging.listLogs(group, stop);
  if (logs && !logs->empty())
    return failure(ErrorCode::FailedPrecondition, fmt::format("cannot delete log group '{}'", group),
                   fmt::format("log '{}' is in it", logs->front().displayName),
                   "take back the log first, or delete it if nobody needs it");
  return unlessGone(logging.deleteLogGroup(group, stop));
}

}  // namespace lockstep
