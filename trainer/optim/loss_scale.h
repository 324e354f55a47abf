// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace lockstep::trainer {

/// What the loss is multiplied by before backward in half precision, so that small gradients do not become
/// zero: PyTorch's GradScaler with its default numbers. Every rank sees the same sums and so has the same
/// scale.
class LossScale {
 public:
  explicit LossScale(double initial = 65'536) : value_(initial) {}
  [[nodiscard]] double value() const { return value_; }
  /// After a step: whether all gradients were finite. When not, the step must not change the weights.
  void update(bool finite);

 private:
  static constexpr int kGoodSteps = 2000;
  double value_;
  int goodSteps_ = 0;
};

}  // namespace lockstep::trainer
