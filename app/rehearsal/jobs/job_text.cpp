// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/jobs/job_text.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

namespace lockstep::rehearsal {
namespace {

// Limits of oci-rest-contract 4.5 and 7.
constexpr std::size_t kEnvironmentCharacters = 20000;
constexpr std::size_t kArgumentCharacters = 4000;
constexpr std::size_t kCommandBytes = 2048;
constexpr double kSmallestBlockStorage = 50, kLargestBlockStorage = 10240;

}  // namespace

std::string defaultName(const std::string& prefix, TimePoint now) {
  const std::time_t seconds = std::chrono::floor<std::chrono::seconds>(now).time_since_epoch().count();
  return fmt::format("{}{:%Y%m%d%H%M%S}", prefix, fmt::gmtime(seconds));
}

nlohmann::json readTags(BodyReader& body) {
  nlohmann::json tags{{"freeformTags", body.textMap("freeformTags")},
                      {"definedTags", nlohmann::json::object()}};
  if (body.has("definedTags")) tags["definedTags"] = body.object("definedTags").json();
  return tags;
}

ListStyle dataScienceList(const std::string& kind, const std::string& parentParameter) {
  return {kind, 100, "timeCreated", "displayName", "displayName", parentParameter};
}

void checkConfiguration(BodyReader& part) {
  if (part.choice("jobType", {"DEFAULT", "EMPTY"}) != "DEFAULT") return;
  std::size_t characters = 0;
  const nlohmann::json variables = part.textMap("environmentVariables");
  for (const auto& [name, value] : variables.items()) {
    if (name.empty() || name.find('=') != std::string::npos)
      part.invalid("environmentVariables", "'" + name + "' is no name of a variable");
    if (value.is_string()) characters += name.size() + value.get_ref<const std::string&>().size();
  }
  if (characters > kEnvironmentCharacters)
    part.invalid("environmentVariables",
                 fmt::format("names and values have {} characters together, more than {}", characters,
                             kEnvironmentCharacters));
  part.optionalText("commandLineArguments", kArgumentCharacters);
  part.optionalNumber("maximumRuntimeInMinutes", 1, 60.0 * 24 * 365);
}

namespace {

void checkShape(BodyReader& part) {
  const std::string shape = part.text("shapeName");
  if (!shape.empty() && findJobShape(shape) == nullptr)
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

}  // namespace

void checkInfrastructure(BodyReader& part) {
  const std::string type = part.choice("jobInfrastructureType", {"STANDALONE", "ME_STANDALONE", "MULTI_NODE",
                                                                 "MANAGED_COMPUTE_CLUSTER", "EMPTY"});
  if (type == "STANDALONE") {
    part.text("subnetId");
    checkShape(part);
  } else if (type == "ME_STANDALONE") {
    if (part.has("subnetId"))
      part.invalid("subnetId", "managed egress has no subnet of yours; use STANDALONE");
    checkShape(part);
  } else if (!type.empty()) {
    part.invalid("jobInfrastructureType",
                 "a job of one node needs STANDALONE or ME_STANDALONE, this is " + type);
  }
}

void checkEnvironment(BodyReader& part) {
  part.choice("jobEnvironmentType", {"OCIR_CONTAINER"});
  part.text("image", 4000);
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

}  // namespace lockstep::rehearsal
