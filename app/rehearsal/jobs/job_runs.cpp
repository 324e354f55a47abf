// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/front/body_reader.h"
#include "rehearsal/front/retry_tokens.h"
#include "rehearsal/identity/access.h"
#include "rehearsal/jobs/job_runner.h"
#include "rehearsal/jobs/job_text.h"
#include "rehearsal/services.h"
#include "rehearsal/state/lists.h"

namespace lockstep::rehearsal {
namespace {

constexpr const char* kConfiguration = "jobConfigurationOverrideDetails";
constexpr const char* kInfrastructure = "jobInfrastructureConfigurationOverrideDetails";
constexpr const char* kEnvironment = "jobEnvironmentConfigurationOverrideDetails";
constexpr const char* kLogs = "jobLogConfigurationOverrideDetails";
constexpr const char* kMounts = "jobStorageMountConfigurationOverrideDetailsList";

void checkOverrides(BodyReader& body) {
  const auto check = [&body](const char* name, const char* discriminator, void (*checkPart)(BodyReader&)) {
    if (!body.has(name)) return;
    BodyReader part = body.object(name);
    if (discriminator != nullptr && part.json().value(discriminator, nlohmann::json()) == "EMPTY") return;
    checkPart(part);
  };
  if (body.has("jobNodeConfigurationOverrideDetails"))
    body.invalid("jobNodeConfigurationOverrideDetails", "this region runs jobs of one node");
  check(kConfiguration, "jobType", checkConfiguration);
  check(kInfrastructure, "jobInfrastructureType", checkInfrastructure);
  check(kEnvironment, nullptr, checkEnvironment);
  check(kLogs, nullptr, checkLogging);
}

// The job's configuration with the run's laid over it: variables key by key, the rest whole
// (oci-rest-contract 4.5).
nlohmann::json effectiveConfiguration(const nlohmann::json& job, const nlohmann::json& run) {
  const nlohmann::json none = nlohmann::json::object();
  nlohmann::json base = job.value("jobConfigurationDetails", none);
  const nlohmann::json over = run.value(kConfiguration, none);
  nlohmann::json variables = base.value("environmentVariables", none);
  if (over.contains("environmentVariables") && over["environmentVariables"].is_object())
    variables.update(over["environmentVariables"]);
  for (const char* field : {"commandLineArguments", "maximumRuntimeInMinutes"})
    if (over.contains(field) && !over[field].is_null()) base[field] = over[field];
  base["environmentVariables"] = variables;
  return base;
}

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
tl::expected<nlohmann::json, Refusal> settleLogs(Session& session, const Call& call, const Resource& run,
                                                 const nlohmann::json& job, const nlohmann::json& body) {
  nlohmann::json logs = job.value("jobLogConfigurationDetails", nlohmann::json());
  if (body.contains(kLogs) && body[kLogs].is_object()) logs = body[kLogs];
  if (!logs.is_object() || !logs.value("enableLogging", false)) return nlohmann::json();
  const std::string group = logs.value("logGroupId", "");
  if (!findRelated(session, call, kind::kLogGroup, group, {"read", "log-groups"})) return notFound();
  std::string log = logs.value("logId", "");
  if (logs.value("enableAutoLogCreation", false)) {
    const Resource made = makeAutomaticLog(call, run, group);
    insertResource(session, made);
    log = made.id;
  } else if (!findRelated(session, call, kind::kLog, log, {"use", "log-content"})) {
    return notFound();
  }
  return nlohmann::json{{"logGroupId", group}, {"logId", log}};
}

Resource makeRun(const Call& call, const Resource& job, const nlohmann::json& body, const std::string& name,
                 const nlohmann::json& tags) {
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
              {"lifecycleDetails", "Infrastructure provisioning."},
              {kConfiguration, body.value(kConfiguration, nlohmann::json{{"jobType", "EMPTY"}})},
              {"jobInfrastructureConfigurationDetails", job.body["jobInfrastructureConfigurationDetails"]}};
  for (const char* field : {kInfrastructure, kEnvironment, kLogs, kMounts})
    if (body.contains(field) && !body[field].is_null()) run.body[field] = body[field];
  if (body.contains(kInfrastructure) &&
      body[kInfrastructure].value("jobInfrastructureType", "EMPTY") != "EMPTY")
    run.body["jobInfrastructureConfigurationDetails"] = body[kInfrastructure];
  run.body.update(tags);
  run.hidden = {{"configuration", effectiveConfiguration(job.body, body)},
                {"tenancyId", call.principal.tenancyId},
                {"jobCompartmentId", job.compartment}};
  return run;
}

Answer createJobRun(Database& database, JobRunner& runner, const Call& call) {
  const auto parsed = parseBody(call.request.body);
  if (!parsed) return tl::unexpected(parsed.error());
  BodyReader body(*parsed);
  const std::string project = body.text("projectId");
  const std::string compartment = body.text("compartmentId");
  const std::string jobId = body.text("jobId");
  const std::string name = body.optionalText("displayName", 255).value_or(defaultName("jobrun", call.now));
  const nlohmann::json tags = readTags(body);
  checkOverrides(body);
  if (body.refusal()) return tl::unexpected(*body.refusal());
  Session session(database);
  if (auto again = replayed(session, call, "CreateJobRun")) return *again;
  const auto job = findRelated(session, call, kind::kJob, jobId, {"read", "data-science-jobs"});
  const auto owner = findRelated(session, call, kind::kProject, project, {"read", "data-science-projects"});
  if (!job || !owner || !mayIn(session, call, compartment)) return notFound();
  if (job->state != "ACTIVE")
    return refuse(409, "IncorrectState", "The job is " + job->state + ", not ACTIVE.");
  Resource run = makeRun(call, *job, *parsed, name, tags);
  const auto place = findResource(session, kind::kProject, project);
  run.hidden["projectCompartmentId"] = place->compartment;
  const auto logs = settleLogs(session, call, run, job->body, *parsed);
  if (!logs) return tl::unexpected(logs.error());
  if (!logs->is_null()) run.body["logDetails"] = *logs;
  insertResource(session, run);
  const Reply reply = jsonReply(run.body, run.etag);
  remember(session, call, "CreateJobRun", reply);
  session.commit();
  runner.wake();
  return reply;
}

Answer updateJobRun(Database& database, const Call& call) {
  const auto parsed = parseBody(call.request.body);
  if (!parsed) return tl::unexpected(parsed.error());
  BodyReader body(*parsed);
  const auto name = body.optionalText("displayName", 255);
  const nlohmann::json tags = readTags(body);
  if (body.refusal()) return tl::unexpected(*body.refusal());
  Session session(database);
  auto run = findAllowed(session, call, kind::kJobRun, call.path.at("id"));
  if (!run || run->state == "DELETED") return notFound();
  if (auto refusal = checkIfMatch(call.header("if-match"), run->etag)) return tl::unexpected(*refusal);
  if (name) run->body["displayName"] = run->name = *name;
  for (const char* field : {"freeformTags", "definedTags"})
    if (body.has(field)) run->body[field] = tags[field];
  const std::string etag = updateResource(session, *run);
  session.commit();
  return jsonReply(run->body, etag);
}

Answer cancelJobRun(Database& database, JobRunner& runner, const Call& call) {
  Session session(database);
  auto run = findAllowed(session, call, kind::kJobRun, call.path.at("id"));
  if (!run || run->state == "DELETED") return notFound();
  if (auto refusal = checkIfMatch(call.header("if-match"), run->etag)) return tl::unexpected(*refusal);
  if (run->state != "ACCEPTED" && run->state != "IN_PROGRESS" && run->state != "NEEDS_ATTENTION")
    return refuse(409, "IncorrectState", "The job run is " + run->state + " and cannot be canceled.");
  run->state = "CANCELING";
  run->body["lifecycleState"] = run->state;
  run->body["lifecycleDetails"] = "Job run cancellation requested. Artifact execution stopping.";
  updateResource(session, *run);
  session.commit();
  runner.wake();
  return emptyReply(204);
}

Answer deleteJobRun(Database& database, JobRunner& runner, const Call& call) {
  Session session(database);
  auto run = findAllowed(session, call, kind::kJobRun, call.path.at("id"));
  if (!run || run->state == "DELETED") return notFound();
  if (auto refusal = checkIfMatch(call.header("if-match"), run->etag)) return tl::unexpected(*refusal);
  if (run->state != "SUCCEEDED" && run->state != "FAILED" && run->state != "CANCELED")
    return refuse(409, "IncorrectState",
                  "The job run is " + run->state + ". Cancel it and wait before deleting it.");
  run->state = "DELETED";
  run->body["lifecycleState"] = run->state;
  updateResource(session, *run);
  session.commit();
  runner.forget(run->id);
  return emptyReply(204);
}

nlohmann::json summaryOf(const Resource& run) {
  nlohmann::json summary;
  for (const char* field :
       {"id", "timeAccepted", "timeStarted", "timeFinished", "createdBy", "projectId", "compartmentId",
        "jobId", "displayName", "lifecycleState", "lifecycleDetails", "freeformTags", "definedTags"})
    summary[field] = run.body.value(field, nlohmann::json());
  return summary;
}

}  // namespace

void addJobRuns(Router& router, Database& database, JobRunner& runner) {
  const std::string path = "/20190101/jobRuns";
  router.add("GET", path, "ListJobRuns", [&](const Call& c) {
    return answerList(database, c, dataScienceList(kind::kJobRun, "jobId"), summaryOf);
  });
  router.add("POST", path, "CreateJobRun", [&](const Call& c) { return createJobRun(database, runner, c); });
  router.add("GET", path + "/{id}", "GetJobRun",
             [&](const Call& c) { return answerGet(database, c, kind::kJobRun, c.path.at("id")); });
  router.add("PUT", path + "/{id}", "UpdateJobRun", [&](const Call& c) { return updateJobRun(database, c); });
  router.add("DELETE", path + "/{id}", "DeleteJobRun",
             [&](const Call& c) { return deleteJobRun(database, runner, c); });
  router.add("POST", path + "/{id}/actions/cancelJobRun", "CancelJobRun",
             [&](const Call& c) { return cancelJobRun(database, runner, c); });
}

}  // namespace lockstep::rehearsal
