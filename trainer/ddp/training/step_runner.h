// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <chrono>

#include "trainer/ddp/training/training_context.h"

namespace lockstep::trainer {

/// Takes steps, one after the other: begin(), add() for each batch, finish(). Times and records them, and
/// remembers whether a rank was told to stop.
class StepRunner {
 public:
  explicit StepRunner(const TrainingContext& context) : context_(context) {}

  void begin();
  /// Until here the step waited for its batch.
  void dataIsThere();
  Result<void> add(const Batch& batch, double weight, bool isLast);
  Result<StepRecord> finish(double learningRate, int epoch);
  [[nodiscard]] Step stepsDone() const { return step_; }
  /// Goes on where a checkpoint was made.
  void startAt(Step step) { step_ = step; }
  /// Whether some rank was told to stop: the same answer on all ranks after the same step.
  [[nodiscard]] bool stopAsked() const { return stopAsked_; }

 private:
  using Steady = std::chrono::steady_clock;
  Result<void> afterStep(StepRecord& record);

  TrainingContext context_;
  Step step_ = 0;
  Steady::time_point start_, waitStart_;
  double dataMs_ = 0;
  int samples_ = 0, parts_ = 0;
  bool stopAsked_ = false;
};

}  // namespace lockstep::trainer
