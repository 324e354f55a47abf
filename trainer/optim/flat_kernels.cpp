// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/optim/flat_kernels.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

// The loader picks the widest version that the processor has. Sanitizers' runtimes are not up yet when it
// asks.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__SANITIZE_THREAD__) && \
    !defined(__SANITIZE_ADDRESS__)
#define LOCKSTEP_WIDEST_VECTORS __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define LOCKSTEP_WIDEST_VECTORS
#endif

namespace lockstep::trainer {
namespace {

LOCKSTEP_WIDEST_VECTORS
void momentumRange(float* __restrict weight, float* __restrict velocity, float* __restrict gradient,
                   std::size_t count, float rate, float momentum, float decay, float scale) {
  for (std::size_t i = 0; i < count; ++i) {
    const float v = momentum * velocity[i] + (scale * gradient[i] + decay * weight[i]);
    velocity[i] = v;
    weight[i] -= rate * v;
    gradient[i] = 0.0F;
  }
}

LOCKSTEP_WIDEST_VECTORS
void adamRange(float* __restrict weight, float* __restrict first, float* __restrict second,
               float* __restrict gradient, std::size_t count, AdamSettings s) {
  for (std::size_t i = 0; i < count; ++i) {
    const float d = s.gradientScale * gradient[i];
    const float m = s.firstBeta * first[i] + s.firstRest * d;
    const float v = s.secondBeta * second[i] + s.secondRest * d * d;
    first[i] = m;
    second[i] = v;
    weight[i] = s.keep * weight[i] - s.stepSize * m / (s.rootScale * std::sqrt(v) + s.epsilon);
    gradient[i] = 0.0F;
  }
}

LOCKSTEP_WIDEST_VECTORS
void addRange(float* __restrict to, const float* __restrict from, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) to[i] += from[i];
}

constexpr std::size_t kLanes = 32;

// Sums that do not wait for each other, which is what lets the compiler use vectors without changing the
// order.
LOCKSTEP_WIDEST_VECTORS
void addSquares(float* __restrict lanes, const float* __restrict data, std::size_t count) {
  for (std::size_t i = 0; i + kLanes <= count; i += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) lanes[lane] += data[i + lane] * data[i + lane];
  }
}

}  // namespace

void momentumStep(std::span<float> weight, std::span<float> velocity, std::span<float> gradient,
                  const SgdSettings& settings) {
  momentumRange(weight.data(), velocity.data(), gradient.data(), weight.size(), settings.learningRate,
                settings.momentum, settings.weightDecay, settings.gradientScale);
}

void adamStep(std::span<float> weight, std::span<float> first, std::span<float> second,
              std::span<float> gradient, const AdamSettings& settings) {
  adamRange(weight.data(), first.data(), second.data(), gradient.data(), weight.size(), settings);
}

void addInto(std::span<float> to, std::span<const float> from) {
  addRange(to.data(), from.data(), from.size());
}

double sumOfSquares(std::span<const float> data) {
  constexpr std::size_t kBlock = 4096;  // floats stay exact enough for so many
  double sum = 0;
  for (std::size_t from = 0; from < data.size(); from += kBlock) {
    const std::size_t count = std::min(kBlock, data.size() - from);
    float lanes[kLanes] = {};
    addSquares(lanes, data.data() + from, count);
    for (std::size_t i = count - count % kLanes; i < count; ++i) lanes[0] += data[from + i] * data[from + i];
    for (const float lane : lanes) sum += static_cast<double>(lane);
  }
  return sum;
}

}  // namespace lockstep::trainer
