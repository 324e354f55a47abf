// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/identity/access.h"
#include "rehearsal/services.h"
#include "rehearsal/state/lists.h"

namespace lockstep::rehearsal {
namespace {

const char* const kTime = "timeCreated";
const char* const kName = "displayName";

Answer listLogs(Database& database, const Call& call) {
  const std::string& group = call.path.at("logGroupId");
  {
    Session session(database);
    if (!findAllowed(session, call, kind::kLogGroup, group)) return notFound();
  }
  return answerListOfParent(database, call, ListStyle{kind::kLog, 1000, kTime, kName, kName, ""}, group,
                            [](const Resource& log) { return log.body; });
}

Answer getLog(Database& database, const Call& call) {
  Session session(database);
  const auto log = findAllowed(session, call, kind::kLog, call.path.at("logId"));
  if (!log || log->parent != call.path.at("logGroupId")) return notFound();
  return jsonReply(log->body, log->etag);
}

}  // namespace

void addLogging(Router& router, Database& database) {
  const std::string path = "/20200531/logGroups";
  router.add("GET", path, "ListLogGroups", [&](const Call& c) {
    return answerList(database, c, ListStyle{kind::kLogGroup, 1000, kTime, kName, kName, ""},
                      [](const Resource& group) { return group.body; });
  });
  router.add("GET", path + "/{logGroupId}", "GetLogGroup",
             [&](const Call& c) { return answerGet(database, c, kind::kLogGroup, c.path.at("logGroupId")); });
  router.add("GET", path + "/{logGroupId}/logs", "ListLogs",
             [&](const Call& c) { return listLogs(database, c); });
  router.add("GET", path + "/{logGroupId}/logs/{logId}", "GetLog",
             [&](const Call& c) { return getLog(database, c); });
}

}  // namespace lockstep::rehearsal
