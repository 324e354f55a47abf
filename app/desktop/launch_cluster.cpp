// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/launch_cluster.h"

#include <algorithm>
#include <filesystem>

#include "app/desktop/run_access.h"
#include "cluster/cluster_document.h"
#include "launch/rehearsable.h"
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

tl::unexpected<Status> refused(const ClusterDocument& document) {
  const auto& issues = document.issues();
  const auto first = std::find_if(issues.begin(), issues.end(),
                                  [](const Issue& issue) { return issue.severity == Severity::Error; });
  const auto errors = std::count_if(issues.begin(), issues.end(),
                                    [](const Issue& issue) { return issue.severity == Severity::Error; });
  const std::string more = errors > 1 ? " (and " + std::to_string(errors - 1) + " more, listed below)" : "";
  return failure(StatusCode::InvalidArgument, "the cluster cannot be launched", first->message + more,
                 first->remedy, first->field.toString());
}

}  // namespace

Result<RehearsalInfo> ensureRehearsal(const oci::ProfileQuery& query, const std::stop_token& stop) {
  return startRehearsal(rehearsalFor(query), stop);
}

Result<TrainingRun> launchCluster(const LaunchAsk& ask, const LaunchProgressHandler& progress,
                                  const std::stop_token& stop) {
  const ClusterDocument document(ask.text);
  if (hasErrors(document.issues())) return refused(document);
  auto plan = makePlan(document);
  if (!plan) return failure(plan.error());
  const oci::ProfileQuery query = oci::resolved(ask.query);
  if (rehearsalOf(query)) {
    if (auto fits = rehearsable(*plan); !fits) return failure(fits.error());
    progress({0, static_cast<int>(plan->requests.size()), "starting the rehearsal region"});
    auto region = ensureRehearsal(query, stop);
    if (!region) return failure(region.error());
    *plan = movedTo(std::move(*plan), region->places);
  }
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
  return services->launcher()->launch(request, progress, stop);
}

}  // namespace lockstep
