// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "trainer/ddp/training/training_context.h"

namespace lockstep::trainer {

/// How good the network is on the test set, found by all ranks together. Every test sample counts once.
class Evaluation {
 public:
  explicit Evaluation(const TrainingContext& context) : context_(context) {}

  /// The epoch that came before it.
  struct Epoch {
    int number = 0;  // from 0
    Step stepsDone = 0;
    double loss = 0;  // mean of this rank
    double seconds = 0;
  };
  struct Outcome {
    double testLoss = 0;
    double accuracyPercent = 0;
  };
  /// The same outcome on every rank. Rank 0 prints it, and each class after the last epoch.
  Result<Outcome> run(const Epoch& epoch);
  /// "Accuracy of the network…" and one line per class, of the last run(). Rank 0 alone says something.
  void printClasses() const;

 private:
  Result<EvaluationCounts> count();
  void print(const Epoch& epoch, double trainLoss, const Outcome& outcome) const;

  TrainingContext context_;
  std::vector<float> seen_, right_;  // of all ranks, by class
};

}  // namespace lockstep::trainer
