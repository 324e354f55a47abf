// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/launch_session.h"

#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "launch/rehearsal_code.h"

namespace lockstep {
namespace {

namespace fs = std::filesystem;

/// Of a text that is in no file, no folder is known: none may stand for /code by accident.
bool isFolderKnown(const LaunchInput& input) {
  return !input.file.empty() || !input.codeFolder.empty();
}

std::string absoluteFile(const std::string& file) {
  if (file.empty() || file == "-") return {};
  std::error_code error;
  return fs::absolute(file, error).string();
}

/// Wherever variables of nodes stand; how many places that were.
int setVariable(nlohmann::ordered_json& json, const std::string& name, const std::string& value) {
  int places = 0;
  if (json.is_object() && json.contains("environmentVariables") && json["environmentVariables"].is_object()) {
    json["environmentVariables"][name] = value;
    ++places;
  }
  if (json.is_structured())
    for (auto& part : json) places += setVariable(part, name, value);
  return places;
}

void setVariables(Plan& plan, const std::map<std::string, std::string>& variables) {
  for (const auto& [name, value] : variables) {
    int places = 0;
    for (PlannedRequest& request : plan.requests) places += setVariable(request.body, name, value);
    if (places == 0 && !plan.requests.empty())
      plan.requests.front().body["jobConfigurationDetails"]["environmentVariables"][name] = value;
  }
}

PlanOptions planOptions(const LaunchInput& input, bool rehearsing) {
  PlanOptions options;
  options.image = input.image;
  options.generatedName = input.name;  // a job without a name of its own is launched again under its old one
  options.draft = rehearsing;
  return options;
}

}  // namespace

Result<PreparedLaunch> prepareLaunch(const ClusterDocument& document, const LaunchInput& input,
                                     const LaunchTarget& target) {
  PreparedLaunch prepared;
  prepared.rehearsing = target.rehearsal.has_value();
  auto plan = makePlan(document, planOptions(input, prepared.rehearsing));
  if (!plan) return failure(std::move(plan.error()));
  LaunchRequest& request = prepared.request;
  request.name = input.name.empty() ? plan->requests.front().body.value("displayName", "run") : input.name;
  request.plan = *std::move(plan);
  setVariables(request.plan, input.variables);
  request.trainYaml = document.text();
  request.trainFile = absoluteFile(input.file);
  request.image = input.image;
  request.sweep = input.sweep;
  request.sweepPoint = input.sweepPoint;
  if (!request.trainFile.empty()) request.code = codeVersionOf(fs::path(request.trainFile).parent_path(), {});
  prepared.codeFolder = "/nonexistent";
  if (!isFolderKnown(input)) return prepared;
  prepared.codeFolder = codeFolderOf(input.file, input.codeFolder);
  request.codeFolder = prepared.codeFolder.string();
  return prepared;
}

Result<void> readyToLaunch(const PreparedLaunch& prepared, const std::stop_token& stop) {
  if (!prepared.rehearsing) return {};
  return readyToRehearse(prepared.request.plan, prepared.codeFolder, stop);
}

std::vector<Replacement> moveToTarget(PreparedLaunch& prepared, const StartedTarget& target) {
  if (!target.rehearsal) return {};
  MovedPlan moved = movedToRehearsal(prepared.request.plan, *target.rehearsal);
  prepared.request.plan = std::move(moved.plan);
  return std::move(moved.replaced);
}

Result<RunServices> servicesFor(PreparedLaunch& prepared, const StartedTarget& target,
                                const std::stop_token& stop) {
  auto store = openRunStore();
  if (!store) return failure(std::move(store.error()));
  auto services = RunServices::open(target.query, *std::move(store));
  if (!services) return services;
  if (!prepared.rehearsing && !services->profile().endpoint.empty()) {  // a region, by its profile
    if (auto is = readyToRehearse(prepared.request.plan, prepared.codeFolder, stop); !is)
      return failure(std::move(is.error()));
  }
  prepared.request.configFile = services->profile().configFile.string();
  prepared.request.profile = services->profile().name;
  return services;
}

Result<TrainingRun> launchPrepared(RunServices& services, PreparedLaunch prepared,
                                   const LaunchProgressHandler& progress, const std::stop_token& stop) {
  return launchWithCode(services, std::move(prepared.request), prepared.codeFolder, progress, stop);
}

}  // namespace lockstep
