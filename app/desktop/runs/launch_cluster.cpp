// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/runs/launch_cluster.h"

#include <algorithm>
#include <utility>

#include "cluster/document/cluster_document.h"
#include "launch/launch_session.h"
#include "plan/plan.h"

namespace lockstep {
namespace {

/// Why a document with errors cannot be planned, for somebody who has them in a list.
std::optional<Error> refusal(const ClusterDocument& document, bool rehearsing) {
  const auto& issues = document.issues();
  const auto counts = [rehearsing](const Issue& issue) {
    return issue.severity == Severity::Error && !(rehearsing && isUnfinished(issue));
  };
  const auto first = std::find_if(issues.begin(), issues.end(), counts);
  if (first == issues.end()) return std::nullopt;
  const auto errors = std::count_if(issues.begin(), issues.end(), counts);
  const std::string more = errors > 1 ? " (and " + std::to_string(errors - 1) + " more, listed below)" : "";
  return Error{ErrorCode::InvalidArgument, "the cluster cannot be launched",
               first->message + more,      first->remedy,
               first->field.toString(),    std::nullopt};
}

Result<PreparedLaunch> preparedText(const LaunchAsk& ask, const LaunchTarget& target) {
  const ClusterDocument document(ask.text);
  auto prepared = prepareLaunch(document, {ask.fileName, ask.codeFolder, ask.image, ask.name}, target);
  if (prepared) return prepared;
  if (auto why = refusal(document, target.rehearsal.has_value())) return failure(*std::move(why));
  return prepared;
}

Result<void> ready(const PreparedLaunch& prepared, const LaunchAsk& ask, const std::stop_token& stop) {
  auto is = readyToLaunch(prepared, stop);
  const bool isFolderKnown = !prepared.request.codeFolder.empty();
  if (is || isFolderKnown || is.error().code != ErrorCode::NotFound) return is;
  Error error = is.error();
  if (!ask.name.empty()) {
    error.cause = "the run does not say which folder stood for /code: an earlier Lockstep launched it";
    error.remedy = "open its train.yaml and launch that";
    return failure(std::move(error));
  }
  error.cause = "the folder of the file stands for /code in a rehearsal, and this one is not saved yet";
  error.remedy = "save it in the folder of its script";
  return failure(std::move(error));
}

/// The target, ready to be asked; of a rehearsal, after a look at this machine and with the region running.
Result<StartedTarget> started(const LaunchTarget& target, const PreparedLaunch& prepared,
                              const LaunchAsk& ask, const LaunchProgressHandler& progress,
                              const std::stop_token& stop) {
  const int total = static_cast<int>(prepared.request.plan.requests.size());
  if (prepared.rehearsing) progress({0, total, LaunchStage::CheckingMachine});
  if (auto is = ready(prepared, ask, stop); !is) return failure(std::move(is.error()));
  if (prepared.rehearsing) progress({0, total, LaunchStage::StartingRegion});
  return startTarget(target, stop);
}

}  // namespace

Result<RehearsalInfo> ensureRehearsal(const oci::ProfileQuery& query, const std::stop_token& stop) {
  return startRehearsal(rehearsalFor(query), stop);
}

Result<TrainingRun> launchCluster(const LaunchAsk& ask, const LaunchProgressHandler& progress,
                                  const std::stop_token& stop) {
  const LaunchTarget chosen = chosenTarget({ask.query, {}, {}});
  auto prepared = preparedText(ask, chosen);
  if (!prepared) return failure(std::move(prepared.error()));
  const auto target = started(chosen, *prepared, ask, progress, stop);
  if (!target) return failure(target.error());
  moveToTarget(*prepared, *target);
  auto services = servicesFor(*prepared, *target, stop);
  if (!services) return failure(std::move(services.error()));
  return launchPrepared(*services, *std::move(prepared), progress, stop);
}

}  // namespace lockstep
