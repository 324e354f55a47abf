// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "base/error.h"
#include "trainer/checkpoint/checkpoint_store.h"
#include "trainer/ddp/base/exit_handler.h"
#include "trainer/ddp/base/rank_context.h"
#include "trainer/ddp/collectives/communicator.h"
#include "trainer/ddp/metrics/metrics_session.h"
#include "trainer/ddp/rendezvous/join.h"
#include "trainer/ddp/training/training_context.h"

namespace lockstep::trainer {

/// One rank of one training, from joining the others to the saved model. Prints the guide's log lines to
/// stdout.
class TrainingSession {
 public:
  TrainingSession(TrainOptions options, RankContext place, std::map<std::string, std::string> environment,
                  ExitHandler& ending);

  /// Trains, evaluates and saves, or measures with --bench. The failure has been told to nobody yet.
  Result<void> run();
  /// Whether peers are watched, so that a failed collective is going to be explained by the watch within
  /// moments.
  [[nodiscard]] bool hasPeers() const { return watch_ != nullptr; }
  /// Whom the others wait for, as an addition to the message of a collective that timed out; may be empty.
  [[nodiscard]] std::string stragglers() const;

 private:
  Result<void> checkOptions() const;
  Result<void> checkDevice() const;
  [[nodiscard]] Device device() const;
  Result<void> shareGlobalBatch();
  Result<void> openMetrics();
  Result<void> join();
  void startHeartbeat();
  Result<void> makeReplica();
  Result<void> loadData();
  Result<void> train();
  Result<void> save();
  [[nodiscard]] TrainingContext context();
  [[nodiscard]] Communicator& gradientCommunicator();
  [[nodiscard]] ModelSpec modelSpec() const;
  [[nodiscard]] OptimizerSettings optimizerSettings() const;
  [[nodiscard]] int threadCount() const;
  [[nodiscard]] bool overlaps(bool isGpu) const;

  TrainOptions options_;
  RankContext place_;
  std::map<std::string, std::string> environment_;
  ExitHandler& ending_;
  TrainingData data_;
  Gathering gathering_;
  std::unique_ptr<PeerWatch> watch_;
  std::unique_ptr<MetricsSession> metrics_;  // its heartbeat reads the watch
  std::unique_ptr<Communicator> communicator_;
  std::unique_ptr<Communicator> deviceCommunicator_;  // null: gradients are summed by the other
  std::shared_ptr<CheckpointStore> checkpoints_;      // rank 0's, with --checkpoint-dir
  std::optional<Replica> replica_;
};

}  // namespace lockstep::trainer
