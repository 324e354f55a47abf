// SPDX-License-Identifier: GPL-3.0-or-later
#include <signal.h>

#include "rehearsal/faults/fault_plan.h"
#include "rehearsal/iam/access.h"
#include "rehearsal/jobs/job_checks.h"
#include "rehearsal/jobs/job_code.h"
#include "rehearsal/jobs/job_fields.h"
#include "rehearsal/jobs/job_runner.h"
#include "rehearsal/jobs/job_text.h"
#include "rehearsal/jobs/jobs.h"
#include "rehearsal/jobs/run_plan.h"
#include "rehearsal/limits/service_limits.h"
#include "rehearsal/service/body_reader.h"
#include "rehearsal/service/lists.h"
#include "rehearsal/service/retry_tokens.h"

namespace lockstep::rehearsal {
namespace {

Resource makeAutomaticLog(const Call& call, const Resource& run, const std::string& group) {
  const long long now = toMillis(call.now);
  Resource log{
      makeOcid(kind::kLog), kind::kLog, run.compartment, group, run.id, "ACTIVE", makeUuid(), now, {}};
  log.body = {{"id", log.id},
              {"logGroupId", group},
              {"displayName", log.name},
              {"logType", "CUSTOM"},
              {"lifecycleState", "ACTIVE"},
              {"isEnabled", true},
              {"retentionDuration", 30},
              {"timeCreated", timeText(now)},
              {"timeLastModified", timeText(now)},
              {"compartmentId", run.compartment},
              {"tenancyId", call.principal.tenancyId}};
  return log;
}

// {logGroupId, logId} of the run, or null when nothing is logged.
tl::expected<nlohmann::json, ServiceError> settleLogs(Transaction& transaction, const Call& call,
                                                      const Resource& run, const nlohmann::json& job,
                                                      const nlohmann::json& body) {
  nlohmann::json logs = job.value(field::kLogs, nlohmann::json());
  if (body.contains(override_field::kLogs) && body[override_field::kLogs].is_object())
    logs = body[override_field::kLogs];
  if (!logs.is_object() || !logs.value("enableLogging", false)) return nlohmann::json();
  const std::string group = logs.value("logGroupId", "");
  if (!findRelated(transaction, call, kind::kLogGroup, group, {"read", "log-groups"})) return notFound();
  std::string log = logs.value("logId", "");
  if (logs.value("enableAutoLogCreation", false)) {
    const Resource made = makeAutomaticLog(call, run, group);
    insertResource(transaction, made);
    log = made.id;
  } else if (!findRelated(transaction, call, kind::kLog, log, {"use", "log-content"})) {
    return notFound();
  }
  return nlohmann::json{{"logGroupId", group}, {"logId", log}};
}

// What the service shows of a run besides what it was asked for.
void showOverrides(Resource& run, const Resource& job, const nlohmann::json& body) {
  using namespace override_field;
  const nlohmann::json empty{{"jobType", "EMPTY"}};
  run.body[kConfiguration] = body.value(kConfiguration, empty);
  run.body[field::kInfrastructure] = job.body[field::kInfrastructure];
  for (const char* name : {kInfrastructure, kEnvironment, kLogs, kMounts, kNodes})
    if (body.contains(name) && !body[name].is_null()) run.body[name] = body[name];
  if (job.body.contains(field::kMounts)) run.body[field::kMounts] = job.body[field::kMounts];
  if (body.contains(kInfrastructure) &&
      body[kInfrastructure].value("jobInfrastructureType", "EMPTY") != "EMPTY")
    run.body[field::kInfrastructure] = body[kInfrastructure];
}

Resource makeRun(const Call& call, const Resource& job, const nlohmann::json& body, const std::string& name,
                 const RunPlan& plan) {
  const long long now = toMillis(call.now);
  Resource run{makeOcid(kind::kJobRun),
               kind::kJobRun,
               body["compartmentId"],
               job.id,
               name,
               "ACCEPTED",
               makeUuid(),
               now,
               {}};
  run.body = {{"id", run.id},
              {"timeAccepted", timeText(now)},
              {"timeStarted", nullptr},
              {"timeFinished", nullptr},
              {"createdBy", call.principal.id},
              {"projectId", body["projectId"]},
              {"compartmentId", run.compartment},
              {"jobId", job.id},
              {"displayName", name},
              {"lifecycleState", "ACCEPTED"},
              {"lifecycleDetails", "Infrastructure provisioning."}};
  showOverrides(run, job, body);
  if (plan.multiNode)
    for (const GroupPlan& group : plan.groups)
      run.body["nodeGroupDetailsList"].push_back(
          {{"name", group.name}, {"lifecycleState", "CREATING"}, {"lifecycleDetails", nullptr}});
  run.hidden = {
      {"plan", toJson(plan)}, {"tenancyId", call.principal.tenancyId}, {"jobCompartmentId", job.compartment}};
  if (const std::string code = codeNameIn(job.body); !code.empty()) run.hidden["code"] = code;
  return run;
}

// The faults that meet this run are drawn once, with its creation, and kept with it.
void drawFaults(Faults* faults, const RunPlan& plan, Resource& run) {
  if (faults == nullptr) return;
  const std::string operation = "CreateJobRun";
  if (faults->strike(FaultKind::OutOfCapacity, operation)) run.hidden["noCapacity"] = true;
  for (int rank = 0; rank < plan.nodes(); ++rank) {
    const auto mine = [rank](const Fault& fault) { return fault.node == rank; };
    for (const FaultKind what : {FaultKind::NodeKilled, FaultKind::NodeFrozen})
      if (const auto fault = faults->strike(what, operation, mine))
        run.hidden["strikes"].push_back({{"node", rank},
                                         {"signal", what == FaultKind::NodeKilled ? SIGKILL : SIGSTOP},
                                         {"afterMs", fault->delay.count()}});
  }
}

// Counts the nodes of the run against the service limits, or says which one they would exceed.
std::optional<ServiceError> reserveLimits(Transaction& transaction, const Resource& run,
                                          const RunPlan& plan) {
  const std::string tenancy = run.hidden["tenancyId"];
  for (const GroupPlan& group : plan.groups) {
    if (auto error = checkServiceLimit(transaction, tenancy, group.shapeName, group.replicas)) return error;
    addUsage(transaction, tenancy, run.id, group.shapeName, group.replicas);
  }
  return std::nullopt;
}

struct RunRequest {
  nlohmann::json body;
  std::string name;
  nlohmann::json tags;
};

tl::expected<RunRequest, ServiceError> readRun(const Call& call) {
  auto parsed = parseBody(call.request.body);
  if (!parsed) return tl::unexpected(parsed.error());
  RunRequest request{std::move(*parsed), {}, {}};
  BodyReader body(request.body);
  for (const char* field : {"projectId", "compartmentId", "jobId"}) body.text(field);
  request.name = body.optionalText("displayName", 255).value_or(defaultName("jobrun", call.now));
  request.tags = readTags(body);
  checkOverrides(body);
  if (body.error()) return tl::unexpected(*body.error());
  return request;
}

OperationResult createJobRun(Database& database, JobRunner& runner, const Call& call) {
  const auto request = readRun(call);
  if (!request) return tl::unexpected(request.error());
  const nlohmann::json& body = request->body;
  Transaction transaction(database);
  if (auto again = replayed(transaction, call, "CreateJobRun")) return *again;
  const auto job = findRelated(transaction, call, kind::kJob, body["jobId"], {"read", "data-science-jobs"});
  const auto project = findOwn(transaction, call, kind::kProject, body["projectId"]);
  if (!job || !project || !mayIn(transaction, call, body["compartmentId"])) return notFound();
  if (job->state != "ACTIVE")
    return refuse(409, "IncorrectState", "The job is " + job->state + ", not ACTIVE.");
  const auto plan = planRun(job->body, body);
  if (!plan) return tl::unexpected(plan.error());
  Resource run = makeRun(call, *job, body, request->name, *plan);
  run.body.update(request->tags);
  run.hidden["projectCompartmentId"] = project->compartment;
  if (auto error = reserveLimits(transaction, run, *plan)) return tl::unexpected(*error);
  const auto logs = settleLogs(transaction, call, run, job->body, body);
  if (!logs) return tl::unexpected(logs.error());
  if (!logs->is_null()) run.body["logDetails"] = *logs;
  drawFaults(runner.setup().faults, *plan, run);
  insertResource(transaction, run);
  const Response response = jsonResponse(run.body, run.etag);
  remember(transaction, call, "CreateJobRun", response);
  transaction.commit();
  runner.wake();
  return response;
}

OperationResult updateJobRun(Database& database, const Call& call) {
  const auto parsed = parseBody(call.request.body);
  if (!parsed) return tl::unexpected(parsed.error());
  BodyReader body(*parsed);
  const auto name = body.optionalText("displayName", 255);
  const nlohmann::json tags = readTags(body);
  if (body.error()) return tl::unexpected(*body.error());
  Transaction transaction(database);
  auto run = findAllowed(transaction, call, kind::kJobRun, call.path.at("id"));
  if (!run || run->state == "DELETED") return notFound();
  if (auto error = checkIfMatch(call.header("if-match"), run->etag)) return tl::unexpected(*error);
  if (name) run->body["displayName"] = run->name = *name;
  for (const char* field : {"freeformTags", "definedTags"})
    if (body.has(field)) run->body[field] = tags[field];
  const std::string etag = updateResource(transaction, *run);
  transaction.commit();
  return jsonResponse(run->body, etag);
}

OperationResult cancelJobRun(Database& database, JobRunner& runner, const Call& call) {
  Transaction transaction(database);
  auto run = findAllowed(transaction, call, kind::kJobRun, call.path.at("id"));
  if (!run || run->state == "DELETED") return notFound();
  if (auto error = checkIfMatch(call.header("if-match"), run->etag)) return tl::unexpected(*error);
  if (run->state != "ACCEPTED" && run->state != "IN_PROGRESS" && run->state != "NEEDS_ATTENTION")
    return refuse(409, "IncorrectState", "The job run is " + run->state + " and cannot be canceled.");
  run->state = "CANCELING";
  run->body["lifecycleState"] = run->state;
  run->body["lifecycleDetails"] = "Job run cancellation requested. Artifact execution stopping.";
  updateResource(transaction, *run);
  transaction.commit();
  runner.wake();
  return emptyResponse(204);
}

OperationResult deleteJobRun(Database& database, JobRunner& runner, const Call& call) {
  Transaction transaction(database);
  auto run = findAllowed(transaction, call, kind::kJobRun, call.path.at("id"));
  if (!run || run->state == "DELETED") return notFound();
  if (auto error = checkIfMatch(call.header("if-match"), run->etag)) return tl::unexpected(*error);
  if (run->state != "SUCCEEDED" && run->state != "FAILED" && run->state != "CANCELED")
    return refuse(409, "IncorrectState",
                  "The job run is " + run->state + ". Cancel it and wait before deleting it.");
  run->state = "DELETED";
  run->body["lifecycleState"] = run->state;
  updateResource(transaction, *run);
  transaction.commit();
  runner.forget(run->id);
  return emptyResponse(204);
}

}  // namespace

void addJobRuns(Router& router, Database& database, JobRunner& runner) {
  const std::string path = "/20190101/jobRuns";
  router.add("GET", path, "ListJobRuns", [&](const Call& c) {
    return answerSummaries(database, c, dataScienceList(kind::kJobRun, "jobId"));
  });
  router.add("POST", path, "CreateJobRun", [&](const Call& c) { return createJobRun(database, runner, c); });
  router.add("GET", path + "/{id}", "GetJobRun",
             [&](const Call& c) { return answerGet(database, c, kind::kJobRun, c.path.at("id")); });
  router.add("PUT", path + "/{id}", "UpdateJobRun", [&](const Call& c) { return updateJobRun(database, c); });
  router.add("DELETE", path + "/{id}", "DeleteJobRun",
             [&](const Call& c) { return deleteJobRun(database, runner, c); });
  router.add("POST", path + "/{id}/actions/changeCompartment", "ChangeJobRunCompartment",
             [&](const Call& c) { return changeCompartment(database, c, kind::kJobRun); });
  router.add("POST", path + "/{id}/actions/cancelJobRun", "CancelJobRun",
             [&](const Call& c) { return cancelJobRun(database, runner, c); });
}

}  // namespace lockstep::rehearsal
