// SPDX-License-Identifier: GPL-3.0-or-later
// The half of OciLauncher that looks at a run and ends it.
#include <fmt/format.h>

#include <algorithm>

#include "base/outside_json.h"
#include "launch/first_failure.h"
#include "launch/job_run_rows.h"
#include "launch/oci_launcher.h"
#include "oci/storage/object_storage_client.h"
#include "workdir/work_dir_uri.h"

namespace lockstep {
namespace {

using nlohmann::json;
using namespace std::chrono_literals;

constexpr auto kCancelPollInterval = 500ms;
constexpr auto kPeersGrace = 10s;  // the node agents end their ranks by themselves, with a better message
constexpr std::size_t kMaxFailureBytes = 256 << 10;
constexpr auto kListingLag =
    std::chrono::minutes(2);  // until then a new job run may be missing from a listing

bool anyNodeFailed(const TrainingRun& run) {
  return std::any_of(run.nodes.begin(), run.nodes.end(),
                     [](const NodeRun& n) { return n.state == JobRunState::Failed; });
}

std::string liveNames(const TrainingRun& run) {
  std::string names;
  for (const NodeRun& node : run.nodes) {
    if (node.id.empty() || isTerminal(node.state)) continue;
    names += fmt::format("{}{} ({})", names.empty() ? "" : ", ", node.displayName, toString(node.state));
  }
  return names;
}

bool isMissing(const Error& error) {
  return error.code == ErrorCode::NotFound || (error.service && error.service->httpStatus == 404);
}

}  // namespace

Result<TrainingRun> OciLauncher::refresh(TrainingRun run, const std::stop_token& stop) {
  // What another process learned or asked for in the meantime, a cancel above all.
  if (auto stored = store_->find(run.id.value); stored && stored->id == run.id)
    run = mergedRun(*stored, std::move(run));
  if (isCutShort(run)) {
    if (auto settled = settle(run, stop); !settled) return failure(std::move(settled.error()));
  }
  if (run.jobId.empty()) return run;
  const json before = toJson(run);
  auto updated = update(run, stop);
  if (toJson(run) != before) {
    if (auto saved = store_->save(run); !saved) return failure(std::move(saved.error()));
  }
  if (!updated) return failure(std::move(updated.error()));
  return run;
}

Result<void> OciLauncher::update(TrainingRun& run, const std::stop_token& stop) {
  auto rows = jobs_.listJobRuns(run.compartmentId, run.jobId.value, stop);
  if (!rows) return failure(std::move(rows.error()));
  auto result = resolveMissing(run, applyJobRuns(run, *rows), stop);
  if (result) result = refreshGroups(run, stop);
  if (result && !run.launchComplete && !run.failure.empty()) {  // rolled back, but one turned up afterwards
    if (auto problems = cancelLiveNodes(run, stop); !problems.empty()) result = failure(problems.front());
  } else if (result && anyNodeFailed(run) && !run.cancelRequested) {
    result = handleFailure(run, stop);
  }
  if (!run.finished && isTerminal(stateOf(run)) && allNodesEnded(run)) {
    run.finished = lastFinished(run).value_or(clock_->now());
  }
  return result;
}

// Only the whole job run tells how its node groups are.
Result<void> OciLauncher::refreshGroups(TrainingRun& run, const std::stop_token& stop) {
  for (NodeRun& node : run.nodes) {
    if (node.nodes <= 1 || node.id.empty() || node.state == JobRunState::Deleted) continue;
    auto row = jobs_.getJobRun(node.id.value, stop);
    if (!row && isMissing(row.error())) continue;
    if (!row) return failure(std::move(row.error()));
    applyJobRun(node, *row);
  }
  return {};
}

// A listing may lag behind a create; a job run that is gone for good was deleted by somebody.
Result<void> OciLauncher::resolveMissing(TrainingRun& run, const std::vector<std::size_t>& missing,
                                         const std::stop_token& stop) {
  for (const std::size_t index : missing) {
    NodeRun& node = run.nodes[index];
    if (isTerminal(node.state)) continue;
    auto row = jobs_.getJobRun(node.id.value, stop);
    if (row) {
      applyJobRun(node, *row);
    } else if (!isMissing(row.error())) {
      return failure(std::move(row.error()));
    } else if (clock_->now() - run.created > kListingLag) {
      node.state = JobRunState::Deleted;
      node.details = "deleted in the service";
    }
  }
  return {};
}

Result<void> OciLauncher::handleFailure(TrainingRun& run, const std::stop_token& stop) {
  if (run.failure.empty()) run.failure = explainFailure(run, readFailureFile(run, stop));
  if (allNodesEnded(run) || !failedLongAgo(run)) return {};
  auto problems = cancelLiveNodes(run, stop);
  if (problems.empty()) return {};
  problems.front().what = fmt::format("cannot end the other nodes of the failed run '{}': {}", run.id.value,
                                      problems.front().what);
  return failure(std::move(problems.front()));
}

bool OciLauncher::failedLongAgo(const TrainingRun& run) {
  const TimePoint now = clock_->now();
  for (const NodeRun& node : run.nodes) {
    if (node.state == JobRunState::Failed && node.finished && now - *node.finished >= kPeersGrace)
      return true;
  }
  const std::lock_guard lock(mutex_);
  const SteadyPoint steady = clock_->steady();
  const SteadyPoint seen = failureSeen_.try_emplace(run.id, steady).first->second;  // the clocks may differ
  return steady - seen >= kPeersGrace;
}

std::optional<json> OciLauncher::readFailureFile(const TrainingRun& run, const std::stop_token& stop) {
  auto workDir = oci::openWorkDir(services_, run.workDir);
  if (!workDir) return std::nullopt;  // the service's own words explain the failure then
  auto bytes = (*workDir)->get(layout::failureFile(run.jobId.value), stop);
  if (!bytes) return std::nullopt;
  auto file = parseOutsideJson(*bytes, kMaxFailureBytes, "the first failure of the run");
  return file ? std::optional<json>(*std::move(file)) : std::nullopt;
}

Result<TrainingRun> OciLauncher::cancel(TrainingRun run, const std::stop_token& stop) {
  auto refreshed = refresh(std::move(run), stop);
  if (!refreshed) return refreshed;
  run = *std::move(refreshed);
  if (allNodesEnded(run) && isTerminal(stateOf(run))) return run;
  run.cancelRequested =
      true;  // stored first: killed here, the next look at the run still knows what was wanted
  if (auto saved = store_->save(run); !saved) return failure(std::move(saved.error()));
  auto problems = cancelLiveNodes(run, stop);
  while (problems.empty() && !allNodesEnded(run) && clock_->sleepFor(kCancelPollInterval, stop)) {
    if (auto next = refresh(run, stop)) {
      run = *std::move(next);
    } else {
      problems.push_back(std::move(next.error()));
    }
  }
  if (allNodesEnded(run) && !run.finished) run.finished = lastFinished(run).value_or(clock_->now());
  if (auto saved = store_->save(run); !saved) return failure(std::move(saved.error()));
  if (problems.empty()) return run;
  Error first = std::move(problems.front());
  first.what = fmt::format("run '{}' is not cancelled completely, still there: {}: {}", run.id.value,
                           liveNames(run), first.what);
  return failure(std::move(first));
}

}  // namespace lockstep
