// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "base/status.h"
#include "metrics/metric_writer.h"
#include "trainer/ddp/job_place.h"
#include "trainer/ddp/machine_usage.h"
#include "trainer/ddp/trainer_arguments.h"

namespace lockstep::trainer {

/// What one step is recorded with; times in milliseconds.
struct StepRecord {
  double loss = 0, learningRate = 0, samplesPerSecond = 0;
  double stepMs = 0, dataMs = 0, forwardMs = 0, backwardMs = 0, waitMs = 0, optimizerMs = 0;
  int epoch = 0;
  double recordMs = 0;  // what recording it took; not recorded itself, for --bench
};

/// The metrics of this rank on their way to the work dir; without one, every call does nothing. Recording
/// never blocks and never fails the training: a push that does not work is reported once by problem().
/// Recording: the training thread. flush(): any thread.
class MetricsSession {
 public:
  /// Where the metrics of this rank go, from the options or from OCI__WORK_DIR and JOB_OCID; empty: nowhere.
  static std::string destination(const TrainOptions& options,
                                 const std::map<std::string, std::string>& environment);

  static Result<std::unique_ptr<MetricsSession>> open(const TrainOptions& options,
                                                      const std::map<std::string, std::string>& environment,
                                                      const JobPlace& place);

  void recordTotalSteps(Step totalSteps);
  void recordStep(Step step, const StepRecord& record);
  void recordEvaluation(Step step, double meanLoss, double accuracyPercent);
  /// False: some of it is not stored.
  bool flush(std::chrono::milliseconds limit);
  /// The failure of the last push, the first time that there is one.
  std::optional<Status> newProblem();

 private:
  MetricsSession(std::unique_ptr<MetricWriter> writer, int localRank)
      : writer_(std::move(writer)), usage_(localRank) {}
  void recordUsage(Step step, TimePoint now);

  std::unique_ptr<MetricWriter> writer_;  // null: no destination
  MachineUsage usage_;
  std::chrono::steady_clock::time_point lastUsage_{};
  bool problemTold_ = false;
};

}  // namespace lockstep::trainer
