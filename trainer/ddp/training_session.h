// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "base/status.h"
#include "trainer/ddp/communicator.h"
#include "trainer/ddp/distributed_sampler.h"
#include "trainer/ddp/ending.h"
#include "trainer/ddp/job_place.h"
#include "trainer/ddp/join.h"
#include "trainer/ddp/metrics_session.h"
#include "trainer/ddp/replica.h"
#include "trainer/ddp/trainer_arguments.h"

namespace lockstep::trainer {

/// One rank of one training, from joining the others to the saved model. Prints the guide's log lines to
/// stdout.
class TrainingSession {
 public:
  TrainingSession(TrainOptions options, JobPlace place, std::map<std::string, std::string> environment,
                  Ending& ending);

  /// Trains, evaluates and saves, or measures with --bench. The failure has been told to nobody yet.
  Result<void> run();
  /// The exit code that belongs to a failure of run(); the same cause means something else before and after
  /// the joining.
  [[nodiscard]] int exitCodeOf(const Status& status) const;
  /// Whether peers are watched, so that a failed collective is going to be explained by the watch within
  /// moments.
  [[nodiscard]] bool hasPeers() const { return watch_ != nullptr; }

 private:
  Result<void> checkOptions() const;
  Result<void> openMetrics();
  Result<void> join();
  Result<void> makeReplica();
  Result<void> loadData();
  Result<void> trainEpochs();
  Result<double> trainEpoch(int epoch);  // mean loss of this rank
  Result<StepRecord> trainStep(std::span<const std::size_t> indices, int epoch);
  Result<void> evaluate(int epoch, double epochLoss, double epochSeconds);
  void printAccuracy(std::span<const float> seen, std::span<const float> right) const;
  Result<void> save();
  Result<void> bench();
  void fillFixedBatch();
  void printResult(std::vector<StepRecord>& records, double elapsed, long long firstStepNs) const;
  Result<void> afterStep(const StepRecord& record);
  [[nodiscard]] int threadCount() const;
  [[nodiscard]] long long stepsPerEpoch() const;

  TrainOptions options_;
  JobPlace place_;
  std::map<std::string, std::string> environment_;
  Ending& ending_;
  Cifar10 data_;
  std::optional<DistributedSampler> sampler_;
  std::unique_ptr<MetricsSession> metrics_;
  Gathering gathering_;
  std::unique_ptr<PeerWatch> watch_;
  std::unique_ptr<Communicator> communicator_;
  std::optional<Replica> replica_;
  Step step_ = 0;
  enum class Phase { Preparing, Joining, Training } phase_ = Phase::Preparing;
};

}  // namespace lockstep::trainer
