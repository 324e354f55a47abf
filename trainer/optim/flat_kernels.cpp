// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/optim/flat_kernels.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "trainer/optim/wide_vectors.h"

namespace lockstep::trainer {
namespace {

constexpr std::size_t kLanes = 32;    // sums that do not wait for each other: vectors, in an order that stays
constexpr std::size_t kBlock = 4096;  // floats stay exact enough for so many
static_assert(kBlock % kLanes == 0);

double sumOf(const float* lanes) {
  double sum = 0;
  for (std::size_t i = 0; i < kLanes; ++i) sum += static_cast<double>(lanes[i]);
  return sum;
}

// Whole groups of kLanes; `lanes` gets the squares of the gradients.
LOCKSTEP_WIDEST_VECTORS
void momentumLanes(float* __restrict weight, float* __restrict velocity, float* __restrict gradient,
                   float* __restrict lanes, std::size_t count, SgdSettings s) {
  for (std::size_t from = 0; from < count; from += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const std::size_t i = from + lane;
      const float g = gradient[i];
      const float v = s.momentum * velocity[i] + (s.gradientScale * g + s.weightDecay * weight[i]);
      lanes[lane] += g * g;
      velocity[i] = v;
      weight[i] -= s.learningRate * v;
      gradient[i] = 0.0F;
    }
  }
}

LOCKSTEP_WIDEST_VECTORS
void adamLanes(float* __restrict weight, float* __restrict first, float* __restrict second,
               float* __restrict gradient, float* __restrict lanes, std::size_t count, AdamSettings s) {
  for (std::size_t from = 0; from < count; from += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const std::size_t i = from + lane;
      const float d = s.gradientScale * gradient[i];
      const float m = s.firstBeta * first[i] + s.firstRest * d;
      const float v = s.secondBeta * second[i] + s.secondRest * d * d;
      lanes[lane] += gradient[i] * gradient[i];
      first[i] = m;
      second[i] = v;
      weight[i] = s.keep * weight[i] - s.stepSize * m / (s.rootScale * std::sqrt(v) + s.epsilon);
      gradient[i] = 0.0F;
    }
  }
}

LOCKSTEP_WIDEST_VECTORS
void addRange(float* __restrict to, const float* __restrict from, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) to[i] += from[i];
}

LOCKSTEP_WIDEST_VECTORS
void addSquares(float* __restrict lanes, const float* __restrict data, std::size_t count) {
  for (std::size_t i = 0; i + kLanes <= count; i += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) lanes[lane] += data[i + lane] * data[i + lane];
  }
}

}  // namespace

// What is left over after whole groups goes through a copy.
double momentumStep(std::span<float> weight, std::span<float> velocity, std::span<float> gradient,
                    const SgdSettings& settings) {
  double sum = 0;
  for (std::size_t from = 0; from < weight.size(); from += kBlock) {
    const std::size_t count = std::min(kBlock, weight.size() - from);
    const std::size_t whole = count - count % kLanes;
    float lanes[kLanes] = {};
    momentumLanes(weight.data() + from, velocity.data() + from, gradient.data() + from, lanes, whole,
                  settings);
    if (whole < count) {
      float w[kLanes] = {}, v[kLanes] = {}, g[kLanes] = {};
      const std::size_t rest = from + whole;
      const std::size_t left = count - whole;
      std::copy_n(weight.data() + rest, left, w);
      std::copy_n(velocity.data() + rest, left, v);
      std::copy_n(gradient.data() + rest, left, g);
      momentumLanes(w, v, g, lanes, kLanes, settings);
      std::copy_n(w, left, weight.data() + rest);
      std::copy_n(v, left, velocity.data() + rest);
      std::fill_n(gradient.data() + rest, left, 0.0F);
    }
    sum += sumOf(lanes);
  }
  return sum;
}

double adamStep(std::span<float> weight, std::span<float> first, std::span<float> second,
                std::span<float> gradient, const AdamSettings& settings) {
  double sum = 0;
  for (std::size_t from = 0; from < weight.size(); from += kBlock) {
    const std::size_t count = std::min(kBlock, weight.size() - from);
    const std::size_t whole = count - count % kLanes;
    float lanes[kLanes] = {};
    adamLanes(weight.data() + from, first.data() + from, second.data() + from, gradient.data() + from, lanes,
              whole, settings);
    if (whole < count) {
      float w[kLanes] = {}, m[kLanes] = {}, v[kLanes] = {}, g[kLanes] = {};
      const std::size_t rest = from + whole;
      const std::size_t left = count - whole;
      std::copy_n(weight.data() + rest, left, w);
      std::copy_n(first.data() + rest, left, m);
      std::copy_n(second.data() + rest, left, v);
      std::copy_n(gradient.data() + rest, left, g);
      adamLanes(w, m, v, g, lanes, kLanes, settings);
      std::copy_n(w, left, weight.data() + rest);
      std::copy_n(m, left, first.data() + rest);
      std::copy_n(v, left, second.data() + rest);
      std::fill_n(gradient.data() + rest, left, 0.0F);
    }
    sum += sumOf(lanes);
  }
  return sum;
}

void addInto(std::span<float> to, std::span<const float> from) {
  addRange(to.data(), from.data(), from.size());
}

double sumOfSquares(std::span<const float> data) {
  double sum = 0;
  for (std::size_t from = 0; from < data.size(); from += kBlock) {
    const std::size_t count = std::min(kBlock, data.size() - from);
    float lanes[kLanes] = {};
    addSquares(lanes, data.data() + from, count);
    for (std::size_t i = count - count % kLanes; i < count; ++i)
      lanes[i % kLanes] += data[from + i] * data[from + i];
    sum += sumOf(lanes);
  }
  return sum;
}

}  // namespace lockstep::trainer
