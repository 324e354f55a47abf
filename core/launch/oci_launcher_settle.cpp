// SPDX-License-Identifier: GPL-3.0-or-later
// The part of OciLauncher that deals with launches whose process died on the way.
#include <fmt/format.h>

#include <algorithm>

#include "base/json_fields.h"
#include "launch/job_run_rows.h"
#include "launch/oci_launcher.h"
#include "launch/stop_after.h"

namespace lockstep {
namespace {

// The service keeps retry tokens for 24 hours (oci-rest-contract 3.1); after that the request would make a
// second job.
constexpr std::chrono::hours kTokenLifetime{23};
constexpr std::chrono::seconds kListingDelay{1};  // until a job run that was just created shows in a listing

bool refusedForGood(const Error& error) {
  const int http = error.service ? error.service->httpStatus : 0;
  return http >= 400 && http < 500 && http != 401 && http != 408 && http != 429;
}

std::size_t created(const TrainingRun& run) {
  return static_cast<std::size_t>(
      std::count_if(run.nodes.begin(), run.nodes.end(), [](const NodeRun& n) { return !n.id.empty(); }));
}

void closeWith(TrainingRun& run, const std::string& what, TimePoint now) {
  run.failure = "the launch was cut short, because the process that launched it ended: " + what;
  run.finished = now;
}

}  // namespace

bool OciLauncher::isCutShort(const TrainingRun& run) const {
  return !run.launchComplete && run.failure.empty() && !run.finished && !store_->isBeingLaunched(run.id);
}

// The same request with the same token gives the job that it made, or makes it now if it never arrived.
Result<void> OciLauncher::findJob(TrainingRun& run, const std::stop_token& stop) {
  auto body = store_->keptJobRequest(run.id);
  if (!body) return failure(std::move(body.error()));
  if (!*body || clock_->now() - run.created > kTokenLifetime) {
    closeWith(run, "whether its job was created cannot be found out any more; it would have no job runs",
              clock_->now());
    return {};
  }
  auto answer =
      jobs_.createJob(nlohmann::ordered_json::parse(**body, nullptr, false), run.jobRetryToken, stop);
  if (answer) {
    run.jobId = JobId(stringField(*answer, "id"));
    return store_->save(run);
  }
  if (!refusedForGood(answer.error())) return failure(std::move(answer.error()));
  closeWith(run, "its job was not created: " + answer.error().what, clock_->now());
  return {};
}

Result<void> OciLauncher::endCutShort(TrainingRun& run, const std::stop_token& stop) {
  if (created(run) == 0) {
    auto deleted = jobs_.deleteJob(run.jobId.value, stop);
    const bool gone = deleted || refusedForGood(deleted.error());
    if (!gone) return failure(std::move(deleted.error()));
    closeWith(run, "it had no job runs yet, and its job was deleted again", clock_->now());
    return {};
  }
  auto problems = cancelLiveNodes(run, stop);
  if (!problems.empty()) return failure(std::move(problems.front()));
  closeWith(
      run,
      fmt::format("{} of {} job runs had been created and were cancelled", created(run), run.nodes.size()),
      clock_->now());
  return {};
}

Result<void> OciLauncher::settle(TrainingRun& run, const std::stop_token& stop) {
  auto mark = store_->markLaunching(run.id);  // one at a time, and not while it is being launched after all
  if (!mark) return {};
  if (auto stored = store_->find(run.id.value); stored && stored->id == run.id)
    run = mergedRun(*stored, std::move(run));  // what came to be before the mark was ours
  if (run.launchComplete || !run.failure.empty() || run.finished) return {};
  if (run.jobId.empty()) {
    if (auto found = findJob(run, stop); !found) return found;
  }
  if (!run.jobId.empty()) {
    clock_->sleepFor(kListingDelay, stop);
    auto rows = jobs_.listJobRuns(run.compartmentId, run.jobId.value, stop);
    if (!rows) return failure(std::move(rows.error()));
    applyJobRuns(run, *rows);
    run.launchComplete = created(run) == run.nodes.size();
    if (auto saved = store_->save(run); !saved) return saved;
    if (run.launchComplete) return {};
    if (auto ended = endCutShort(run, stop); !ended) return ended;
  }
  return store_->save(run);
}

}  // namespace lockstep
