// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/error.h"
#include "metrics/metric_writer.h"
#include "trainer/ddp/base/progress.h"
#include "trainer/ddp/base/rank_context.h"
#include "trainer/ddp/base/trainer_arguments.h"
#include "trainer/ddp/metrics/index_writer.h"
#include "trainer/ddp/metrics/recorded_values.h"
#include "trainer/ddp/metrics/tensor_board.h"
#include "trainer/ddp/peers/heartbeat_writer.h"

namespace lockstep::trainer {

/// The metrics of this rank on their way to the work dir, and into TensorBoard's event files where they were
/// asked for; without either, every call does nothing. Recording never blocks and never fails the training: a
/// push that does not work is reported once by newProblem(). What the machine uses is read each second by a
/// thread of its own. Recording: the training thread. flush(): any thread.
class MetricsSession {
 public:
  /// Where the metrics of this rank go, from the options or from OCI__WORK_DIR and JOB_OCID; empty: nowhere.
  static std::string destination(const TrainOptions& options,
                                 const std::map<std::string, std::string>& environment);

  static Result<std::unique_ptr<MetricsSession>> open(const TrainOptions& options,
                                                      const std::map<std::string, std::string>& environment,
                                                      const RankContext& place);
  MetricsSession(const MetricsSession&) = delete;
  MetricsSession& operator=(const MetricsSession&) = delete;
  ~MetricsSession();

  /// Once: tells `progress`, which outlives this object, each second how many segments this rank has stored.
  void reportSegmentsTo(Progress& progress);
  /// Rank 0, once: writes down every few seconds where all ranks are, and the index of their metrics. `source` is called on another thread,
  /// for as long as this object lives.
  void startHeartbeat(std::vector<PeerIdentity> peers, HeartbeatWriter::Source source);
  void recordTotalSteps(Step totalSteps);
  void recordStep(Step step, const StepRecord& record);
  void recordEvaluation(Step step, double meanLoss, double accuracyPercent);
  /// While `step` is the newest one: the checkpoint of so many updates is stored.
  void recordCheckpoint(Step step, Step updates);
  /// False: some of it is not stored.
  bool flush(std::chrono::milliseconds limit);
  /// The failure of the last push, the first time that there is one.
  std::optional<Error> newProblem();

 private:
  MetricsSession(std::shared_ptr<ObjectStore> store, std::string jobId);
  void record(Step step, const std::vector<NamedValue>& values);
  void reportSegments() const;
  void sampleUsage(const std::stop_token& stop, int localRank,
                   const std::map<std::string, std::string>& environment);

  std::shared_ptr<ObjectStore> store_;  // null: no destination
  std::string jobId_;
  std::unique_ptr<MetricWriter> writer_;      // null: no destination
  std::unique_ptr<MetricWriter> told_;        // for the node agent, which tells others; null: it does not
  std::unique_ptr<TensorBoardWriter> board_;  // null: not asked for
  std::unique_ptr<HeartbeatWriter> heartbeat_;
  std::unique_ptr<IndexWriter> index_;
  std::atomic<Progress*> progress_{nullptr};
  std::atomic<Step> step_{0};
  bool problemTold_ = false;
  std::jthread usageThread_;
};

}  // namespace lockstep::trainer
