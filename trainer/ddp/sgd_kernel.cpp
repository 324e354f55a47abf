// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/ddp/sgd_kernel.h"

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
void updateRange(float* __restrict weight, float* __restrict velocity, float* __restrict gradient,
                 std::size_t count, float rate, float momentum, float scale) {
  for (std::size_t i = 0; i < count; ++i) {
    const float v = momentum * velocity[i] + scale * gradient[i];
    velocity[i] = v;
    weight[i] -= rate * v;
    gradient[i] = 0.0F;
  }
}

LOCKSTEP_WIDEST_VECTORS
void addRange(float* __restrict to, const float* __restrict from, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) to[i] += from[i];
}

}  // namespace

void momentumStep(std::span<float> weight, std::span<float> velocity, std::span<float> gradient,
                  const SgdSettings& settings) {
  updateRange(weight.data(), velocity.data(), gradient.data(), weight.size(), settings.learningRate,
              settings.momentum, settings.gradientScale);
}

void addInto(std::span<float> to, std::span<const float> from) {
  addRange(to.data(), from.data(), from.size());
}

}  // namespace lockstep::trainer
