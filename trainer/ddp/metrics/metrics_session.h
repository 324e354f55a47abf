// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "base/status.h"
#include "metrics/metric_writer.h"
#include "trainer/ddp/heartbeat.h"
#include "trainer/ddp/job_place.h"
#include "trainer/ddp/machine_usage.h"
#include "trainer/ddp/tensor_board.h"
#include "trainer/ddp/trainer_arguments.h"

namespace lockstep::trainer {

/// What one step is recorded with; times in milliseconds. The parts sum to stepMs: otherMs() is what is left.
struct StepRecord {
  double loss = 0, learningRate = 0, samplesPerSecond = 0;
  double stepMs = 0, dataMs = 0, hostToDeviceMs = 0, forwardMs = 0, backwardMs = 0, waitMs = 0,
         transferMs = 0, optimizerMs = 0;
  double reducedBytes = 0;
  std::optional<double> gradientNorm, tokensPerSecond, modelFlopsPercent;
  int epoch = 0;
  double recordMs = 0;  // what recording it took; not recorded itself, for --bench
  [[nodiscard]] double otherMs() const {
    return stepMs - dataMs - hostToDeviceMs - forwardMs - backwardMs - waitMs - transferMs - optimizerMs;
  }
};
/// One line of JSON with all of it, under the names of the metrics.
[[nodiscard]] std::string jsonLine(int rank, Step step, const StepRecord& record);

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
                                                      const JobPlace& place);
  MetricsSession(const MetricsSession&) = delete;
  MetricsSession& operator=(const MetricsSession&) = delete;
  ~MetricsSession();

  /// Rank 0, once: writes down every few seconds where all ranks are. `source` is called on another thread,
  /// for as long as this object lives.
  void startHeartbeat(std::vector<PeerIdentity> peers, Heartbeat::Source source);
  void recordTotalSteps(Step totalSteps);
  void recordStep(Step step, const StepRecord& record);
  void recordEvaluation(Step step, double meanLoss, double accuracyPercent);
  /// False: some of it is not stored.
  bool flush(std::chrono::milliseconds limit);
  /// The failure of the last push, the first time that there is one.
  std::optional<Status> newProblem();

 private:
  using Values = std::initializer_list<std::pair<std::string_view, double>>;
  MetricsSession(std::shared_ptr<ObjectStore> store, std::string jobId);
  void record(Step step, TimePoint time, Values values);
  void recordIfThere(Step step, TimePoint time, std::string_view name, const std::optional<double>& value);
  void sampleUsage(const std::stop_token& stop, int localRank,
                   const std::map<std::string, std::string>& environment);
  void recordUsage(const Usage& usage);

  std::shared_ptr<ObjectStore> store_;  // null: no destination
  std::string jobId_;
  std::unique_ptr<MetricWriter> writer_;      // null: no destination
  std::unique_ptr<TensorBoardWriter> board_;  // null: not asked for
  std::unique_ptr<Heartbeat> heartbeat_;
  std::atomic<Step> step_{0};
  bool problemTold_ = false;
  std::jthread usageThread_;
};

}  // namespace lockstep::trainer
