// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/rehearsal_launch.h"

#include "base/json_fields.h"
#include "launch/code_snapshot.h"
#include "launch/rehearsable.h"
#include "launch/rehearsal_code.h"
#include "launch/rehearsal_needs.h"
#include "plan/job_field.h"
#include "workdir/work_dir_uri.h"

namespace lockstep {
namespace {

TenancyIds placesOf(const Plan& plan) {
  TenancyIds places;
  places.workDir = plan.workDir;
  for (const PlannedRequest& request : plan.requests) {
    if (request.operation != "CreateJob") continue;
    places.compartmentId = stringField(request.body, "compartmentId");
    places.projectId = stringField(request.body, "projectId");
    const auto& infrastructure = objectField(request.body, job_field::kInfrastructure);
    const auto& logs = objectField(request.body, job_field::kLogs);
    places.subnetId = stringField(infrastructure, "subnetId");
    places.logGroupId = stringField(logs, "logGroupId");
    places.logId = stringField(logs, "logId");
  }
  return places;
}

bool sameBucket(const std::string& a, const std::string& b) {
  const auto first = parseWorkDirUri(a);
  const auto second = parseWorkDirUri(b);
  return first && second && first->bucket == second->bucket && first->nameSpace == second->nameSpace &&
         first->scheme == second->scheme;
}

/// Where the region of a profile keeps the copies; empty: it is not one of this machine.
std::filesystem::path copiesOf(const oci::Profile& profile) {
  const std::filesystem::path state = profile.keyFile.parent_path();
  std::error_code error;
  const bool isHere = !profile.endpoint.empty() && std::filesystem::exists(state / "region.json", error);
  return isHere ? state / "code" : std::filesystem::path();
}

}  // namespace

MovedPlan movedToRehearsal(const Plan& plan, const RehearsalInfo& region) {
  const TenancyIds own = placesOf(plan);
  TenancyIds places = region.places;
  if (sameBucket(own.workDir, places.workDir)) places.workDir = own.workDir;
  MovedPlan moved;
  const auto compare = [&](const char* what, const std::string& from, const std::string& to) {
    if (from != to && !to.empty()) moved.replaced.push_back({what, from, to});
  };
  compare("compartmentId", own.compartmentId, places.compartmentId);
  compare("projectId", own.projectId, places.projectId);
  compare("subnetId", own.subnetId, places.subnetId);
  compare("logGroupId", own.logGroupId, places.logGroupId);
  compare("logId", own.logId, places.logId);
  compare("workDir", own.workDir, places.workDir);
  moved.plan = moved.replaced.empty() ? plan : movedTo(plan, places);
  return moved;
}

Result<void> readyToRehearse(const Plan& plan, const std::filesystem::path& codeFolder,
                             const std::stop_token& stop) {
  if (auto fits = rehearsable(plan); !fits) return fits;
  return rehearsalNeeds(plan, codeFolder, stop);
}

Result<TrainingRun> launchWithCode(RunServices& services, LaunchRequest request,
                                   const std::filesystem::path& codeFolder,
                                   const LaunchProgressHandler& progress, const std::stop_token& stop) {
  const std::filesystem::path copies = copiesOf(services.profile());
  if (copies.empty() || !usesCode(request.plan, codeFolder))
    return services.launcher()->launch(request, progress, stop);
  progress({0, static_cast<int>(request.plan.requests.size()), LaunchStage::CopyingCode});
  const auto copy = takeSnapshot(codeFolder, copies, stop);
  if (!copy) return failure(copy.error());
  request.plan = withCode(std::move(request.plan), *copy);
  auto run = services.launcher()->launch(request, progress, stop);
  if (!run) removeSnapshot(copies, *copy);
  return run;
}

}  // namespace lockstep
