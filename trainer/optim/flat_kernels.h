// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <span>

namespace lockstep::trainer {

// Loops over flat buffers, one pass over memory each, in the widest vectors that the processor has. All spans
// of a call have the same length. Those that change weights return the sum of the squares of the gradients as
// they came, which costs nothing on the way.

struct SgdSettings {
  float learningRate = 0.001F;
  float momentum = 0.9F;
  float weightDecay = 0;
  float gradientScale = 1;
};

/// PyTorch's SGD: d = scale·g + decay·w; v = momentum·v + d; w = w - rate·v; g = 0.
double momentumStep(std::span<float> weight, std::span<float> velocity, std::span<float> gradient,
                    const SgdSettings& settings);

struct AdamSettings {
  float keep = 1;  // 1 - rate · weight decay
  float stepSize = 0.001F;
  float firstBeta = 0.9F, secondBeta = 0.999F;
  float firstRest = 0.1F, secondRest = 0.001F;  // 1 - beta, which a difference of floats is not
  float rootScale = 1;                          // 1 / sqrt(1 - secondBeta^updates)
  float epsilon = 1e-8F;
  float gradientScale = 1;
};

/// PyTorch's AdamW: d = scale·g; m = b1·m + (1-b1)·d; v = b2·v + (1-b2)·d²;
/// w = keep·w - size·m / (root·sqrt(v) + epsilon); g = 0.
double adamStep(std::span<float> weight, std::span<float> first, std::span<float> second,
                std::span<float> gradient, const AdamSettings& settings);

/// to[i] += from[i].
void addInto(std::span<float> to, std::span<const float> from);

/// The sum of data[i]², the same for the same length whatever the processor.
[[nodiscard]] double sumOfSquares(std::span<const float> data);

}  // namespace lockstep::trainer
