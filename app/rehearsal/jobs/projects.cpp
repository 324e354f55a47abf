// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/iam/access.h"
#include "rehearsal/jobs/job_text.h"
#include "rehearsal/jobs/jobs.h"
#include "rehearsal/service/body_reader.h"
#include "rehearsal/service/lists.h"
#include "rehearsal/service/retry_tokens.h"
#include "rehearsal/service/work_requests.h"

namespace lockstep::rehearsal {
namespace {

OperationResult createProject(Database& database, const Call& call) {
  const auto parsed = parseBody(call.request.body);
  if (!parsed) return tl::unexpected(parsed.error());
  BodyReader body(*parsed);
  const std::string compartment = body.text("compartmentId");
  const std::string name =
      body.optionalText("displayName", 255).value_or(defaultName("datascienceproject", call.now));
  const auto description = body.optionalText("description");
  nlohmann::json tags = readTags(body);
  if (body.error()) return tl::unexpected(*body.error());
  Transaction transaction(database);
  if (auto again = replayed(transaction, call, "CreateProject")) return *again;
  if (!mayIn(transaction, call, compartment)) return notFound();
  const long long now = toMillis(call.now);
  Resource project{
      makeOcid(kind::kProject), kind::kProject, compartment, "", name, "ACTIVE", makeUuid(), now, {}};
  project.body = {{"id", project.id},
                  {"timeCreated", timeText(now)},
                  {"displayName", name},
                  {"compartmentId", compartment},
                  {"createdBy", call.principal.id},
                  {"lifecycleState", "ACTIVE"}};
  if (description) project.body["description"] = *description;
  project.body.update(tags);
  insertResource(transaction, project);
  const Response response = jsonResponse(project.body, project.etag);
  remember(transaction, call, "CreateProject", response);
  transaction.commit();
  return response;
}

OperationResult updateProject(Database& database, const Call& call) {
  const auto parsed = parseBody(call.request.body);
  if (!parsed) return tl::unexpected(parsed.error());
  BodyReader body(*parsed);
  const auto name = body.optionalText("displayName", 255);
  const auto description = body.optionalText("description");
  const nlohmann::json tags = readTags(body);
  if (body.error()) return tl::unexpected(*body.error());
  Transaction transaction(database);
  auto project = findAllowed(transaction, call, kind::kProject, call.path.at("id"));
  if (!project || project->state == "DELETED") return notFound();
  if (auto error = checkIfMatch(call.header("if-match"), project->etag)) return tl::unexpected(*error);
  if (name) project->body["displayName"] = project->name = *name;
  if (description) project->body["description"] = *description;
  for (const char* field : {"freeformTags", "definedTags"})
    if (body.has(field)) project->body[field] = tags[field];
  const std::string etag = updateResource(transaction, *project);
  transaction.commit();
  return jsonResponse(project->body, etag);
}

OperationResult deleteProject(Database& database, const Call& call) {
  Transaction transaction(database);
  const auto project = findAllowed(transaction, call, kind::kProject, call.path.at("id"));
  if (!project || project->state == "DELETED") return notFound();
  if (auto error = checkIfMatch(call.header("if-match"), project->etag)) return tl::unexpected(*error);
  auto& child =
      transaction.sql("SELECT 1 FROM resources WHERE kind = ? AND parent = ? AND state != 'DELETED' LIMIT 1");
  child.bind(1, kind::kJob);
  child.bind(2, project->id);
  if (child.executeStep()) return refuse(409, "Conflict", "The project still has jobs. Delete them first.");
  removeResource(transaction, project->id);
  const WorkRequestSpec request{
      "datascience", "PROJECT_DELETE", project->compartment, {{"project", "DELETED", project->id, {}}}};
  Response response = emptyResponse(204);
  response.headers.emplace_back("opc-work-request-id", addWorkRequest(transaction, request, call.now));
  transaction.commit();
  return response;
}

}  // namespace

void addProjects(Router& router, Database& database) {
  const std::string path = "/20190101/projects";
  router.add("GET", path, "ListProjects", [&](const Call& c) {
    return answerList(database, c, dataScienceList(kind::kProject, ""),
                      [](const Resource& project) { return project.body; });
  });
  router.add("POST", path, "CreateProject", [&](const Call& c) { return createProject(database, c); });
  router.add("GET", path + "/{id}", "GetProject",
             [&](const Call& c) { return answerGet(database, c, kind::kProject, c.path.at("id")); });
  router.add("PUT", path + "/{id}", "UpdateProject",
             [&](const Call& c) { return updateProject(database, c); });
  router.add("DELETE", path + "/{id}", "DeleteProject",
             [&](const Call& c) { return deleteProject(database, c); });
}

}  // namespace lockstep::rehearsal
