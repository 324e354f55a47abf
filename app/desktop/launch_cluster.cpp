// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/launch_cluster.h"

#include <algorithm>
#include <filesystem>

#include "app/desktop/run_access.h"
#include "cluster/cluster_document.h"
#include "launch/rehearsal_code.h"
#include "launch/rehearsal_launch.h"
#include "plan/plan.h"

namespace lockstep {
namespace {

/// The cluster's own name, or the job's, or the file's.
std::string runName(const ClusterDocument& document, const LaunchAsk& ask) {
  const ClusterSpec& spec = document.spec();
  if (spec.clusterName && !spec.clusterName->empty()) return *spec.clusterName;
  if (spec.infrastructure.displayName && !spec.infrastructure.displayName->empty()) {
    return *spec.infrastructure.displayName;
  }
  const std::filesystem::path file(ask.fileName);
  return file.stem() == "train" && file.has_parent_path() ? file.parent_path().filename().string()
                                                          : file.stem().string();
}

bool prevents(const Issue& issue, bool rehearsing) {
  return issue.severity == Severity::Error && !(rehearsing && isUnfinished(issue));
}

/// What stands in the way of a launch; a rehearsal puts the region's own ids in the place of placeholders.
std::optional<Status> refusal(const ClusterDocument& document, bool rehearsing) {
  const auto& issues = document.issues();
  const auto counts = [rehearsing](const Issue& issue) { return prevents(issue, rehearsing); };
  const auto first = std::find_if(issues.begin(), issues.end(), counts);
  if (first == issues.end()) return std::nullopt;
  const auto errors = std::count_if(issues.begin(), issues.end(), counts);
  const std::string more = errors > 1 ? " (and " + std::to_string(errors - 1) + " more, listed below)" : "";
  return Status{StatusCode::InvalidArgument, "the cluster cannot be launched",
                first->message + more,       first->remedy,
                first->field.toString(),     std::nullopt};
}

/// The folder that stands for /code; of a file that is not saved there is none.
std::filesystem::path codeFolderFor(const LaunchAsk& ask) {
  return ask.fileName.empty() ? std::filesystem::path("/nonexistent") : codeFolderOf(ask.fileName);
}

Result<void> ready(const Plan& plan, const LaunchAsk& ask, const std::stop_token& stop) {
  auto is = readyToRehearse(plan, codeFolderFor(ask), stop);
  if (is || !ask.fileName.empty() || is.error().code != StatusCode::NotFound) return is;
  Status status = is.error();
  status.cause = "the folder of the file stands for /code in a rehearsal, and this one is not saved yet";
  status.remedy = "save it in the folder of its script";
  return failure(std::move(status));
}

/// The plan on the region of the profile, which is started when it does not run.
Result<Plan> movedToRegion(Plan plan, const oci::ProfileQuery& query, const LaunchProgressHandler& progress,
                           const std::stop_token& stop) {
  progress({0, static_cast<int>(plan.requests.size()), "starting the rehearsal region"});
  const auto region = ensureRehearsal(query, stop);
  if (!region) return failure(region.error());
  return movedToRehearsal(plan, *region).plan;
}

}  // namespace

Result<RehearsalInfo> ensureRehearsal(const oci::ProfileQuery& query, const std::stop_token& stop) {
  return startRehearsal(rehearsalFor(query), stop);
}

Result<TrainingRun> launchCluster(const LaunchAsk& ask, const LaunchProgressHandler& progress,
                                  const std::stop_token& stop) {
  const ClusterDocument document(ask.text);
  const oci::ProfileQuery query = oci::resolved(ask.query);
  PlanOptions options;
  options.draft = rehearsalOf(query).has_value();
  if (const auto why = refusal(document, options.draft)) return failure(*why);
  auto plan = makePlan(document, options);
  if (plan && options.draft) {
    if (auto is = ready(*plan, ask, stop); !is) return failure(is.error());
    plan = movedToRegion(*std::move(plan), query, progress, stop);
  }
  if (!plan) return failure(plan.error());
  auto store = openRunStore();
  if (!store) return failure(store.error());
  auto services = RunServices::open(query, *store);
  if (!services) return failure(services.error());
  LaunchRequest request;
  request.plan = std::move(*plan);
  request.name = runName(document, ask);
  request.trainYaml = ask.text;
  request.configFile = query.configFile;
  request.profile = query.profile;
  return launchWithCode(*services, std::move(request), codeFolderFor(ask), progress, stop);
}

}  // namespace lockstep
