// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/ddp/metrics/metrics_session.h"

#include "base/child_process.h"
#include "trainer/ddp/base/work_dir_store.h"
#include "trainer/usage/usage_values.h"
#include "workdir/file_object_store.h"
#include "workdir/work_dir_uri.h"

namespace lockstep::trainer {
namespace {

using Environment = std::map<std::string, std::string>;

}  // namespace

std::string MetricsSession::destination(const TrainOptions& options, const Environment& environment) {
  if (options.noMetrics) return {};
  return options.workDir.empty() ? environmentValue(environment, "OCI__WORK_DIR") : options.workDir;
}

Result<std::unique_ptr<MetricsSession>> MetricsSession::open(const TrainOptions& options,
                                                             const Environment& environment,
                                                             const RankContext& place) {
  std::shared_ptr<ObjectStore> store;
  if (const std::string uri = destination(options, environment); !uri.empty()) {
    auto opened = openStore(uri, environment);
    if (!opened) return failure(opened.error());
    store = *opened;
  }
  const std::string jobId =
      options.jobId.empty() ? environmentValue(environment, "JOB_OCID", "Undefined") : options.jobId;
  std::unique_ptr<MetricsSession> session(new MetricsSession(store, jobId));
  if (store) {
    session->writer_ = std::make_unique<MetricWriter>(store, layout::metricsFolder(jobId), Rank(place.rank),
                                                      place.worldSize);
  }
  const std::string folder = environmentValue(environment, "LOCKSTEP_NEWEST_FOLDER");
  if (store && !folder.empty())
    session->told_ = std::make_unique<MetricWriter>(openFolder(folder), "", Rank(place.rank), 1);
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

void MetricsSession::startHeartbeat(std::vector<PeerIdentity> peers, HeartbeatWriter::Source source) {
  if (!store_) return;
  index_ = std::make_unique<IndexWriter>(store_, layout::metricIndex(jobId_), source);
  heartbeat_ = std::make_unique<HeartbeatWriter>(store_, layout::heartbeatFile(jobId_), std::move(peers),
                                                 std::move(source));
}

void MetricsSession::reportSegmentsTo(Progress& progress) {
  progress_ = &progress;
}

void MetricsSession::reportSegments() const {
  if (Progress* const progress = progress_; progress != nullptr && writer_)
    progress->storeSegments(static_cast<long long>(writer_->storedSegments()));
}

void MetricsSession::record(Step step, const std::vector<NamedValue>& values) {
  if (values.empty()) return;
  const TimePoint time = SystemClock().now();
  if (writer_) writer_->record(step, time, values);
  if (told_) told_->record(step, time, values);
  if (board_) board_->record(step, time, values);
}

// Of no use in TensorBoard, which has no bar of progress.
void MetricsSession::recordTotalSteps(Step totalSteps) {
  if (writer_)
    writer_->record(0, SystemClock().now(), {{metric::kTotalSteps, static_cast<double>(totalSteps)}});
}

void MetricsSession::recordStep(Step step, const StepRecord& r) {
  if (!writer_ && !board_) return;
  step_.store(step, std::memory_order_relaxed);
  record(step, valuesOf(r));
}

// NVML may take milliseconds for an answer: never in the training loop.
void MetricsSession::sampleUsage(const std::stop_token& stop, int localRank, const Environment& environment) {
  MachineUsage usage(localRank, environment);
  SystemClock clock;
  while (clock.sleepFor(std::chrono::seconds(1), stop)) {
    reportSegments();
    record(step_.load(std::memory_order_relaxed), valuesOf(usage.read()));
  }
}

void MetricsSession::recordEvaluation(Step step, double meanLoss, double accuracyPercent) {
  record(step, {{metric::kMeanLoss, meanLoss}, {metric::kAccuracy, accuracyPercent}});
}

void MetricsSession::recordCheckpoint(Step step, Step updates) {
  record(step, {{metric::kCheckpointStep, static_cast<double>(updates)}});
}

bool MetricsSession::flush(std::chrono::milliseconds limit) {
  const bool written = !board_ || board_->flush();
  const bool isStored = !writer_ || writer_->flush(limit);
  reportSegments();
  return isStored && written;
}

std::optional<Error> MetricsSession::newProblem() {
  if (!writer_ || problemTold_) return std::nullopt;
  auto problem = writer_->lastFailure();
  problemTold_ = problem.has_value();
  return problem;
}

}  // namespace lockstep::trainer
