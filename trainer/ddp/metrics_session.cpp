// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/ddp/metrics_session.h"

#include "trainer/ddp/work_dir_store.h"
#include "workdir/work_dir_uri.h"

namespace lockstep::trainer {
namespace {

using Environment = std::map<std::string, std::string>;

std::string valueOf(const Environment& environment, const char* name, const std::string& missing = {}) {
  const auto found = environment.find(name);
  return found == environment.end() || found->second.empty() ? missing : found->second;
}

TimePoint now() {
  return SystemClock().now();
}

}  // namespace

std::string MetricsSession::destination(const TrainOptions& options, const Environment& environment) {
  if (options.noMetrics) return {};
  return options.workDir.empty() ? valueOf(environment, "OCI__WORK_DIR") : options.workDir;
}

Result<std::unique_ptr<MetricsSession>> MetricsSession::open(const TrainOptions& options,
                                                             const Environment& environment,
                                                             const JobPlace& place) {
  std::unique_ptr<MetricWriter> writer;
  if (const std::string uri = destination(options, environment); !uri.empty()) {
    auto store = openStore(uri, environment);
    if (!store) return failure(store.error());
    const std::string jobId =
        options.jobId.empty() ? valueOf(environment, "JOB_OCID", "Undefined") : options.jobId;
    writer = std::make_unique<MetricWriter>(*store, layout::metricsFolder(jobId), Rank(place.rank),
                                            place.worldSize);
  }
  return std::unique_ptr<MetricsSession>(new MetricsSession(std::move(writer), place.localRank));
}

void MetricsSession::recordTotalSteps(Step totalSteps) {
  if (writer_) writer_->record(0, now(), {{metric::kTotalSteps, static_cast<double>(totalSteps)}});
}

void MetricsSession::recordStep(Step step, const StepRecord& r) {
  if (!writer_) return;
  const TimePoint time = now();
  writer_->record(step, time,
                  {{metric::kLoss, r.loss},
                   {metric::kLearningRate, r.learningRate},
                   {metric::kSamplesPerSecond, r.samplesPerSecond},
                   {metric::kStepMs, r.stepMs},
                   {metric::kDataMs, r.dataMs},
                   {metric::kForwardMs, r.forwardMs},
                   {metric::kBackwardMs, r.backwardMs},
                   {metric::kWaitMs, r.waitMs},
                   {metric::kOptimizerMs, r.optimizerMs},
                   {metric::kEpoch, static_cast<double>(r.epoch)}});
  recordUsage(step, time);
}

void MetricsSession::recordUsage(Step step, TimePoint time) {
  const auto steadyNow = std::chrono::steady_clock::now();
  if (steadyNow - lastUsage_ < std::chrono::seconds(1)) return;
  lastUsage_ = steadyNow;
  const Usage usage = usage_.read();
  if (usage.cpuPercent && usage.memoryBytes) {
    writer_->record(step, time,
                    {{metric::kCpuPercent, *usage.cpuPercent}, {metric::kMemoryBytes, *usage.memoryBytes}});
  }
  if (usage.gpuPercent) writer_->record(step, time, {{metric::kGpuPercent, *usage.gpuPercent}});
  if (usage.gpuMemoryBytes) writer_->record(step, time, {{metric::kGpuMemoryBytes, *usage.gpuMemoryBytes}});
}

void MetricsSession::recordEvaluation(Step step, double meanLoss, double accuracyPercent) {
  if (writer_)
    writer_->record(step, now(), {{metric::kMeanLoss, meanLoss}, {metric::kAccuracy, accuracyPercent}});
}

bool MetricsSession::flush(std::chrono::milliseconds limit) {
  return !writer_ || writer_->flush(limit);
}

std::optional<Status> MetricsSession::newProblem() {
  if (!writer_ || problemTold_) return std::nullopt;
  auto problem = writer_->lastFailure();
  problemTold_ = problem.has_value();
  return problem;
}

}  // namespace lockstep::trainer
