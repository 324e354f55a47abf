// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <vector>

#include "trainer/ddp/training/step_runner.h"

namespace lockstep::trainer {

/// --bench: steps on one fixed batch, then one RESULT and one TIMING line per rank.
class StepBench {
 public:
  StepBench(const TrainingContext& context, const SampleShape& shape);
  Result<void> run();

 private:
  Result<StepRecord> step();
  void printResult(std::vector<StepRecord>& records, double elapsed, long long firstStepNs) const;

  TrainingContext context_;
  SampleShape shape_;
  StepRunner steps_;
  Batch batch_;
  double othersMs_ = 0;  // processor time of all threads but the training one: at the start, then per step
};

}  // namespace lockstep::trainer
