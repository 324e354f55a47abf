// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/oci_launcher.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/json_fields.h"
#include "launch/job_run_rows.h"
#include "launch/run_names.h"
#include "launch/stop_after.h"
#include "plan/job_field.h"

namespace lockstep {
namespace {

using nlohmann::json;
using namespace std::chrono_literals;

constexpr const char* kJobPlaceholder = "${job}";
constexpr auto kRollbackLimit = 30s;   // a rollback that cannot reach the service must not take for ever
constexpr auto kLostAnswerDelay = 1s;  // until a create whose answer was lost shows in a listing

bool outcomeUnknown(const Error& error) {
  return !error.service || error.service->httpStatus == 0 || error.service->httpStatus >= 500;
}

void readPlaces(TrainingRun& run, const nlohmann::ordered_json& job) {
  run.compartmentId = stringField(job, "compartmentId");
  run.projectId = stringField(job, "projectId");
  run.logGroupId = stringField(objectField(job, job_field::kLogs), "logGroupId");
  run.logId = stringField(objectField(job, job_field::kLogs), "logId");
}

/// One for each CreateJobRun: of one node, or of all nodes of a native multi-node job.
std::vector<NodeRun> plannedJobRuns(const Plan& plan) {
  std::vector<NodeRun> runs;
  const bool spans = plan.layout == "nodes";
  for (const PlannedRequest& request : plan.requests) {
    if (request.operation != "CreateJobRun") continue;
    NodeRun run;
    run.displayName = stringField(request.body, "displayName");
    run.retryToken = oci::newRetryToken();
    if (spans) run.nodes = static_cast<int>(plan.nodes.size());
    if (!spans && runs.size() < plan.nodes.size()) {
      run.role = plan.nodes[runs.size()].role;
      run.nodeRank = plan.nodes[runs.size()].nodeRank;
    }
    runs.push_back(std::move(run));
  }
  return runs;
}

/// Why a plan cannot be launched here, although it can be planned.
std::optional<Error> refusal(const LaunchRequest& request) {
  const Plan& plan = request.plan;
  if (plan.launchRefusal) return plan.launchRefusal;
  const auto runs = static_cast<std::size_t>(
      std::count_if(plan.requests.begin(), plan.requests.end(),
                    [](const PlannedRequest& r) { return r.operation == "CreateJobRun"; }));
  if (runs == (plan.layout == "nodes" ? 1 : plan.nodes.size()) && runs < plan.requests.size())
    return std::nullopt;
  return failure(ErrorCode::InvalidArgument, fmt::format("cannot launch '{}'", request.name),
                 fmt::format("the plan has {} job runs for {} nodes", runs, plan.nodes.size()))
      .value();
}

TrainingRun plannedRun(const LaunchRequest& request, TimePoint now) {
  TrainingRun run;
  run.name = request.name;
  run.configFile = request.configFile;
  run.profile = request.profile;
  run.workDir = request.plan.workDir;
  run.trainYaml = request.trainYaml;
  run.trainFile = request.trainFile;
  run.codeFolder = request.codeFolder;
  run.image = request.image;
  run.code = request.code;
  run.sweep = request.sweep;
  run.sweepPoint = request.sweepPoint;
  run.created = now;
  run.jobRetryToken = oci::newRetryToken();
  run.nodes = plannedJobRuns(request.plan);
  for (const PlannedRequest& planned : request.plan.requests) {
    if (planned.operation == "CreateJob") readPlaces(run, planned.body);
  }
  return run;
}

LaunchStage stageOf(const PlannedRequest& request) {
  return request.operation == "CreateJob" ? LaunchStage::CreatingJob : LaunchStage::CreatingJobRun;
}

std::string namesOf(const TrainingRun& run, bool ended) {
  std::string names;
  for (const NodeRun& node : run.nodes) {
    const bool endsNow = isTerminal(node.state) || node.state == JobRunState::Canceling;
    if (!node.id.empty() && endsNow == ended) names += (names.empty() ? "" : ", ") + node.displayName;
  }
  return names;
}

std::string rollbackText(const TrainingRun& run) {
  const std::string cancelled = namesOf(run, true);
  const std::string left = namesOf(run, false);
  std::string text = cancelled.empty() && left.empty() ? "no job run had been created" : "";
  if (!cancelled.empty()) text += "cancelled again: " + cancelled;
  if (!left.empty()) text += (text.empty() ? "" : "; ") + ("STILL THERE, could not be cancelled: " + left);
  return text;
}

}  // namespace

OciLauncher::OciLauncher(std::shared_ptr<oci::ServiceClient> services, std::shared_ptr<RunStore> store,
                         std::shared_ptr<Clock> clock)
    : services_(services), jobs_(std::move(services)), store_(std::move(store)), clock_(std::move(clock)) {}

Result<TrainingRun> OciLauncher::begin(const LaunchRequest& request, LaunchMark& mark) {
  if (auto why = refusal(request)) return failure(std::move(*why));
  TrainingRun run = plannedRun(request, clock_->now());
  auto id = newRunId(request.name, *store_);
  if (!id) return failure(std::move(id.error()));
  run.id = *std::move(id);
  auto marked = store_->markLaunching(run.id);  // before anybody can see the run
  if (!marked) return failure(std::move(marked.error()));
  mark = *std::move(marked);
  if (auto saved = store_->save(run); !saved) return failure(std::move(saved.error()));
  const std::string body = request.plan.requests.front().body.dump();
  if (auto kept = store_->keepJobRequest(run.id, body); !kept) return failure(std::move(kept.error()));
  return run;
}

Result<void> OciLauncher::create(TrainingRun& run, const PlannedRequest& request, NodeRun* node,
                                 const std::stop_token& stop) {
  nlohmann::ordered_json body = request.body;
  if (stringField(body, "jobId") == kJobPlaceholder) body["jobId"] = run.jobId.value;
  auto answer = node == nullptr ? jobs_.createJob(body, run.jobRetryToken, stop)
                                : jobs_.createJobRun(body, node->retryToken, stop);
  if (!answer) return failure(std::move(answer.error()));
  const std::string id = stringField(*answer, "id");
  if (id.empty()) {
    return failure(ErrorCode::Unavailable, "the service answered " + request.operation + " without an id",
                   answer->dump().substr(0, 200));
  }
  if (node == nullptr) {
    run.jobId = JobId(id);
  } else {
    node->id = JobRunId(id);
    applyJobRun(*node, *answer);
  }
  return store_->save(run);  // before the next request goes out
}

Result<TrainingRun> OciLauncher::launch(const LaunchRequest& request, const LaunchProgressHandler& progress,
                                        const std::stop_token& stop) {
  LaunchMark mark;  // to the end of the launch, its rollback included
  auto begun = begin(request, mark);
  if (!begun) return begun;
  TrainingRun run = *std::move(begun);
  const int total = static_cast<int>(request.plan.requests.size());
  int done = 0;
  std::size_t nextNode = 0;
  for (const PlannedRequest& planned : request.plan.requests) {
    const LaunchProgress now{done, total, stageOf(planned), stringField(planned.body, "displayName")};
    if (progress) progress(now);
    NodeRun* node = planned.operation == "CreateJobRun" ? &run.nodes[nextNode++] : nullptr;
    auto created = stop.stop_requested()
                       ? Result<void>(failure(ErrorCode::Cancelled, "the launch was cancelled"))
                       : create(run, planned, node, stop);
    if (!created) return failure(abandon(run, toText(now), std::move(created.error())));
    ++done;
  }
  run.launchComplete = true;
  if (auto saved = store_->save(run); !saved)
    return failure(abandon(run, "remembering the run", saved.error()));
  if (progress) progress({total, total, LaunchStage::Launched});
  return run;
}

// Ends what a launch that cannot be completed has created, and says so in the run and in the status.
Error OciLauncher::abandon(TrainingRun& run, const std::string& doing, Error why) {
  const StopAfter limit(kRollbackLimit);
  std::vector<Error> problems;
  if (!run.jobId.empty()) {
    const bool lost = outcomeUnknown(why);
    if (lost) clock_->sleepFor(kLostAnswerDelay, limit.token());
    auto rows = jobs_.listJobRuns(run.compartmentId, run.jobId.value, limit.token());
    if (rows) applyJobRuns(run, *rows);
    problems = cancelLiveNodes(run, limit.token());
    if (!rows && lost) problems.push_back(std::move(rows.error()));
  }
  const std::string cause = why.cause.empty() ? why.what : why.what + ": " + why.cause;
  run.failure = fmt::format("{}: {}; {}", doing, cause, rollbackText(run));
  if (run.jobId.empty() && outcomeUnknown(why))
    run.failure += "; the job itself may be there all the same, without job runs";
  run.finished = clock_->now();
  why.cause = run.failure;
  why.what = fmt::format("cannot launch '{}'", run.name);
  if (!problems.empty())
    why.remedy += fmt::format("{}end the rest with: lockstep cancel {}", why.remedy.empty() ? "" : "; then ",
                              run.id.value);
  if (auto saved = store_->save(run); !saved) why.cause += "; " + describe(saved.error());
  return why;
}

std::vector<Error> OciLauncher::cancelLiveNodes(TrainingRun& run, const std::stop_token& stop) {
  std::vector<Error> problems;
  for (NodeRun& node : run.nodes) {
    if (node.id.empty() || isTerminal(node.state) || node.state == JobRunState::Canceling) continue;
    auto posted = jobs_.cancelJobRun(node.id.value, stop);
    // 409: it ended by itself in between. 404: it was deleted. Either way there is nothing left to cancel.
    const int status = !posted && posted.error().service ? posted.error().service->httpStatus : 0;
    if (posted) {
      node.state = JobRunState::Canceling;
    } else if (status == 404) {
      node.state = JobRunState::Deleted;
    } else if (status == 409) {
      if (auto row = jobs_.getJobRun(node.id.value, stop)) applyJobRun(node, *row);
    } else {
      problems.push_back(std::move(posted.error()));
    }
  }
  return problems;
}

}  // namespace lockstep
