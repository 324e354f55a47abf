// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/jobs/jobs.h"

#include "rehearsal/iam/access.h"
#include "rehearsal/jobs/job_artifacts.h"
#include "rehearsal/jobs/job_checks.h"
#include "rehearsal/jobs/job_code.h"
#include "rehearsal/jobs/job_fields.h"
#include "rehearsal/jobs/job_runner.h"
#include "rehearsal/jobs/job_text.h"
#include "rehearsal/service/body_reader.h"
#include "rehearsal/service/lists.h"
#include "rehearsal/service/retry_tokens.h"
#include "rehearsal/service/work_requests.h"

namespace lockstep::rehearsal {
namespace {

// Everything that a job names must exist and be the caller's.
std::optional<ServiceError> checkRelated(Transaction& transaction, const Call& call,
                                         const nlohmann::json& body) {
  const auto missing = [](const char* field) -> std::optional<ServiceError> {
    ServiceError error = notFound().value();
    error.message += std::string(" (") + field + ")";
    return error;
  };
  const auto related = [&](const char* kind, const nlohmann::json& holder, const char* field,
                           const Grant& grant) -> std::optional<ServiceError> {
    if (!holder.is_object() || !holder.contains(field) || !holder[field].is_string()) return std::nullopt;
    return findRelated(transaction, call, kind, holder[field], grant) ? std::nullopt : missing(field);
  };
  const nlohmann::json none;
  const nlohmann::json nodes = body.value(field::kNodes, none);
  const nlohmann::json network = nodes.is_object() ? nodes.value(field::kNetwork, none) : none;
  const nlohmann::json logs = body.value(field::kLogs, none);
  // The guides give those who launch nothing on projects (ads-contract 4.5).
  if (body.contains("projectId") && !findOwn(transaction, call, kind::kProject, body["projectId"]))
    return missing("projectId");
  for (const nlohmann::json& holder : {body.value(field::kInfrastructure, none), network})
    if (auto error = related(kind::kSubnet, holder, "subnetId", {"use", "subnets"})) return error;
  if (auto error = related(kind::kLogGroup, logs, "logGroupId", {"read", "log-groups"})) return error;
  return related(kind::kLog, logs, "logId", {"use", "log-content"});
}

Resource makeJob(const Call& call, const nlohmann::json& body, const std::string& name,
                 const nlohmann::json& tags) {
  const long long now = toMillis(call.now);
  Resource job{makeOcid(kind::kJob), kind::kJob, body["compartmentId"],
               body["projectId"],    name,       "ACTIVE",
               makeUuid(),           now,        {}};
  job.body = {{"id", job.id},
              {"timeCreated", timeText(now)},
              {"createdBy", call.principal.id},
              {"projectId", job.parent},
              {"compartmentId", job.compartment},
              {"displayName", name},
              {"lifecycleState", "ACTIVE"},
              {"lifecycleDetails", nullptr},
              {field::kConfiguration, {{"jobType", "EMPTY"}}},
              {field::kInfrastructure, {{"jobInfrastructureType", "EMPTY"}}}};
  for (const char* block : {"description", field::kConfiguration, field::kInfrastructure, field::kEnvironment,
                            field::kLogs, field::kMounts, field::kNodes})
    if (body.contains(block) && !body[block].is_null()) job.body[block] = body[block];
  job.body.update(tags);
  return job;
}

OperationResult createJob(Database& database, const Call& call) {
  const auto parsed = parseBody(call.request.body);
  if (!parsed) return tl::unexpected(parsed.error());
  BodyReader body(*parsed);
  body.text("projectId");
  body.text("compartmentId");
  const std::string name = body.optionalText("displayName", 255).value_or(defaultName("job", call.now));
  body.optionalText("description");
  const nlohmann::json tags = readTags(body);
  checkJobBlocks(body);
  if (body.error()) return tl::unexpected(*body.error());
  Transaction transaction(database);
  if (auto again = replayed(transaction, call, "CreateJob")) return *again;
  if (!mayIn(transaction, call, (*parsed)["compartmentId"])) return notFound();
  if (auto error = checkRelated(transaction, call, *parsed)) return tl::unexpected(*error);
  const Resource job = makeJob(call, *parsed, name, tags);
  insertResource(transaction, job);
  const Response response = jsonResponse(job.body, job.etag);
  remember(transaction, call, "CreateJob", response);
  transaction.commit();
  return response;
}

OperationResult updateJob(Database& database, const Call& call) {
  const auto parsed = parseBody(call.request.body);
  if (!parsed) return tl::unexpected(parsed.error());
  Transaction transaction(database);
  auto job = findAllowed(transaction, call, kind::kJob, call.path.at("id"));
  if (!job || job->state == "DELETED") return notFound();
  BodyReader body(*parsed);
  const auto name = body.optionalText("displayName", 255);
  body.optionalText("description");
  const nlohmann::json tags = readTags(body);
  checkJobUpdate(body, job->body.contains(field::kNodes));
  if (body.error()) return tl::unexpected(*body.error());
  if (auto error = checkIfMatch(call.header("if-match"), job->etag)) return tl::unexpected(*error);
  if (auto error = checkRelated(transaction, call, *parsed)) return tl::unexpected(*error);
  if (name) job->name = *name;
  for (const char* field : {"displayName", "description", field::kInfrastructure, field::kMounts})
    if (body.has(field)) job->body[field] = (*parsed)[field];
  for (const char* field : {"freeformTags", "definedTags"})
    if (body.has(field)) job->body[field] = tags[field];
  const std::string etag = updateResource(transaction, *job);
  transaction.commit();
  return jsonResponse(job->body, etag);
}

bool isLive(const Resource& run) {
  return run.state == "ACCEPTED" || run.state == "IN_PROGRESS" || run.state == "CANCELING" ||
         run.state == "NEEDS_ATTENTION";
}

std::vector<Resource> runsOf(Transaction& transaction, const std::string& jobId) {
  ListQuery query;
  query.kind = kind::kJobRun;
  query.parent = jobId;
  query.limit = 1 << 20;
  const auto page = listResources(transaction, query);
  return page ? page->items : std::vector<Resource>{};
}

void markDeleted(Transaction& transaction, Resource& resource) {
  resource.state = "DELETED";
  resource.body["lifecycleState"] = resource.state;
  updateResource(transaction, resource);
}

OperationResult deleteJob(Database& database, Blobs& blobs, JobRunner& runner, const Call& call) {
  Transaction transaction(database);
  auto job = findAllowed(transaction, call, kind::kJob, call.path.at("id"));
  if (!job || job->state == "DELETED") return notFound();
  if (auto error = checkIfMatch(call.header("if-match"), job->etag)) return tl::unexpected(*error);
  std::vector<Resource> runs = runsOf(transaction, job->id);
  for (const Resource& run : runs)
    if (isLive(run))
      return refuse(409, "IncorrectState", "The job run " + run.id + " has not ended. Cancel it first.");
  WorkRequestSpec request{"datascience", "JOB_DELETE", job->compartment, {{"job", "DELETED", job->id, {}}}};
  const bool withRuns = call.parameter("deleteRelatedJobRuns") == "true";
  for (Resource& run : runs) {
    if (!withRuns || run.state == "DELETED") continue;
    markDeleted(transaction, run);
    request.resources.push_back({"jobRun", "DELETED", run.id, {}});
  }
  markDeleted(transaction, *job);
  const std::string file = removeArtifact(transaction, job->id);
  Response response = emptyResponse(204);
  response.headers.emplace_back("opc-work-request-id", addWorkRequest(transaction, request, call.now));
  transaction.commit();
  blobs.remove(file);
  removeCode(runner.setup().codeFolder, codeNameIn(job->body));
  if (withRuns)
    for (const Resource& run : runs) runner.forget(run.id);
  return response;
}

}  // namespace

void addJobs(Router& router, Database& database, Blobs& blobs, JobRunner& runner) {
  const std::string path = "/20190101/jobs";
  router.add("GET", path, "ListJobs", [&](const Call& c) {
    return answerSummaries(database, c, dataScienceList(kind::kJob, "projectId"));
  });
  router.add("POST", path, "CreateJob", [&](const Call& c) { return createJob(database, c); });
  router.add("GET", path + "/{id}", "GetJob",
             [&](const Call& c) { return answerGet(database, c, kind::kJob, c.path.at("id")); });
  router.add("PUT", path + "/{id}", "UpdateJob", [&](const Call& c) { return updateJob(database, c); });
  router.add("DELETE", path + "/{id}", "DeleteJob",
             [&](const Call& c) { return deleteJob(database, blobs, runner, c); });
  router.add("POST", path + "/{id}/actions/changeCompartment", "ChangeJobCompartment",
             [&](const Call& c) { return changeCompartment(database, c, kind::kJob); });
}

}  // namespace lockstep::rehearsal
