// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/logging/logging.h"

#include "rehearsal/iam/access.h"
#include "rehearsal/logging/log_places.h"
#include "rehearsal/service/lists.h"
#include "rehearsal/service/retry_tokens.h"
#include "rehearsal/state/compartments.h"

namespace lockstep::rehearsal {
namespace {

using nlohmann::json;

constexpr int kRetentionStepDays = 30;

void readTags(BodyReader& body, json& shown) {
  if (body.has("freeformTags")) shown["freeformTags"] = body.textMap("freeformTags");
  if (body.has("definedTags")) shown["definedTags"] = body.json()["definedTags"];
}

// Everything that a group or log may be given, at creation and later.
void readGroup(BodyReader& body, Resource& group) {
  if (const auto description = body.optionalText("description", 1024))
    group.body["description"] = *description;
  readTags(body, group.body);
}

void readLog(BodyReader& body, Resource& log) {
  if (const auto enabled = body.optionalFlag("isEnabled")) log.body["isEnabled"] = *enabled;
  if (const auto days = body.optionalNumber("retentionDuration", 30, 180)) {
    const int whole = static_cast<int>(*days);
    if (whole != *days || whole % kRetentionStepDays != 0)
      body.invalid("retentionDuration", "it must be a multiple of 30 days from 30 to 180");
    log.body["retentionDuration"] = whole;
  }
  readTags(body, log.body);
}

// `configuration` belongs to the logs of services alone.
void readSource(BodyReader& body, Resource& log) {
  const bool isService = log.body["logType"] == "SERVICE";
  if (!body.has("configuration")) {
    if (isService) body.missing("configuration");
    return;
  }
  if (!isService) return body.invalid("configuration", "only a log of logType SERVICE has one");
  BodyReader configuration = body.object("configuration");
  BodyReader source = configuration.object("source");
  source.choice("sourceType", {"OCISERVICE"});
  for (const char* field : {"service", "resource", "category"}) source.text(field);
  log.body["configuration"] = configuration.json();
}

Resource fresh(const Call& call, const char* kind, const std::string& compartment,
               const std::string& parent) {
  Resource r;
  r.kind = kind;
  r.id = makeOcid(kind);
  r.compartment = compartment;
  r.parent = parent;
  r.state = "ACTIVE";
  r.etag = makeUuid();
  r.created = toMillis(call.now);
  r.body = {{"id", r.id},
            {"compartmentId", compartment},
            {"lifecycleState", r.state},
            {"timeCreated", timeText(r.created)},
            {"timeLastModified", timeText(r.created)},
            {"freeformTags", json::object()},
            {"definedTags", json::object()}};
  return r;
}

OperationResult insertPlace(Transaction& transaction, const Call& call, const Resource& place,
                            const std::string& operation) {
  if (auto error = checkLogNameIsFree(transaction, place)) return tl::unexpected(*error);
  insertResource(transaction, place);
  const OperationResult result = acceptedLogChange(transaction, call, operation, place, "CREATED");
  remember(transaction, call, call.operation, *result);
  transaction.commit();
  return result;
}

OperationResult updatePlace(Transaction& transaction, const Call& call, Resource place,
                            const std::string& operation) {
  if (auto error = checkIfMatch(call.header("if-match"), place.etag)) return tl::unexpected(*error);
  if (auto error = checkLogNameIsFree(transaction, place)) return tl::unexpected(*error);
  place.body["displayName"] = place.name;
  place.body["timeLastModified"] = timeText(toMillis(call.now));
  updateResource(transaction, place);
  const OperationResult result = acceptedLogChange(transaction, call, operation, place, "UPDATED");
  transaction.commit();
  return result;
}

OperationResult createGroup(Database& database, const Call& call) {
  const auto parsed = parseBody(call.request.body);
  if (!parsed) return tl::unexpected(parsed.error());
  BodyReader body(*parsed);
  Resource group = fresh(call, kind::kLogGroup, body.text("compartmentId"), "");
  group.name = readLogName(body);
  group.body["displayName"] = group.name;
  readGroup(body, group);
  if (body.error()) return tl::unexpected(*body.error());
  Transaction transaction(database);
  if (!mayIn(transaction, call, group.compartment)) return notFound();
  if (auto before = replayed(transaction, call, call.operation)) return *before;
  return insertPlace(transaction, call, group, "CREATE_LOG_GROUP");
}

OperationResult createLog(Database& database, const Call& call) {
  const auto parsed = parseBody(call.request.body);
  if (!parsed) return tl::unexpected(parsed.error());
  Transaction transaction(database);
  const auto group = findAllowed(transaction, call, kind::kLogGroup, call.path.at("logGroupId"));
  if (!group) return notFound();
  BodyReader body(*parsed);
  Resource log = fresh(call, kind::kLog, group->compartment, group->id);
  log.name = readLogName(body);
  log.body["displayName"] = log.name;
  log.body["logGroupId"] = group->id;
  log.body["tenancyId"] = call.principal.tenancyId;
  log.body["logType"] = body.choice("logType", {"CUSTOM", "SERVICE"});
  log.body["isEnabled"] = true;
  log.body["retentionDuration"] = kRetentionStepDays;
  readLog(body, log);
  readSource(body, log);
  if (body.error()) return tl::unexpected(*body.error());
  if (auto before = replayed(transaction, call, call.operation)) return *before;
  return insertPlace(transaction, call, log, "CREATE_LOG");
}

std::optional<Resource> findLog(Transaction& transaction, const Call& call) {
  auto log = findAllowed(transaction, call, kind::kLog, call.path.at("logId"));
  if (!log || log->parent != call.path.at("logGroupId")) return std::nullopt;
  return log;
}

OperationResult updateGroup(Database& database, const Call& call) {
  const auto parsed = parseBody(call.request.body);
  if (!parsed) return tl::unexpected(parsed.error());
  Transaction transaction(database);
  auto group = findAllowed(transaction, call, kind::kLogGroup, call.path.at("logGroupId"));
  if (!group) return notFound();
  BodyReader body(*parsed);
  if (body.has("displayName")) group->name = readLogName(body);
  readGroup(body, *group);
  if (body.error()) return tl::unexpected(*body.error());
  return updatePlace(transaction, call, *group, "UPDATE_LOG_GROUP");
}

OperationResult updateLog(Database& database, const Call& call) {
  const auto parsed = parseBody(call.request.body);
  if (!parsed) return tl::unexpected(parsed.error());
  Transaction transaction(database);
  auto log = findLog(transaction, call);
  if (!log) return notFound();
  BodyReader body(*parsed);
  if (body.has("displayName")) log->name = readLogName(body);
  readLog(body, *log);
  if (body.error()) return tl::unexpected(*body.error());
  log->state = log->body.value("isEnabled", true) ? "ACTIVE" : "INACTIVE";
  log->body["lifecycleState"] = log->state;
  return updatePlace(transaction, call, *log, "UPDATE_LOG");
}

OperationResult deleteGroup(Database& database, const Call& call) {
  Transaction transaction(database);
  const auto group = findAllowed(transaction, call, kind::kLogGroup, call.path.at("logGroupId"));
  if (!group) return notFound();
  if (auto error = checkIfMatch(call.header("if-match"), group->etag)) return tl::unexpected(*error);
  ListQuery logs;
  logs.kind = kind::kLog;
  logs.parent = group->id;
  logs.limit = 1;
  if (const auto found = listResources(transaction, logs); found && !found->items.empty())
    return refuse(409, "Conflict", "The log group '" + group->name + "' still has logs: delete them first.");
  removeResource(transaction, group->id);
  const OperationResult result = acceptedLogChange(transaction, call, "DELETE_LOG_GROUP", *group, "DELETED");
  transaction.commit();
  return result;
}

OperationResult deleteLog(Database& database, const Call& call) {
  Transaction transaction(database);
  const auto log = findLog(transaction, call);
  if (!log) return notFound();
  if (auto error = checkIfMatch(call.header("if-match"), log->etag)) return tl::unexpected(*error);
  auto& records = transaction.sql("DELETE FROM log_records WHERE log = ?");
  records.bind(1, log->id);
  records.exec();
  removeResource(transaction, log->id);
  const OperationResult result = acceptedLogChange(transaction, call, "DELETE_LOG", *log, "DELETED");
  transaction.commit();
  return result;
}

OperationResult listGroups(Database& database, const Call& call) {
  const auto compartment = call.parameter("compartmentId");
  if (!compartment) return missingParameter("compartmentId");
  Transaction transaction(database);
  if (!mayIn(transaction, call, *compartment)) return notFound();
  ListQuery query;
  query.kind = kind::kLogGroup;
  const bool isWhole = call.parameter("isCompartmentIdInSubtree") == "true";
  if (!isWhole) query.compartment = *compartment;
  return listLogPlaces(transaction, call, query, [&](const Resource& group) {
    return !isWhole || (isWithin(transaction, group.compartment, *compartment) &&
                        mayIn(transaction, call, group.compartment));
  });
}

OperationResult listLogs(Database& database, const Call& call) {
  Transaction transaction(database);
  if (!findAllowed(transaction, call, kind::kLogGroup, call.path.at("logGroupId"))) return notFound();
  ListQuery query;
  query.kind = kind::kLog;
  query.parent = call.path.at("logGroupId");
  const auto type = call.parameter("logType");
  const auto service = call.parameter("sourceService");
  const auto resource = call.parameter("sourceResource");
  return listLogPlaces(transaction, call, query, [&](const Resource& log) {
    const json source = log.body.value("configuration", json::object()).value("source", json::object());
    return (!type || log.body["logType"] == *type) && (!service || source.value("service", "") == *service) &&
           (!resource || source.value("resource", "") == *resource);
  });
}

OperationResult getLog(Database& database, const Call& call) {
  Transaction transaction(database);
  const auto log = findLog(transaction, call);
  if (!log) return notFound();
  return jsonResponse(log->body, log->etag);
}

}  // namespace

void addLogging(Router& router, Database& database) {
  const std::string groups = "/20200531/logGroups";
  const std::string group = groups + "/{logGroupId}";
  const std::string log = group + "/logs/{logId}";
  const auto add = [&](const char* method, const std::string& path, const char* name, auto operation) {
    router.add(method, path, name, [&database, operation](const Call& c) { return operation(database, c); });
  };
  add("POST", groups, "CreateLogGroup", createGroup);
  add("GET", groups, "ListLogGroups", listGroups);
  add("GET", group, "GetLogGroup",
      [](Database& d, const Call& c) { return answerGet(d, c, kind::kLogGroup, c.path.at("logGroupId")); });
  add("PUT", group, "UpdateLogGroup", updateGroup);
  add("DELETE", group, "DeleteLogGroup", deleteGroup);
  add("POST", group + "/logs", "CreateLog", createLog);
  add("GET", group + "/logs", "ListLogs", listLogs);
  add("GET", log, "GetLog", getLog);
  add("PUT", log, "UpdateLog", updateLog);
  add("DELETE", log, "DeleteLog", deleteLog);
}

}  // namespace lockstep::rehearsal
