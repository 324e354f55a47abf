// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstddef>
#include <span>
#include <vector>

namespace lockstep::trainer {

struct OptimizerSettings {
  enum class Kind { Sgd, AdamW };
  Kind kind = Kind::Sgd;
  double momentum = 0.9;   // Sgd
  double weightDecay = 0;  // Sgd: added to the gradient; AdamW: apart from it; all parameters alike
  double firstBeta = 0.9, secondBeta = 0.999, epsilon = 1e-8;  // AdamW
};

/// What an optimizer keeps for each weight, and its update: PyTorch's SGD (no dampening, no Nesterov) and
/// AdamW (no AMSGrad), each in one pass over memory. One thread, but for update() on ranges apart.
class Optimizer {
 public:
  Optimizer(const OptimizerSettings& settings, std::size_t weights);
  /// Begins an update: AdamW counts them.
  void beginUpdate() { ++updates_; }
  /// Changes the weights [first, first + weights.size()) by their gradients, times `gradientScale`. The
  /// gradients are zero afterwards. Returns the sum of their squares as they came.
  double update(std::size_t first, std::span<float> weights, std::span<float> gradients, double learningRate,
                double gradientScale);

  /// For checkpoints: the running averages (one for SGD, two for AdamW), and how many updates there were.
  [[nodiscard]] std::size_t momentCount() const { return moments_.size(); }
  [[nodiscard]] std::span<float> moment(std::size_t number) { return moments_[number]; }
  [[nodiscard]] long long updates() const { return updates_; }
  void setUpdates(long long updates) { updates_ = updates; }

 private:
  OptimizerSettings settings_;
  std::vector<std::vector<float>> moments_;
  long long updates_ = 0;
};

}  // namespace lockstep::trainer
