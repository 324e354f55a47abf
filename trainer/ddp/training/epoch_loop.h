// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "trainer/data/batch_loader.h"
#include "trainer/data/epoch_plan.h"
#include "trainer/ddp/training/checkpointing.h"
#include "trainer/ddp/training/evaluation.h"
#include "trainer/ddp/training/step_runner.h"
#include "trainer/optim/learning_rate.h"

namespace lockstep::trainer {

/// The training proper: epochs of steps, an evaluation after each, checkpoints. Prints the guide's log lines.
class EpochLoop {
 public:
  EpochLoop(const TrainingContext& context, Checkpointing& checkpointing);
  Result<void> run();

 private:
  Result<double> trainEpoch();  // mean loss of this rank
  Result<StepRecord> trainStep(std::size_t step);
  Result<void> evaluate(double epochLoss, double seconds);
  void updatePosition(std::size_t stepsOfEpoch);
  [[nodiscard]] std::size_t firstStep() const;
  [[nodiscard]] std::vector<std::vector<std::size_t>> batchesOf(std::size_t firstStep) const;

  TrainingContext context_;
  Checkpointing& checkpointing_;
  DistributedSampler sampler_;
  EpochPlan plan_;
  LearningRateSettings rate_;
  BatchLoader loader_;
  StepRunner steps_;
  Evaluation evaluation_;
  TrainingPosition position_;
};

}  // namespace lockstep::trainer
