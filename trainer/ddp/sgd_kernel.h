// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <span>

namespace lockstep::trainer {

struct SgdSettings {
  float learningRate = 0.001F;
  float momentum = 0.9F;
  float gradientScale = 1.0F;  // 1 / world size, when `gradient` is a sum
};

/// One update of PyTorch's SGD (no dampening, no Nesterov, no weight decay) in one pass over memory:
/// v = momentum·v + scale·g; w = w - rate·v; g = 0. All spans have the same length.
void momentumStep(std::span<float> weight, std::span<float> velocity, std::span<float> gradient,
                  const SgdSettings& settings);

/// to[i] += from[i].
void addInto(std::span<float> to, std::span<const float> from);

}  // namespace lockstep::trainer
