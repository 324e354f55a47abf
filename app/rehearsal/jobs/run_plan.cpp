// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/jobs/run_plan.h"

#include <algorithm>

#include "base/json_fields.h"
#include "rehearsal/jobs/job_fields.h"

namespace lockstep::rehearsal {
namespace {

using nlohmann::json;

std::chrono::milliseconds minutesAt(const json& holder, const char* name) {
  const auto found = holder.find(name);
  if (found == holder.end() || !found->is_number()) return std::chrono::milliseconds(0);
  return std::chrono::milliseconds(static_cast<long long>(found->get<double>() * 60'000));
}

// The job's configuration with the run's laid over it: variables key by key, the rest whole
// (oci-rest-contract 4.5).
json mergedConfiguration(json base, const json& over) {
  if (over.value("jobType", "") == "EMPTY") return base;
  json variables = objectField(base, "environmentVariables");
  variables.update(objectField(over, "environmentVariables"));
  for (const char* field : {"commandLineArguments", "maximumRuntimeInMinutes", "startupProbeDetails"})
    if (over.contains(field) && !over[field].is_null()) base[field] = over[field];
  base["environmentVariables"] = variables;
  return base;
}

// An environment replaces the other whole: an image and its command belong together.
json mergedContainer(const json& base, const json& over) {
  const json& chosen = over.empty() ? base : over;
  return chosen.empty() ? json() : chosen;
}

std::string shapeOf(const json& base, const json& over) {
  const std::string own = stringField(over, "shapeName");
  return own.empty() ? stringField(base, "shapeName") : own;
}

GroupPlan planGroup(const json& group, const json& over) {
  GroupPlan plan;
  plan.name = stringField(group, "name");
  plan.replicas = group.value("replicas", 1);
  if (over.contains("replicas") && over["replicas"].is_number()) plan.replicas = over["replicas"];
  const json& min = over.contains("minimumSuccessReplicas") ? over : group;
  plan.minimumSuccess = min.contains("minimumSuccessReplicas") && min["minimumSuccessReplicas"].is_number()
                            ? std::min(min["minimumSuccessReplicas"].get<int>(), plan.replicas)
                            : plan.replicas;
  plan.shapeName =
      shapeOf(objectField(group, field::kInfrastructure), objectField(over, field::kInfrastructure));
  plan.configuration = mergedConfiguration(objectField(group, field::kConfiguration),
                                           objectField(over, field::kConfiguration));
  plan.container =
      mergedContainer(objectField(group, field::kEnvironment), objectField(over, field::kEnvironment));
  return plan;
}

const json* groupNamed(const json& groups, const std::string& name) {
  for (const json& group : groups)
    if (group.value("name", "") == name) return &group;
  return nullptr;
}

json groupsOf(const json& nodes) {
  const auto found = nodes.find(field::kGroups);
  return found != nodes.end() && found->is_array() ? *found : json::array();
}

tl::unexpected<ServiceError> doesNotFit(const std::string& name, const std::string& why) {
  return invalidParameter("The parameter '" + name + "' is invalid: " + why + ".");
}

tl::expected<RunPlan, ServiceError> planNodes(const json& job, const json& run) {
  for (const char* name :
       {override_field::kConfiguration, override_field::kInfrastructure, override_field::kEnvironment}) {
    const json part = objectField(run, name);
    if (!part.empty() && part.value("jobType", part.value("jobInfrastructureType", "")) != "EMPTY")
      return doesNotFit(
          name, "the nodes of this job take their overrides from " + std::string(override_field::kNodes));
  }
  const json nodes = objectField(job, field::kNodes), over = objectField(run, override_field::kNodes);
  const json groups = groupsOf(nodes), overs = groupsOf(over);
  for (const json& group : overs)
    if (groupNamed(groups, group.value("name", "")) == nullptr)
      return doesNotFit(std::string(override_field::kNodes) + "." + field::kGroups + ".name",
                        "the job has no node group '" + group.value("name", "") + "'");
  RunPlan plan;
  plan.multiNode = true;
  const std::string order = stringField(over, "startupOrder");
  plan.inOrder = (order.empty() ? stringField(nodes, "startupOrder") : order) == "IN_ORDER";
  const json network = objectField(over, field::kNetwork);
  plan.subnetId = stringField(network.empty() ? objectField(nodes, field::kNetwork) : network, "subnetId");
  const char* longest = "maximumRuntimeInMinutes";
  plan.longest = minutesAt(over.contains(longest) ? over : nodes, longest);
  for (const json& group : groups) {
    const json* own = groupNamed(overs, group.value("name", ""));
    plan.groups.push_back(planGroup(group, own == nullptr ? json::object() : *own));
  }
  return plan;
}

tl::expected<RunPlan, ServiceError> planOne(const json& job, const json& run) {
  if (!objectField(run, override_field::kNodes).empty())
    return doesNotFit(override_field::kNodes, "the job has no node groups");
  const json infrastructure = objectField(job, field::kInfrastructure);
  const json over = objectField(run, override_field::kInfrastructure);
  RunPlan plan;
  GroupPlan only;
  only.shapeName = shapeOf(infrastructure, over);
  only.configuration = mergedConfiguration(objectField(job, field::kConfiguration),
                                           objectField(run, override_field::kConfiguration));
  only.container =
      mergedContainer(objectField(job, field::kEnvironment), objectField(run, override_field::kEnvironment));
  plan.subnetId = stringField(over.contains("shapeName") ? over : infrastructure, "subnetId");
  plan.longest = minutesAt(only.configuration, "maximumRuntimeInMinutes");
  plan.groups.push_back(std::move(only));
  return plan;
}

}  // namespace

int RunPlan::nodes() const {
  int count = 0;
  for (const GroupPlan& group : groups) count += group.replicas;
  return count;
}

int RunPlan::firstRankOf(std::size_t group) const {
  int rank = 0;
  for (std::size_t g = 0; g < group; ++g) rank += groups[g].replicas;
  return rank;
}

std::size_t RunPlan::groupOf(int rank) const {
  std::size_t group = 0;
  while (group + 1 < groups.size() && rank >= firstRankOf(group + 1)) ++group;
  return group;
}

tl::expected<RunPlan, ServiceError> planRun(const json& jobBody, const json& runBody) {
  return objectField(jobBody, field::kNodes).empty() ? planOne(jobBody, runBody)
                                                     : planNodes(jobBody, runBody);
}

json toJson(const RunPlan& plan) {
  json groups = json::array();
  for (const GroupPlan& group : plan.groups)
    groups.push_back({{"name", group.name},
                      {"replicas", group.replicas},
                      {"minimumSuccess", group.minimumSuccess},
                      {"shapeName", group.shapeName},
                      {"configuration", group.configuration},
                      {"container", group.container}});
  return {{"multiNode", plan.multiNode},
          {"inOrder", plan.inOrder},
          {"subnetId", plan.subnetId},
          {"longestMs", plan.longest.count()},
          {"groups", groups}};
}

RunPlan planOf(const Resource& run) {
  RunPlan plan;
  const auto kept = run.hidden.find("plan");
  if (kept == run.hidden.end()) {  // of a region that knew runs of one node only
    GroupPlan only;
    only.configuration = objectField(run.hidden, "configuration");
    only.container = {{"jobEnvironmentType", "OCIR_CONTAINER"}};
    plan.longest = minutesAt(only.configuration, "maximumRuntimeInMinutes");
    plan.groups.push_back(std::move(only));
    return plan;
  }
  plan.multiNode = kept->value("multiNode", false);
  plan.inOrder = kept->value("inOrder", false);
  plan.subnetId = kept->value("subnetId", "");
  plan.longest = std::chrono::milliseconds(kept->value("longestMs", 0LL));
  for (const json& group : kept->value("groups", json::array()))
    plan.groups.push_back({group.value("name", ""), group.value("replicas", 1),
                           group.value("minimumSuccess", 1), group.value("shapeName", ""),
                           objectField(group, "configuration"), group.value("container", json())});
  return plan;
}

std::optional<StartupProbe> probeOf(const json& configuration) {
  const json details = objectField(configuration, "startupProbeDetails");
  if (details.empty()) return std::nullopt;
  StartupProbe probe;
  probe.command = details.value("command", std::vector<std::string>{});
  const auto seconds = [&details](const char* name, std::chrono::milliseconds& value) {
    if (details.contains(name) && details[name].is_number())
      value = std::chrono::milliseconds(static_cast<long long>(details[name].get<double>() * 1000));
  };
  seconds("initialDelayInSeconds", probe.initialDelay);
  seconds("periodInSeconds", probe.period);
  if (details.contains("failureThreshold") && details["failureThreshold"].is_number())
    probe.failureThreshold = details["failureThreshold"].get<int>();
  return probe;
}

}  // namespace lockstep::rehearsal
