// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "cluster/checks/check_parts.h"
#include "cluster/reading/multi_node_yaml.h"
#include "cluster/reading/shape_catalogue.h"
#include "cluster/reading/train_yaml.h"
#include "cluster/reading/train_yaml_keys.h"

namespace lockstep {
namespace {

using Kind = FixStep::Kind;

constexpr long long kMinBlockStorageInGBs = 50;
constexpr std::size_t kMaxMounts = 5;
constexpr std::size_t kMaxSlips = 2;  // letters too many, missing or wrong in a name that is meant

/// One choice of a shape: the infrastructure's, or that of a node group.
struct ShapeChoice {
  FieldPath name, details;
  const std::string& shapeName;
  const std::optional<ShapeConfig>& config;
};

/// A name without what people write in different ways.
std::string bare(std::string_view name) {
  std::string text;
  for (const char c : upperCased(std::string(name)))
    if (c != ' ' && c != '_' && c != '-' && c != '.') text += c;
  return text;
}

bool isKnownSeries(const std::string& name) {
  return name.ends_with(".Generic");  // VM.Standard.AMD.Generic and its like: any machine of a kind
}

std::string digitsOf(std::string_view name) {
  std::string digits;
  std::copy_if(name.begin(), name.end(), std::back_inserter(digits), [](char c) {
    return isDigits({&c, 1});
  });
  return digits;
}

/// The one shape that a misspelt name means; empty when there is none, or several are as near. Another number
/// is another size or a newer series, never a slip.
std::string meantShape(std::string_view name, const std::vector<std::string>& near) {
  std::string meant;
  std::size_t min = kMaxSlips + 1;
  for (const std::string& candidate : near) {
    if (digitsOf(candidate) != digitsOf(name)) continue;
    const std::size_t distance = wordDistance(bare(name), bare(candidate), kMaxSlips);
    if (distance == min) meant.clear();
    if (distance >= min) continue;
    min = distance;
    meant = candidate;
  }
  return meant;
}

/// Whether the catalogue or the form of the name tells what shape it is.
bool checkName(const CheckContext& c, const ShapeChoice& choice) {
  const ShapeCatalogue& catalogue = ShapeCatalogue::builtIn();
  if (catalogue.find(choice.shapeName) || isKnownSeries(choice.shapeName)) return true;
  std::string near;
  const std::vector<std::string> names = catalogue.nearestNames(choice.shapeName);
  const std::string meant = meantShape(choice.shapeName, names);
  for (const std::string& name : names) near += (near.empty() ? "" : ", ") + name;
  c.issues.warning("shape-unknown", choice.name,
                   fmt::format("{} is {}, which the catalogue of {} does not have", choice.name.toString(),
                               shown(choice.shapeName), catalogue.asOf()),
                   near.empty() ? "check its spelling; a newer shape may be right"
                                : "near it are: " + near + "; a newer shape may be right");
  if (!meant.empty()) c.issues.fix("use " + meant, {{Kind::Set, choice.name, meant}});
  return false;
}

void checkFixed(const CheckContext& c, const ShapeChoice& choice) {
  if (!choice.config) return;
  c.issues.error("shape-details", choice.details,
                 fmt::format("{} is given, but the shape {} is of a fixed size", choice.details.toString(),
                             shown(choice.shapeName)),
                 "remove it, or choose a shape whose name ends in Flex");
  c.issues.fix("remove it", {{Kind::Remove, choice.details, {}}});
}

/// What is missing, small enough for every flex shape.
std::vector<FixStep> missingDetails(const ShapeChoice& choice) {
  const double ocpus = choice.config ? choice.config->ocpus.value_or(2) : 2;
  std::vector<FixStep> steps;
  if (!choice.config || !choice.config->ocpus)
    steps.push_back({Kind::SetBare, choice.details.child("ocpus"), "2"});
  if (!choice.config || !choice.config->memoryInGBs) {
    const double memory = std::clamp(ocpus * 16, 1.0, 256.0);
    steps.push_back({Kind::SetBare, choice.details.child("memoryInGBs"), fmt::format("{}", memory)});
  }
  return steps;
}

void warnRange(const CheckContext& c, const FieldPath& path, double value, double min, double max,
               const std::string& shape, const char* unit) {
  if (value <= 0 || (value >= min && value <= max)) return;
  c.issues.warning(
      "shape-range", path,
      fmt::format("{} is {}; the shape {} takes {} to {}{}", path.toString(), value, shape, min, max, unit),
      "choose a value within the shape's range");
}

void checkRange(const CheckContext& c, const ShapeChoice& choice, const FlexRange& range) {
  const ShapeConfig& config = *choice.config;
  const FieldPath memoryPath = choice.details.child("memoryInGBs");
  warnRange(c, choice.details.child("ocpus"), config.ocpus.value_or(range.minOcpus), range.minOcpus,
            range.maxOcpus, choice.shapeName, "");
  const double memory = config.memoryInGBs.value_or(range.minMemoryInGBs);
  warnRange(c, memoryPath, memory, range.minMemoryInGBs, range.maxMemoryInGBs, choice.shapeName, " GB");
  if (!config.ocpus || !config.memoryInGBs || *config.ocpus <= 0 || memory <= 0 ||
      memory > range.maxMemoryInGBs)
    return;
  const double perOcpu = memory / *config.ocpus;
  if (perOcpu >= range.minMemoryPerOcpu && perOcpu <= range.maxMemoryPerOcpu) return;
  c.issues.warning(
      "shape-memory", memoryPath,
      fmt::format("{} is {} for {} OCPU; the shape {} takes {} to {} GB for each OCPU", memoryPath.toString(),
                  memory, *config.ocpus, choice.shapeName, range.minMemoryPerOcpu, range.maxMemoryPerOcpu),
      fmt::format("choose {} to {} GB, or another number of OCPUs", *config.ocpus * range.minMemoryPerOcpu,
                  std::min(*config.ocpus * range.maxMemoryPerOcpu, range.maxMemoryInGBs)));
}

void checkBaseline(const CheckContext& c, const ShapeChoice& choice) {
  if (!choice.config->cpuBaseline) return;
  for (const char* good : {"BASELINE_1_8", "BASELINE_1_2", "BASELINE_1_1"})
    if (*choice.config->cpuBaseline == good) return;
  const FieldPath path = choice.details.child("cpuBaseline");
  c.issues.warning("cpu-baseline", path,
                   fmt::format("{} is {}, which the service does not know", path.toString(),
                               shown(*choice.config->cpuBaseline)),
                   "use BASELINE_1_8, BASELINE_1_2 or BASELINE_1_1");
}

void checkFlex(const CheckContext& c, const ShapeChoice& choice) {
  if (!choice.config || !choice.config->ocpus || !choice.config->memoryInGBs) {
    const bool given = c.tree.find(choice.details).has_value();
    c.issues.warning(
        "shape-details", given ? choice.details : choice.name,
        fmt::format("the flex shape {} needs to know its OCPUs and its memory", shown(choice.shapeName)),
        "add shapeConfigDetails: {ocpus: 2, memoryInGBs: 32}");
    c.issues.fix("add what is missing, 16 GB for each OCPU", missingDetails(choice));
  }
  if (!choice.config) return;
  if (choice.config->ocpus.value_or(1) <= 0)
    c.issues.error("out-of-range", choice.details.child("ocpus"), "ocpus must be more than 0");
  if (choice.config->memoryInGBs.value_or(1) <= 0)
    c.issues.error("out-of-range", choice.details.child("memoryInGBs"), "memoryInGBs must be more than 0");
  checkBaseline(c, choice);
  const Shape* shape = ShapeCatalogue::builtIn().find(choice.shapeName);
  if (shape && shape->flex) checkRange(c, choice, *shape->flex);
}

void checkShape(const CheckContext& c, const ShapeChoice& choice) {
  if (hasPlaceholder(choice.shapeName)) return;
  const bool isKnown = checkName(c, choice);
  // Of a name that nobody knows, only the form tells anything; that of a misspelt one tells the wrong thing.
  if (choice.shapeName.ends_with("Flex"))
    checkFlex(c, choice);
  else if (isKnown && !isKnownSeries(choice.shapeName))
    checkFixed(c, choice);
}

void checkStorageSize(const CheckContext& c, const FieldPath& path, const std::optional<long long>& size) {
  if (size.value_or(kMinBlockStorageInGBs) >= kMinBlockStorageInGBs) return;
  c.issues.error(
      "out-of-range", path,
      fmt::format("{} is {}; a node has at least {} GB", path.toString(), *size, kMinBlockStorageInGBs),
      "write 50 or more");
  c.issues.fix("write 50", {{Kind::SetBare, path, "50"}});
}

void checkMounts(const CheckContext& c) {
  const FieldPath path = infrastructureField(c.tree, "storageMount");
  const auto& mounts = c.spec.infrastructure.storageMounts;
  if (mounts.size() > kMaxMounts)
    c.issues.error("out-of-range", path,
                   fmt::format("{} storage mounts; the service takes {}", mounts.size(), kMaxMounts));
  std::set<std::string> folders;
  for (const StorageMount& mount : mounts) {
    if (hasPlaceholder(mount.src)) continue;
    if (mount.src.starts_with("oci://")) {
      if (const std::string problem = workDirProblem(mount.src); !problem.empty())
        c.issues.error("mount-source", path,
                       fmt::format("the storage mount {} cannot be found: {}", shown(mount.src), problem),
                       "write oci://bucket@namespace/prefix");
    } else if (mount.src.find(':') == std::string::npos) {
      c.issues.error(
          "mount-source", path,
          fmt::format("the storage mount {} is neither a bucket nor a file system", shown(mount.src)),
          "write oci://bucket@namespace/prefix, or MOUNT_TARGET:EXPORT");
    }
    if (!folders.insert(mount.dest).second)
      c.issues.error("mount-target", path,
                     fmt::format("two storage mounts go to the same folder {}", shown(mount.dest)),
                     "give each a folder of its own");
  }
}

void checkGroup(const CheckContext& c, const char* role, const NodeGroupSpec& group) {
  const FieldPath path = field::nodeGroup(role);
  if (group.shapeName)
    checkShape(
        c, {path.child("shapeName"), path.child("shapeConfigDetails"), *group.shapeName, group.shapeConfig});
  checkStorageSize(c, path.child("blockStorageSize"), group.blockStorageSizeInGBs);
}

}  // namespace

void checkShapes(const CheckContext& c) {
  const Infrastructure& infra = c.spec.infrastructure;
  if (infra.shapeName)
    checkShape(c, {infrastructureField(c.tree, "shapeName"),
                   infrastructureField(c.tree, "shapeConfigDetails"), *infra.shapeName, infra.shapeConfig});
  checkStorageSize(c, infrastructureField(c.tree, "blockStorageSize"), infra.blockStorageSizeInGBs);
  checkMounts(c);
  if (!c.spec.multiNode) return;
  checkGroup(c, "main", c.spec.multiNode->main);
  checkGroup(c, "worker", c.spec.multiNode->worker);
  checkGroup(c, "ps", c.spec.multiNode->parameterServer);
}

}  // namespace lockstep
