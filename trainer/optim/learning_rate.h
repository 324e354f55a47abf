// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace lockstep::trainer {

/// How the learning rate goes through a training.
struct LearningRateSettings {
  enum class Schedule {
    Constant,
    Step,    // times `gamma` after every `epochsPerDrop` epochs, as PyTorch's StepLR
    Cosine,  // from `base` to `min` in half a cosine over all steps, as PyTorch's CosineAnnealingLR by
             // steps
  };
  Schedule schedule = Schedule::Constant;
  double base = 0.001;
  double min = 0;             // Cosine
  double gamma = 0.1;         // Step
  int epochsPerDrop = 30;     // Step
  long long warmupSteps = 0;  // rises evenly up to `base` in so many steps; the cosine begins after them
};

/// The rate of the step with that number (from 0), which is in that epoch (from 0).
[[nodiscard]] double learningRateAt(const LearningRateSettings& settings, long long step, int epoch,
                                    long long totalSteps);

}  // namespace lockstep::trainer
