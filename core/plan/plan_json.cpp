// SPDX-License-Identifier: GPL-3.0-or-later
// A plan as JSON, and the same plan at another place.
#include "plan/plan.h"

#include "plan/job_field.h"

namespace lockstep {
namespace {

using Json = nlohmann::ordered_json;

/// An empty object with room for its members: where it has to grow, it copies all that it holds.
Json objectOf(std::size_t members) {
  Json json = Json::object();
  json.get_ref<Json::object_t&>().reserve(members);
  return json;
}

const char* wordOf(NodeRole role) {
  return role == NodeRole::Main ? "MAIN" : role == NodeRole::Worker ? "WORKER" : "PS";
}

Json worldOf(const Plan& plan) {
  std::map<NodeRole, long long> counts;
  for (const PlannedNode& node : plan.nodes) ++counts[node.role];
  Json roles = Json::object();
  for (const auto& [role, count] : counts) roles[wordOf(role)] = count;
  Json world = Json::object();
  world["nodes"] = plan.nodes.size();
  world["roles"] = std::move(roles);
  world["ranksPerNode"] = plan.ranksPerNode ? Json(*plan.ranksPerNode) : Json();
  return world;
}

/// The member of an object; nullptr: there is none.
Json* memberOf(Json* object, const char* key) {
  if (!object || !object->is_object()) return nullptr;
  const auto found = object->find(key);
  return found == object->end() ? nullptr : &*found;
}

void replaceIfPresent(Json* object, const char* key, const std::string& value) {
  if (value.empty()) return;
  if (Json* found = memberOf(object, key)) *found = value;
}

void moveConfiguration(Json* configuration, const TenancyIds& places) {
  replaceIfPresent(memberOf(configuration, "environmentVariables"), "OCI__WORK_DIR", places.workDir);
}

void moveJob(Json& body, const TenancyIds& places) {
  replaceIfPresent(memberOf(&body, job_field::kInfrastructure), "subnetId", places.subnetId);
  moveConfiguration(memberOf(&body, job_field::kConfiguration), places);
  Json* logs = memberOf(&body, job_field::kLogs);
  replaceIfPresent(logs, "logGroupId", places.logGroupId);
  replaceIfPresent(logs, "logId", places.logId);
  Json* nodes = memberOf(&body, job_field::kNodes);
  replaceIfPresent(memberOf(nodes, job_field::kNetwork), "subnetId", places.subnetId);
  if (Json* groups = memberOf(nodes, job_field::kGroups)) {
    for (Json& group : *groups) moveConfiguration(memberOf(&group, job_field::kConfiguration), places);
  }
}

}  // namespace

Json toJson(Plan plan) {
  Json json = objectOf(5);
  json["layout"] = plan.layout;
  Json requests = Json::array();
  requests.get_ref<Json::array_t&>().reserve(plan.requests.size());
  for (PlannedRequest& request : plan.requests) {
    Json row = objectOf(2);
    row["operation"] = std::move(request.operation);
    row["body"] = std::move(request.body);
    requests.push_back(std::move(row));
  }
  json["requests"] = std::move(requests);
  json["world"] = worldOf(plan);
  json["issues"] = toJson(plan.issues);
  json["cost"] = plan.cost ? toJson(*plan.cost) : Json();
  return json;
}

Json toJson(const std::vector<Issue>& issues) {
  Json json = Json::array();
  for (const Issue& issue : issues) json.push_back(Json(toJson(issue)));
  return json;
}

Plan movedTo(Plan plan, const TenancyIds& places) {
  for (PlannedRequest& request : plan.requests) {
    replaceIfPresent(&request.body, "compartmentId", places.compartmentId);
    replaceIfPresent(&request.body, "projectId", places.projectId);
    if (request.operation == "CreateJob") moveJob(request.body, places);
  }
  if (!places.workDir.empty()) plan.workDir = places.workDir;
  return plan;
}

}  // namespace lockstep
