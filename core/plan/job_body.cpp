// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/job_body.h"

#include <fmt/format.h>

#include <cmath>

#include "base/text/quote.h"
#include "plan/job_environment.h"
#include "plan/job_field.h"
#include "plan/node_groups.h"

namespace lockstep {
namespace {

using Json = nlohmann::ordered_json;

constexpr long long kDefaultBlockStorageInGBs = 50;

/// 4 and not 4.0: a whole number in the file is one on the wire.
Json numberOf(double value) {
  if (std::fabs(value) < 1e15 && value == std::floor(value)) return static_cast<long long>(value);
  return value;
}

Json shapeOf(const ShapeConfig& config) {
  Json shape = Json::object();
  if (config.ocpus) shape["ocpus"] = numberOf(*config.ocpus);
  if (config.memoryInGBs) shape["memoryInGBs"] = numberOf(*config.memoryInGBs);
  if (config.cpuBaseline) shape["cpuBaseline"] = *config.cpuBaseline;
  return shape;
}

Json infrastructureOf(const Infrastructure& infra) {
  Json json = Json::object();
  json["jobInfrastructureType"] =
      infra.jobInfrastructureType.value_or(infra.subnetId ? "STANDALONE" : "ME_STANDALONE");
  if (infra.shapeName) json["shapeName"] = *infra.shapeName;
  if (infra.subnetId) json["subnetId"] = *infra.subnetId;
  json["blockStorageSizeInGBs"] = infra.blockStorageSizeInGBs.value_or(kDefaultBlockStorageInGBs);
  if (infra.shapeConfig) json["jobShapeConfigDetails"] = shapeOf(*infra.shapeConfig);
  return json;
}

Json logOf(const Infrastructure& infra) {
  Json json = Json::object();
  json["enableLogging"] = true;
  json["enableAutoLogCreation"] = infra.logGroupId && !infra.logId;
  if (infra.logGroupId) json["logGroupId"] = *infra.logGroupId;
  if (infra.logId) json["logId"] = *infra.logId;
  return json;
}

/// "/a/b" -> path "/a", name "b"; a bare name has no path.
void putDestination(Json& mount, std::string dest) {
  while (dest.size() > 1 && dest.back() == '/') dest.pop_back();
  const std::size_t slash = dest.rfind('/');
  mount["destinationDirectoryName"] = slash == std::string::npos ? dest : dest.substr(slash + 1);
  if (slash != std::string::npos) mount["destinationPath"] = slash == 0 ? "/" : dest.substr(0, slash);
}

Result<Json> mountOf(const StorageMount& given) {
  Json mount = Json::object();
  constexpr std::string_view kScheme = "oci://";
  if (given.src.starts_with(kScheme)) {
    const std::string rest = given.src.substr(kScheme.size());
    const std::size_t slash = std::min(rest.find('/'), rest.size());
    const std::size_t at = rest.find('@');
    if (at == std::string::npos || at > slash)
      return failure(ErrorCode::InvalidArgument,
                     fmt::format("the storage mount '{}' names no namespace", given.src), "",
                     "write oci://bucket@namespace/prefix");
    mount["storageType"] = "OBJECT_STORAGE";
    mount["bucket"] = rest.substr(0, at);
    mount["namespace"] = rest.substr(at + 1, slash - at - 1);
    if (slash + 1 < rest.size()) mount["prefix"] = rest.substr(slash + 1);
  } else {
    const std::size_t colon = given.src.find(':');
    if (colon == std::string::npos || !given.src.starts_with("ocid1.") ||
        given.src.find("ocid1.", colon) != colon + 1)
      return failure(ErrorCode::InvalidArgument,
                     fmt::format("the storage mount '{}' cannot be planned", given.src),
                     "finding a mount target or an export by its name needs the network",
                     "write <OCID of the mount target>:<OCID of the export>");
    mount["storageType"] = "FILE_STORAGE";
    mount["mountTargetId"] = given.src.substr(0, colon);
    mount["exportId"] = given.src.substr(colon + 1);
  }
  putDestination(mount, given.dest);
  return mount;
}

Result<Json> mountsOf(const std::vector<StorageMount>& mounts) {
  Json list = Json::array();
  for (const StorageMount& mount : mounts) {
    auto json = mountOf(mount);
    if (!json) return json;
    list.push_back(std::move(*json));
  }
  return list;
}

void putTags(Json& body, const Infrastructure& infra) {
  for (const auto& [key, value] : infra.freeformTags) body["freeformTags"][key] = value;
  for (const DefinedTags& tags : infra.definedTags) {
    for (const auto& [key, value] : tags.tags) body["definedTags"][tags.nameSpace][key] = value;
  }
}

/// What every job has first.
Json beginning(const ClusterSpec& spec, const JobParts& parts) {
  Json body = Json::object();
  body["projectId"] = spec.infrastructure.projectId.value_or("");
  body["compartmentId"] = spec.infrastructure.compartmentId.value_or("");
  body["displayName"] = parts.name;
  return body;
}

/// What every job has last: logs, tags, storage mounts.
Result<Json> completed(Json body, const Infrastructure& infra) {
  if (infra.logGroupId || infra.logId) body[job_field::kLogs] = logOf(infra);
  putTags(body, infra);
  if (!infra.storageMounts.empty()) {
    auto mounts = mountsOf(infra.storageMounts);
    if (!mounts) return mounts;
    body[job_field::kMounts] = std::move(*mounts);
  }
  return body;
}

/// What the job runs, with which variables and arguments. The longest time stands here only where the file is
/// a `kind: job` one, as `ads` has it.
Json configurationOf(const ClusterSpec& spec, const Environment& environment) {
  Json json = Json::object();
  json["jobType"] = spec.infrastructure.jobType.value_or("DEFAULT");
  json["environmentVariables"] = environment.toJson();
  if (!spec.job) return json;
  if (spec.job->maximumRuntimeInMinutes) json["maximumRuntimeInMinutes"] = *spec.job->maximumRuntimeInMinutes;
  std::string arguments;
  for (const std::string& word : spec.job->args)
    arguments += (arguments.empty() ? "" : " ") + quoteShellAsPython(word);
  if (!arguments.empty()) json["commandLineArguments"] = arguments;
  return json;
}

/// nullopt: no container, the service's own conda environment.
std::optional<Json> containerOf(const ClusterSpec& spec, const std::string& image) {
  if (spec.job && !spec.job->isContainer()) return std::nullopt;
  Json json{{"jobEnvironmentType", "OCIR_CONTAINER"}, {"image", image}};
  if (!spec.job) return json;
  if (!spec.job->cmd.empty()) json["cmd"] = spec.job->cmd;
  if (spec.job->entryPointWords) json["entrypoint"] = *spec.job->entryPointWords;
  if (spec.job->imageDigest) json["imageDigest"] = *spec.job->imageDigest;
  if (spec.job->imageSignatureId) json["imageSignatureId"] = *spec.job->imageSignatureId;
  return json;
}

Json groupInfrastructure(const ClusterSpec& spec, const NodeGroup& group) {
  Json json = Json::object();
  json["jobInfrastructureType"] = "MULTI_NODE";
  json["shapeName"] = shapeNameOf(spec, group.role);
  const auto size = nodeGroupSpecOf(spec, group.role).blockStorageSizeInGBs;
  if (size)
    json["blockStorageSizeInGBs"] = *size;
  else if (spec.infrastructure.blockStorageSizeInGBs)
    json["blockStorageSizeInGBs"] = *spec.infrastructure.blockStorageSizeInGBs;
  else if (!spec.job)  // `ads` leaves it out, and the service asks for it
    json["blockStorageSizeInGBs"] = kDefaultBlockStorageInGBs;
  if (const auto config = shapeConfigOf(spec, group.role)) json["jobShapeConfigDetails"] = shapeOf(*config);
  return json;
}

Json probeOf(const StartupProbe& probe) {
  Json json{{"jobProbeCheckType", "EXEC"}, {"command", probe.command}};
  if (probe.periodInSeconds) json["periodInSeconds"] = *probe.periodInSeconds;
  if (probe.failureThreshold) json["failureThreshold"] = *probe.failureThreshold;
  if (probe.initialDelayInSeconds) json["initialDelayInSeconds"] = *probe.initialDelayInSeconds;
  return json;
}

std::string groupImage(const ClusterSpec& spec, const JobParts& parts, const NodeGroup& group) {
  const RoleSpec* role = group.role ? roleOf(spec, *group.role) : nullptr;
  return role && role->image ? resolvedImage(*role->image, parts.atImage) : parts.image;
}

Json groupOf(const ClusterSpec& spec, const JobParts& parts, const NodeGroup& group) {
  const NodeGroupSpec own = nodeGroupSpecOf(spec, group.role);
  Json json = Json::object();
  json["name"] = group.name;
  json["replicas"] = group.replicas;
  json["minimumSuccessReplicas"] = own.minimumSuccessReplicas.value_or(group.replicas);
  json[job_field::kInfrastructure] = groupInfrastructure(spec, group);
  json[job_field::kConfiguration] =
      configurationOf(spec, groupEnvironment(spec, parts.environment, group.role));
  if (own.startupProbe) json[job_field::kConfiguration]["startupProbeDetails"] = probeOf(*own.startupProbe);
  if (const auto container = containerOf(spec, groupImage(spec, parts, group)))
    json[job_field::kEnvironment] = *container;
  return json;
}

Json networkOf(const ClusterSpec& spec) {
  const auto& subnet = spec.infrastructure.subnetId;
  const bool managed =
      spec.multiNode && spec.multiNode->network ? spec.multiNode->network == "managed" : !subnet;
  if (managed) return {{"jobNetworkType", "DEFAULT_NETWORK"}};
  return {{"jobNetworkType", "CUSTOM_NETWORK"}, {"subnetId", subnet.value_or("")}};
}

}  // namespace

std::string resolvedImage(const std::string& image, const std::string& atImage) {
  return image.starts_with('@') && !atImage.empty() ? atImage : image;
}

Environment groupEnvironment(const ClusterSpec& spec, const Environment& job, std::optional<NodeRole> role) {
  Environment env = job;
  if (spec.job) return env;
  long long nodes = 0;
  for (const NodeGroup& group : nodeGroupsOf(spec)) nodes += group.replicas;
  if (role) env.set(runEnvironment(spec, *role, 0).variables());
  env.erase("RANK");
  env.set("NODE_COUNT", std::to_string(nodes));
  return env;
}

Result<Json> jobBody(const ClusterSpec& spec, const JobParts& parts) {
  Json body = beginning(spec, parts);
  body[job_field::kConfiguration] = configurationOf(spec, parts.environment);
  body[job_field::kInfrastructure] = infrastructureOf(spec.infrastructure);
  if (auto container = containerOf(spec, parts.image)) body[job_field::kEnvironment] = std::move(*container);
  return completed(std::move(body), spec.infrastructure);
}

Result<Json> multiNodeJobBody(const ClusterSpec& spec, const JobParts& parts) {
  Json nodes = Json::object();
  nodes["jobNodeType"] = "MULTI_NODE";
  if (spec.multiNode && spec.multiNode->maximumRuntimeInMinutes)
    nodes["maximumRuntimeInMinutes"] = *spec.multiNode->maximumRuntimeInMinutes;
  nodes["startupOrder"] =
      spec.multiNode ? spec.multiNode->startupOrder.value_or("IN_PARALLEL") : "IN_PARALLEL";
  nodes[job_field::kNetwork] = networkOf(spec);
  nodes[job_field::kGroups] = Json::array();
  for (const NodeGroup& group : nodeGroupsOf(spec))
    nodes[job_field::kGroups].push_back(groupOf(spec, parts, group));
  Json body = beginning(spec, parts);
  body[job_field::kNodes] = std::move(nodes);
  return completed(std::move(body), spec.infrastructure);
}

Json jobRunBody(const ClusterSpec& spec, const std::string& name) {
  Json body = Json::object();
  body.get_ref<Json::object_t&>().reserve(5);  // growing copies what it holds, for each of many nodes
  body["projectId"] = spec.infrastructure.projectId.value_or("");
  body["compartmentId"] = spec.infrastructure.compartmentId.value_or("");
  body["jobId"] = "${job}";
  body["displayName"] = name;
  if (!spec.job) return body;
  for (const auto& [key, value] : spec.infrastructure.freeformTags) body["freeformTags"][key] = value;
  return body;
}

Json jobRunBody(const ClusterSpec& spec, const std::string& name, const Environment& environment) {
  Json body = jobRunBody(spec, name);
  Json& overrides = body["jobConfigurationOverrideDetails"];
  overrides["jobType"] = "DEFAULT";
  overrides["environmentVariables"] = environment.toJson();
  return body;
}

}  // namespace lockstep
