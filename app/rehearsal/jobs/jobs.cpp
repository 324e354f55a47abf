// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/front/body_reader.h"
#include "rehearsal/front/retry_tokens.h"
#include "rehearsal/identity/access.h"
#include "rehearsal/jobs/job_text.h"
#include "rehearsal/services.h"
#include "rehearsal/state/lists.h"

namespace lockstep::rehearsal {
namespace {

constexpr const char* kConfiguration = "jobConfigurationDetails";
constexpr const char* kInfrastructure = "jobInfrastructureConfigurationDetails";
constexpr const char* kEnvironment = "jobEnvironmentConfigurationDetails";
constexpr const char* kLogs = "jobLogConfigurationDetails";
constexpr const char* kMounts = "jobStorageMountConfigurationDetailsList";
constexpr std::size_t kMostMounts = 5;

void checkMounts(BodyReader& body) {
  if (!body.has(kMounts)) return;
  const nlohmann::json& mounts = body.json()[kMounts];
  if (!mounts.is_array()) return body.invalid(kMounts, "it must be an array");
  if (mounts.size() > kMostMounts) body.invalid(kMounts, "a job has at most 5 storage mounts");
  for (const auto& mount : mounts)
    if (!mount.is_object() || !mount.contains("storageType"))
      body.missing(std::string(kMounts) + ".storageType");
}

void checkParts(BodyReader& body) {
  const auto check = [&body](const char* name, void (*checkPart)(BodyReader&)) {
    if (!body.has(name)) return;
    BodyReader part = body.object(name);
    checkPart(part);
  };
  if (body.has("jobNodeConfigurationDetails"))
    body.invalid("jobNodeConfigurationDetails",
                 "this region runs jobs of one node; create one job run for each node");
  if (!body.has(kInfrastructure)) body.missing(kInfrastructure);
  check(kConfiguration, checkConfiguration);
  check(kInfrastructure, checkInfrastructure);
  check(kEnvironment, checkEnvironment);
  check(kLogs, checkLogging);
  checkMounts(body);
}

// Everything that a job names must exist and be the caller's.
std::optional<Refusal> checkRelated(Session& session, const Call& call, const nlohmann::json& body) {
  const auto related = [&](const char* kind, const nlohmann::json& holder, const char* field,
                           const Grant& grant) -> std::optional<Refusal> {
    if (!holder.is_object() || !holder.contains(field) || !holder[field].is_string()) return std::nullopt;
    if (findRelated(session, call, kind, holder[field], grant)) return std::nullopt;
    Refusal refusal = notFound().value();
    refusal.message += std::string(" (") + field + ")";
    return refusal;
  };
  if (!mayIn(session, call, body["compartmentId"])) return notFound().value();
  if (auto refusal = related(kind::kProject, body, "projectId", {"read", "data-science-projects"}))
    return refusal;
  if (auto refusal = related(kind::kSubnet, body.value(kInfrastructure, nlohmann::json()), "subnetId",
                             {"use", "subnets"}))
    return refusal;
  const nlohmann::json logs = body.value(kLogs, nlohmann::json());
  if (auto refusal = related(kind::kLogGroup, logs, "logGroupId", {"read", "log-groups"})) return refusal;
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
              {kConfiguration, body.value(kConfiguration, nlohmann::json{{"jobType", "EMPTY"}})}};
  for (const char* field : {"description", kInfrastructure, kEnvironment, kLogs, kMounts})
    if (body.contains(field) && !body[field].is_null()) job.body[field] = body[field];
  job.body.update(tags);
  return job;
}

Answer createJob(Database& database, const Call& call) {
  const auto parsed = parseBody(call.request.body);
  if (!parsed) return tl::unexpected(parsed.error());
  BodyReader body(*parsed);
  body.text("projectId");
  body.text("compartmentId");
  const std::string name = body.optionalText("displayName", 255).value_or(defaultName("job", call.now));
  body.optionalText("description");
  const nlohmann::json tags = readTags(body);
  checkParts(body);
  if (body.refusal()) return tl::unexpected(*body.refusal());
  Session session(database);
  if (auto again = replayed(session, call, "CreateJob")) return *again;
  if (auto refusal = checkRelated(session, call, *parsed)) return tl::unexpected(*refusal);
  const Resource job = makeJob(call, *parsed, name, tags);
  insertResource(session, job);
  const Reply reply = jsonReply(job.body, job.etag);
  remember(session, call, "CreateJob", reply);
  session.commit();
  return reply;
}

Answer updateJob(Database& database, const Call& call) {
  const auto parsed = parseBody(call.request.body);
  if (!parsed) return tl::unexpected(parsed.error());
  BodyReader body(*parsed);
  const auto name = body.optionalText("displayName", 255);
  body.optionalText("description");
  const nlohmann::json tags = readTags(body);
  if (body.has(kInfrastructure)) {
    BodyReader part = body.object(kInfrastructure);
    checkInfrastructure(part);
  }
  checkMounts(body);
  if (body.refusal()) return tl::unexpected(*body.refusal());
  Session session(database);
  auto job = findAllowed(session, call, kind::kJob, call.path.at("id"));
  if (!job || job->state == "DELETED") return notFound();
  if (auto refusal = checkIfMatch(call.header("if-match"), job->etag)) return tl::unexpected(*refusal);
  nlohmann::json related = *parsed;
  related["compartmentId"] = job->compartment;
  if (auto refusal = checkRelated(session, call, related)) return tl::unexpected(*refusal);
  if (name) job->name = *name;
  for (const char* field : {"displayName", "description", kInfrastructure, kMounts})
    if (body.has(field)) job->body[field] = (*parsed)[field];
  for (const char* field : {"freeformTags", "definedTags"})
    if (body.has(field)) job->body[field] = tags[field];
  const std::string etag = updateResource(session, *job);
  session.commit();
  return jsonReply(job->body, etag);
}

bool isLive(const Resource& run) {
  return run.state == "ACCEPTED" || run.state == "IN_PROGRESS" || run.state == "CANCELING" ||
         run.state == "NEEDS_ATTENTION";
}

std::vector<Resource> runsOf(Session& session, const std::string& jobId) {
  ListQuery query;
  query.kind = kind::kJobRun;
  query.parent = jobId;
  query.limit = 1 << 20;
  const auto page = listResources(session, query);
  return page ? page->items : std::vector<Resource>{};
}

Answer deleteJob(Database& database, const Call& call) {
  Session session(database);
  auto job = findAllowed(session, call, kind::kJob, call.path.at("id"));
  if (!job || job->state == "DELETED") return notFound();
  if (auto refusal = checkIfMatch(call.header("if-match"), job->etag)) return tl::unexpected(*refusal);
  std::vector<Resource> runs = runsOf(session, job->id);
  for (const Resource& run : runs)
    if (isLive(run))
      return refuse(409, "IncorrectState", "The job run " + run.id + " has not ended. Cancel it first.");
  if (call.parameter("deleteRelatedJobRuns") == "true") {
    for (Resource& run : runs) {
      run.state = "DELETED";
      run.body["lifecycleState"] = run.state;
      updateResource(session, run);
    }
  }
  job->state = "DELETED";
  job->body["lifecycleState"] = job->state;
  updateResource(session, *job);
  session.commit();
  Reply reply = emptyReply(204);
  reply.headers.emplace_back("opc-work-request-id", makeOcid("datascienceworkrequest"));
  return reply;
}

nlohmann::json summaryOf(const Resource& job) {
  nlohmann::json summary;
  for (const char* field : {"id", "timeCreated", "createdBy", "projectId", "compartmentId", "displayName",
                            "lifecycleState", "lifecycleDetails", "freeformTags", "definedTags"})
    summary[field] = job.body.value(field, nlohmann::json());
  return summary;
}

}  // namespace

void addJobs(Router& router, Database& database) {
  const std::string path = "/20190101/jobs";
  router.add("GET", path, "ListJobs", [&](const Call& c) {
    return answerList(database, c, dataScienceList(kind::kJob, "projectId"), summaryOf);
  });
  router.add("POST", path, "CreateJob", [&](const Call& c) { return createJob(database, c); });
  router.add("GET", path + "/{id}", "GetJob",
             [&](const Call& c) { return answerGet(database, c, kind::kJob, c.path.at("id")); });
  router.add("PUT", path + "/{id}", "UpdateJob", [&](const Call& c) { return updateJob(database, c); });
  router.add("DELETE", path + "/{id}", "DeleteJob", [&](const Call& c) { return deleteJob(database, c); });
}

}  // namespace lockstep::rehearsal
