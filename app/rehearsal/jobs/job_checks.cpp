// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/jobs/job_checks.h"

#include <fmt/format.h>

#include <set>

#include "rehearsal/jobs/job_fields.h"
#include "rehearsal/jobs/job_text.h"
#include "rehearsal/shapes/shape_table.h"

namespace lockstep::rehearsal {
namespace {

using nlohmann::json;

// Limits of oci-rest-contract 4.5 and 7. The service documents none for nodes; these keep a slip from
// starting processes without end.
constexpr std::size_t kEnvironmentCharacters = 20000;
constexpr std::size_t kArgumentCharacters = 4000;
constexpr std::size_t kCommandBytes = 2048;
constexpr std::size_t kMaxMounts = 5;
constexpr double kSmallestBlockStorage = 50, kLargestBlockStorage = 10240;
constexpr double kLongestMinutes = 60.0 * 24 * 365;
constexpr int kMaxNodes = 256;

// What a block is part of decides which infrastructure it may have.
enum class Place { Job, Group };

void checkProbe(BodyReader& part) {
  part.choice("jobProbeCheckType", {"EXEC"});
  if (part.textList("command").empty()) part.missing("command");
  part.optionalNumber("periodInSeconds", 1, 3600);
  part.optionalNumber("failureThreshold", 1, 1000);
  part.optionalNumber("initialDelayInSeconds", 0, 86400);
}

void checkVariables(BodyReader& part) {
  std::size_t characters = 0;
  const json variables = part.textMap("environmentVariables");
  for (const auto& [name, value] : variables.items()) {
    if (name.empty() || name.find('=') != std::string::npos)
      part.invalid("environmentVariables", "'" + name + "' is no name of a variable");
    if (value.is_string()) characters += name.size() + value.get_ref<const std::string&>().size();
  }
  if (characters > kEnvironmentCharacters)
    part.invalid("environmentVariables",
                 fmt::format("names and values have {} characters together, more than {}", characters,
                             kEnvironmentCharacters));
}

void checkConfiguration(BodyReader& part) {
  if (part.choice("jobType", {"DEFAULT", "EMPTY"}) != "DEFAULT") return;
  checkVariables(part);
  part.optionalText("commandLineArguments", kArgumentCharacters);
  part.optionalNumber("maximumRuntimeInMinutes", 1, kLongestMinutes);
  if (!part.has("startupProbeDetails")) return;
  BodyReader probe = part.object("startupProbeDetails");
  checkProbe(probe);
}

void checkShape(BodyReader& part) {
  const std::string shape = part.text("shapeName");
  if (!shape.empty() && shapeTable().findShape(shape) == nullptr)
    part.invalid("shapeName", "'" + shape + "' is not a shape of this region");
  part.number("blockStorageSizeInGBs", kSmallestBlockStorage, kLargestBlockStorage);
  if (part.has("jobShapeConfigDetails")) {
    BodyReader details = part.object("jobShapeConfigDetails");
    details.optionalNumber("ocpus", 1, 128);
    details.optionalNumber("memoryInGBs", 1, 2048);
    details.optionalChoice("cpuBaseline", {"BASELINE_1_8", "BASELINE_1_2", "BASELINE_1_1"});
  } else if (isFlexible(shape)) {
    part.missing("jobShapeConfigDetails");
  }
}

void checkResources(BodyReader& part, const char* name, bool needed) {
  if (!part.has(name)) {
    if (needed) part.missing(name);
    return;
  }
  BodyReader resources = part.object(name);
  resources.number("ocpus", 0.1, 1024);
  resources.number("memoryInGBs", 0.1, 16384);
  resources.optionalNumber("gpus", 0, 64);
}

// Such a cluster is a Kubernetes cluster of the tenancy's own; nothing stands for one here.
void checkComputeCluster(BodyReader& part) {
  part.text("computeTargetId");
  if (part.has("resourceConfiguration")) {
    BodyReader resources = part.object("resourceConfiguration");
    checkResources(resources, "resourceRequestConfiguration", true);
    checkResources(resources, "resourceLimitConfiguration", false);
  } else {
    part.missing("resourceConfiguration");
  }
  part.invalid("jobInfrastructureType", "this region has no managed compute clusters");
}

void checkInfrastructure(BodyReader& part, Place place) {
  const std::string type = part.choice("jobInfrastructureType", {"STANDALONE", "ME_STANDALONE", "MULTI_NODE",
                                                                 "MANAGED_COMPUTE_CLUSTER", "EMPTY"});
  if (type == "MANAGED_COMPUTE_CLUSTER") return checkComputeCluster(part);
  const bool fits =
      place == Place::Group ? type == "MULTI_NODE" : type == "STANDALONE" || type == "ME_STANDALONE";
  if (!fits && !type.empty())
    return part.invalid(
        "jobInfrastructureType",
        (place == Place::Group ? "a node group needs MULTI_NODE, this is "
                               : "a job of one node needs STANDALONE or ME_STANDALONE, this is ") +
            type);
  if (type == "STANDALONE") {
    part.text("subnetId");
  } else if (part.has("subnetId")) {
    part.invalid("subnetId", type == "MULTI_NODE" ? "the nodes' subnet stands in jobNetworkConfiguration"
                                                  : "managed egress has no subnet of yours; use STANDALONE");
  }
  checkShape(part);
}

void checkEnvironment(BodyReader& part) {
  part.choice("jobEnvironmentType", {"OCIR_CONTAINER"});
  part.text("image", 4000);
  part.optionalText("imageDigest");
  part.optionalText("imageSignatureId");
  std::size_t bytes = 0;
  for (const char* name : {"cmd", "entrypoint"})
    for (const std::string& word : part.textList(name)) bytes += word.size();
  if (bytes >= kCommandBytes)
    part.invalid("cmd", fmt::format("cmd and entrypoint have {} bytes together, {} is too many", bytes,
                                    kCommandBytes));
}

void checkLogging(BodyReader& part) {
  const bool enabled = part.optionalFlag("enableLogging").value_or(false);
  const bool automatic = part.optionalFlag("enableAutoLogCreation").value_or(false);
  part.optionalText("logGroupId");
  part.optionalText("logId");
  if (!enabled) return;
  if (!part.has("logGroupId")) part.missing("logGroupId");
  if (automatic && part.has("logId")) part.invalid("logId", "it contradicts enableAutoLogCreation");
  if (!automatic && !part.has("logId")) part.missing("logId");
}

void checkMount(BodyReader& part) {
  const std::string type = part.choice("storageType", {"FILE_STORAGE", "OBJECT_STORAGE"});
  part.text("destinationDirectoryName");
  part.optionalText("destinationPath");
  if (type == "FILE_STORAGE") {
    part.text("mountTargetId");
    part.text("exportId");
  } else if (type == "OBJECT_STORAGE") {
    part.text("namespace");
    part.text("bucket");
    part.optionalText("prefix");
  }
  // A process here sees the machine's own file system, in which nothing can be mounted for one run alone.
  part.invalid("storageType",
               "the job runs of this region have no mounts; read and write the objects instead");
}

void checkMounts(BodyReader& body, const char* name) {
  if (!body.has(name)) return;
  const json& mounts = body.json()[name];
  if (!mounts.is_array()) return body.invalid(name, "it must be an array");
  if (mounts.size() > kMaxMounts) body.invalid(name, "a job has at most 5 storage mounts");
  for (std::size_t i = 0; i < mounts.size(); ++i) {
    BodyReader mount = body.element(name, i);
    checkMount(mount);
  }
}

void checkNetworkOfNodes(BodyReader& part) {
  const std::string type = part.choice("jobNetworkType", {"CUSTOM_NETWORK", "DEFAULT_NETWORK"});
  if (type == "CUSTOM_NETWORK") part.text("subnetId");
  if (type == "DEFAULT_NETWORK" && part.has("subnetId"))
    part.invalid("subnetId", "the default network is the service's own; use CUSTOM_NETWORK");
}

template <class Check>
void checkBlock(BodyReader& body, const char* name, bool needed, Check check) {
  if (!body.has(name)) {
    if (needed) body.missing(name);
    return;
  }
  BodyReader part = body.object(name);
  check(part);
}

// One group; an override may leave everything out but its name.
void checkGroup(BodyReader& group, bool isOverride) {
  group.text("name");
  const double replicas = group.optionalNumber("replicas", 1, kMaxNodes).value_or(1);
  const auto min = group.optionalNumber("minimumSuccessReplicas", 0, kMaxNodes);
  if (min && *min > replicas && !(isOverride && !group.has("replicas")))
    group.invalid("minimumSuccessReplicas", fmt::format("{} of {} replicas cannot succeed", *min, replicas));
  checkBlock(group, field::kInfrastructure, !isOverride,
             [](BodyReader& part) { checkInfrastructure(part, Place::Group); });
  checkBlock(group, field::kConfiguration, false, checkConfiguration);
  checkBlock(group, field::kEnvironment, false, checkEnvironment);
}

void checkGroups(BodyReader& nodes, bool isOverride) {
  if (!nodes.has(field::kGroups)) {
    if (!isOverride) nodes.missing(field::kGroups);
    return;
  }
  const json& groups = nodes.json()[field::kGroups];
  if (!groups.is_array() || groups.empty())
    return nodes.invalid(field::kGroups, "it must be an array of groups");
  std::set<std::string> names;
  double count = 0;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    BodyReader group = nodes.element(field::kGroups, i);
    checkGroup(group, isOverride);
    if (nodes.error()) return;
    const std::string name = groups[i]["name"];
    if (!names.insert(name).second) nodes.invalid(field::kGroups, "two groups have the name '" + name + "'");
    count += groups[i].value("replicas", 1.0);
  }
  if (count > kMaxNodes)
    nodes.invalid(field::kGroups,
                  fmt::format("{} nodes are more than the {} of this region", count, kMaxNodes));
}

void checkNodes(BodyReader& nodes, bool isOverride) {
  nodes.choice("jobNodeType", {"MULTI_NODE"});
  nodes.optionalNumber("maximumRuntimeInMinutes", 1, kLongestMinutes);
  nodes.optionalChoice("startupOrder", {"IN_ORDER", "IN_PARALLEL"});
  checkBlock(nodes, field::kNetwork, false, checkNetworkOfNodes);
  checkGroups(nodes, isOverride);
}

bool isEmptyBlock(const json& body, const char* name, const char* discriminator) {
  const auto found = body.find(name);
  return found == body.end() || found->is_null() ||
         (found->is_object() && found->value(discriminator, json()) == "EMPTY");
}

// With node groups the blocks of one node stand in them, and only the empty ones may stand beside them.
void checkNodesAlone(BodyReader& body) {
  const auto only = [&body](const char* name, const char* discriminator) {
    if (!isEmptyBlock(body.json(), name, discriminator))
      body.invalid(name, "of a multi-node job it stands in each node group");
  };
  only(field::kConfiguration, "jobType");
  only(field::kInfrastructure, "jobInfrastructureType");
  only(field::kEnvironment, "jobEnvironmentType");
}

}  // namespace

void checkJobBlocks(BodyReader& body) {
  if (body.has(field::kNodes)) {
    checkNodesAlone(body);
    checkBlock(body, field::kNodes, true, [](BodyReader& nodes) { checkNodes(nodes, false); });
  } else {
    checkBlock(body, field::kConfiguration, false, checkConfiguration);
    checkBlock(body, field::kInfrastructure, true,
               [](BodyReader& part) { checkInfrastructure(part, Place::Job); });
    checkBlock(body, field::kEnvironment, false, checkEnvironment);
  }
  checkBlock(body, field::kLogs, false, checkLogging);
  checkMounts(body, field::kMounts);
}

void checkJobUpdate(BodyReader& body, bool multiNode) {
  for (const char* fixed : {"projectId", "compartmentId", field::kConfiguration, field::kEnvironment,
                            field::kLogs, field::kNodes})
    if (body.has(fixed)) body.invalid(fixed, "it cannot be changed");
  if (multiNode && !isEmptyBlock(body.json(), field::kInfrastructure, "jobInfrastructureType"))
    body.invalid(field::kInfrastructure, "of a multi-node job it stands in each node group");
  if (!multiNode)
    checkBlock(body, field::kInfrastructure, false,
               [](BodyReader& part) { checkInfrastructure(part, Place::Job); });
  checkMounts(body, field::kMounts);
}

void checkOverrides(BodyReader& body) {
  using namespace override_field;
  checkBlock(body, kConfiguration, false, checkConfiguration);
  if (!isEmptyBlock(body.json(), kInfrastructure, "jobInfrastructureType"))
    checkBlock(body, kInfrastructure, false, [](BodyReader& part) { checkInfrastructure(part, Place::Job); });
  checkBlock(body, kEnvironment, false, checkEnvironment);
  checkBlock(body, kLogs, false, checkLogging);
  checkBlock(body, kNodes, false, [](BodyReader& nodes) { checkNodes(nodes, true); });
  checkMounts(body, kMounts);
}

}  // namespace lockstep::rehearsal
