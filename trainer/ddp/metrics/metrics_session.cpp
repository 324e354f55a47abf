// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/ddp/metrics_session.h"

#include <nlohmann/json.hpp>

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
  std::shared_ptr<ObjectStore> store;
  if (const std::string uri = destination(options, environment); !uri.empty()) {
    auto opened = openStore(uri, environment);
    if (!opened) return failure(opened.error());
    store = *opened;
  }
  const std::string jobId =
      options.jobId.empty() ? valueOf(environment, "JOB_OCID", "Undefined") : options.jobId;
  std::unique_ptr<MetricsSession> session(new MetricsSession(store, jobId));
  if (store) {
    session->writer_ = std::make_unique<MetricWriter>(store, layout::metricsFolder(jobId), Rank(place.rank),
                                                      place.worldSize);
  }
  if (!options.tensorBoard.empty()) {
    auto board = TensorBoardWriter::open(options.tensorBoard, place.rank);
    if (!board) return failure(board.error());
    session->board_ = std::move(*board);
  }
  if (session->writer_ || session->board_) {
    session->usageThread_ =
        std::jthread([own = session.get(), localRank = place.localRank, environment](
                         const std::stop_token& stop) { own->sampleUsage(stop, localRank, environment); });
  }
  return session;
}

MetricsSession::MetricsSession(std::shared_ptr<ObjectStore> store, std::string jobId)
    : store_(std::move(store)), jobId_(std::move(jobId)) {}

MetricsSession::~MetricsSession() {
  usageThread_.request_stop();
  if (usageThread_.joinable()) usageThread_.join();
}

void MetricsSession::startHeartbeat(std::vector<PeerIdentity> peers, Heartbeat::Source source) {
  if (store_)
    heartbeat_ = std::make_unique<Heartbeat>(store_, layout::heartbeatFile(jobId_), std::move(peers),
                                             std::move(source));
}

void MetricsSession::record(Step step, TimePoint time, Values values) {
  if (writer_) writer_->record(step, time, values);
  if (board_) board_->record(step, time, values);
}

void MetricsSession::recordIfThere(Step step, TimePoint time, std::string_view name,
                                   const std::optional<double>& value) {
  if (value) record(step, time, {{name, *value}});
}

void MetricsSession::recordTotalSteps(Step totalSteps) {
  if (writer_) writer_->record(0, now(), {{metric::kTotalSteps, static_cast<double>(totalSteps)}});
}

void MetricsSession::recordStep(Step step, const StepRecord& r) {
  if (!writer_ && !board_) return;
  const TimePoint time = now();
  step_.store(step, std::memory_order_relaxed);
  record(step, time,
         {{metric::kLoss, r.loss},
          {metric::kLearningRate, r.learningRate},
          {metric::kSamplesPerSecond, r.samplesPerSecond},
          {metric::kStepMs, r.stepMs},
          {metric::kDataMs, r.dataMs},
          {metric::kHostToDeviceMs, r.hostToDeviceMs},
          {metric::kForwardMs, r.forwardMs},
          {metric::kBackwardMs, r.backwardMs},
          {metric::kWaitMs, r.waitMs},
          {metric::kTransferMs, r.transferMs},
          {metric::kOptimizerMs, r.optimizerMs},
          {metric::kOtherMs, r.otherMs()},
          {metric::kReducedBytes, r.reducedBytes},
          {metric::kEpoch, static_cast<double>(r.epoch)}});
  recordIfThere(step, time, metric::kGradientNorm, r.gradientNorm);
  recordIfThere(step, time, metric::kTokensPerSecond, r.tokensPerSecond);
  recordIfThere(step, time, metric::kModelFlopsPercent, r.modelFlopsPercent);
}

// NVML may take milliseconds for an answer: never in the training loop.
void MetricsSession::sampleUsage(const std::stop_token& stop, int localRank, const Environment& environment) {
  MachineUsage usage(localRank, environment);
  SystemClock clock;
  while (clock.sleepFor(std::chrono::seconds(1), stop)) recordUsage(usage.read());
}

void MetricsSession::recordUsage(const Usage& usage) {
  const Step step = step_.load(std::memory_order_relaxed);
  const TimePoint time = now();
  recordIfThere(step, time, metric::kCpuPercent, usage.cpuPercent);
  recordIfThere(step, time, metric::kMemoryBytes, usage.memoryBytes);
  recordIfThere(step, time, metric::kDiskReadBytesPerSecond, usage.diskReadBytesPerSecond);
  recordIfThere(step, time, metric::kDiskWriteBytesPerSecond, usage.diskWriteBytesPerSecond);
  recordIfThere(step, time, metric::kNetworkInBytesPerSecond, usage.networkInBytesPerSecond);
  recordIfThere(step, time, metric::kNetworkOutBytesPerSecond, usage.networkOutBytesPerSecond);
  recordIfThere(step, time, metric::kGpuPercent, usage.gpu.percent);
  recordIfThere(step, time, metric::kGpuMemoryBytes, usage.gpu.memoryBytes);
  recordIfThere(step, time, metric::kGpuPowerWatts, usage.gpu.powerWatts);
  recordIfThere(step, time, metric::kGpuTemperatureCelsius, usage.gpu.temperatureCelsius);
  recordIfThere(step, time, metric::kGpuSmClockMhz, usage.gpu.smClockMhz);
  recordIfThere(step, time, metric::kGpuMemoryClockMhz, usage.gpu.memoryClockMhz);
  recordIfThere(step, time, metric::kGpuEccErrors, usage.gpu.eccErrors);
  recordIfThere(step, time, metric::kGpuXid, usage.gpu.lastXid);
}

void MetricsSession::recordEvaluation(Step step, double meanLoss, double accuracyPercent) {
  record(step, now(), {{metric::kMeanLoss, meanLoss}, {metric::kAccuracy, accuracyPercent}});
}

std::string jsonLine(int rank, Step step, const StepRecord& r) {
  nlohmann::ordered_json line = {{"rank", rank}, {"step", step}};
  const auto put = [&line](std::string_view name, double value) { line[std::string(name)] = value; };
  put(metric::kEpoch, r.epoch);
  put(metric::kLoss, r.loss);
  put(metric::kLearningRate, r.learningRate);
  put(metric::kSamplesPerSecond, r.samplesPerSecond);
  put(metric::kStepMs, r.stepMs);
  put(metric::kDataMs, r.dataMs);
  put(metric::kHostToDeviceMs, r.hostToDeviceMs);
  put(metric::kForwardMs, r.forwardMs);
  put(metric::kBackwardMs, r.backwardMs);
  put(metric::kWaitMs, r.waitMs);
  put(metric::kTransferMs, r.transferMs);
  put(metric::kOptimizerMs, r.optimizerMs);
  put(metric::kOtherMs, r.otherMs());
  put(metric::kReducedBytes, r.reducedBytes);
  if (r.gradientNorm) put(metric::kGradientNorm, *r.gradientNorm);
  if (r.tokensPerSecond) put(metric::kTokensPerSecond, *r.tokensPerSecond);
  if (r.modelFlopsPercent) put(metric::kModelFlopsPercent, *r.modelFlopsPercent);
  return line.dump();
}

bool MetricsSession::flush(std::chrono::milliseconds limit) {
  const bool written = !board_ || board_->flush();
  return (!writer_ || writer_->flush(limit)) && written;
}

std::optional<Status> MetricsSession::newProblem() {
  if (!writer_ || problemTold_) return std::nullopt;
  auto problem = writer_->lastFailure();
  problemTold_ = problem.has_value();
  return problem;
}

}  // namespace lockstep::trainer
