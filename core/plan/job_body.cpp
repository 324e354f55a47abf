// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/job_body.h"

#include <fmt/format.h>

#include <cmath>

namespace lockstep {
namespace {

using Json = nlohmann::ordered_json;

constexpr long long kDefaultBlockStorageInGBs = 50;

/// 4 and not 4.0: a whole number in the file is one on the wire.
Json numberOf(double value) {
  if (std::fabs(value) < 1e15 && value == std::floor(value)) return static_cast<long long>(value);
  return value;
}

Json infrastructureOf(const Infrastructure& infra) {
  Json json = Json::object();
  json["jobInfrastructureType"] =
      infra.jobInfrastructureType.value_or(infra.subnetId ? "STANDALONE" : "ME_STANDALONE");
  if (infra.shapeName) json["shapeName"] = *infra.shapeName;
  if (infra.subnetId) json["subnetId"] = *infra.subnetId;
  json["blockStorageSizeInGBs"] = infra.blockStorageSizeInGBs.value_or(kDefaultBlockStorageInGBs);
  if (!infra.shapeConfig) return json;
  Json shape = Json::object();
  if (infra.shapeConfig->ocpus) shape["ocpus"] = numberOf(*infra.shapeConfig->ocpus);
  if (infra.shapeConfig->memoryInGBs) shape["memoryInGBs"] = numberOf(*infra.shapeConfig->memoryInGBs);
  if (infra.shapeConfig->cpuBaseline) shape["cpuBaseline"] = *infra.shapeConfig->cpuBaseline;
  json["jobShapeConfigDetails"] = std::move(shape);
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
      return failure(StatusCode::InvalidArgument,
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
      return failure(StatusCode::InvalidArgument,
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

}  // namespace

Result<Json> jobBody(const ClusterSpec& spec, const std::string& name, const std::string& image,
                     Json environment) {
  const Infrastructure& infra = spec.infrastructure;
  Json body = Json::object();
  body["projectId"] = infra.projectId.value_or("");
  body["compartmentId"] = infra.compartmentId.value_or("");
  body["displayName"] = name;
  body["jobConfigurationDetails"] = {{"jobType", infra.jobType.value_or("DEFAULT")}};
  body["jobConfigurationDetails"]["environmentVariables"] = std::move(environment);
  body["jobInfrastructureConfigurationDetails"] = infrastructureOf(infra);
  body["jobEnvironmentConfigurationDetails"] = {{"jobEnvironmentType", "OCIR_CONTAINER"}, {"image", image}};
  if (infra.logGroupId || infra.logId) body["jobLogConfigurationDetails"] = logOf(infra);
  putTags(body, infra);
  if (!infra.storageMounts.empty()) {
    auto mounts = mountsOf(infra.storageMounts);
    if (!mounts) return mounts;
    body["jobStorageMountConfigurationDetailsList"] = std::move(*mounts);
  }
  return body;
}

Json jobRunBody(const ClusterSpec& spec, const std::string& name, Json environment) {
  Json body = Json::object();
  body["projectId"] = spec.infrastructure.projectId.value_or("");
  body["compartmentId"] = spec.infrastructure.compartmentId.value_or("");
  body["jobId"] = "${job}";
  body["displayName"] = name;
  body["jobConfigurationOverrideDetails"] = {{"jobType", "DEFAULT"}};
  body["jobConfigurationOverrideDetails"]["environmentVariables"] = std::move(environment);
  return body;
}

}  // namespace lockstep
