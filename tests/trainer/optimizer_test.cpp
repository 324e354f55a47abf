// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/optim/optimizer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "trainer/optim/flat_kernels.h"
#include "trainer/optim/learning_rate.h"
#include "trainer/optim/loss_scale.h"

namespace lockstep::trainer {
namespace {

constexpr std::size_t kCount = 1003;  // no multiple of any vector width

std::vector<float> rising(float from, float by) {
  std::vector<float> numbers(kCount);
  for (std::size_t i = 0; i < kCount; ++i) numbers[i] = from + by * static_cast<float>(i);
  return numbers;
}

TEST(Optimizer, SgdDoesWhatTheFormulaSays) {
  OptimizerSettings settings;
  settings.momentum = 0.9;
  settings.weightDecay = 0.01;
  Optimizer optimizer(settings, kCount);
  ASSERT_EQ(optimizer.momentCount(), 1U);
  std::vector<float> weights = rising(1, 0.01F);
  std::vector<double> expected(weights.begin(), weights.end()), velocity(kCount, 0);
  for (int step = 0; step < 3; ++step) {
    std::vector<float> gradients = rising(-1, 0.002F);
    for (std::size_t i = 0; i < kCount; ++i) {
      velocity[i] = 0.9 * velocity[i] + 0.5 * (-1 + 0.002 * static_cast<double>(i)) + 0.01 * expected[i];
      expected[i] -= 0.1 * velocity[i];
    }
    optimizer.beginUpdate();
    const double squares = sumOfSquares(gradients);
    EXPECT_NEAR(optimizer.update(0, weights, gradients, 0.1, 0.5), squares, 1e-4 * squares);
    for (const float gradient : gradients) EXPECT_EQ(gradient, 0.0F);
  }
  for (std::size_t i = 0; i < kCount; ++i) EXPECT_NEAR(weights[i], expected[i], 1e-4);
}

// In two ranges, as two threads do it.
TEST(Optimizer, AdamWDoesWhatTheFormulaSays) {
  OptimizerSettings settings;
  settings.kind = OptimizerSettings::Kind::AdamW;
  settings.weightDecay = 0.1;
  Optimizer optimizer(settings, kCount);
  ASSERT_EQ(optimizer.momentCount(), 2U);
  std::vector<float> weights = rising(1, 0.01F);
  std::vector<double> expected(weights.begin(), weights.end()), first(kCount, 0), second(kCount, 0);
  for (int step = 1; step <= 4; ++step) {
    std::vector<float> gradients = rising(-1, 0.002F * static_cast<float>(step));
    for (std::size_t i = 0; i < kCount; ++i) {
      const double g = 2.0 * static_cast<double>(gradients[i]);
      expected[i] *= 1 - 0.01 * 0.1;
      first[i] = 0.9 * first[i] + 0.1 * g;
      second[i] = 0.999 * second[i] + 0.001 * g * g;
      const double root = std::sqrt(second[i]) / std::sqrt(1 - std::pow(0.999, step)) + 1e-8;
      expected[i] -= 0.01 / (1 - std::pow(0.9, step)) * first[i] / root;
    }
    optimizer.beginUpdate();
    constexpr std::size_t kCut = 500;
    optimizer.update(kCut, std::span(weights).subspan(kCut), std::span(gradients).subspan(kCut), 0.01, 2);
    optimizer.update(0, std::span(weights).first(kCut), std::span(gradients).first(kCut), 0.01, 2);
  }
  EXPECT_EQ(optimizer.updates(), 4);
  for (std::size_t i = 0; i < kCount; ++i) EXPECT_NEAR(weights[i], expected[i], 1e-4) << i;
}

TEST(FlatKernels, SumOfSquaresIsExactEnough) {
  std::vector<float> numbers(1'000'003);
  double expected = 0;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    numbers[i] = std::sin(static_cast<float>(i));
    expected += static_cast<double>(numbers[i]) * static_cast<double>(numbers[i]);
  }
  EXPECT_NEAR(sumOfSquares(numbers) / expected, 1, 1e-6);
  EXPECT_EQ(sumOfSquares({}), 0);
}

TEST(LossScale, HalvesAfterAnOverflowAndGrowsSlowly) {
  LossScale scale;
  EXPECT_EQ(scale.value(), 65'536);
  scale.update(false);
  EXPECT_EQ(scale.value(), 32'768);
  for (int step = 0; step < 1999; ++step) scale.update(true);
  EXPECT_EQ(scale.value(), 32'768);
  scale.update(true);
  EXPECT_EQ(scale.value(), 65'536);
  for (int step = 0; step < 1999; ++step) scale.update(true);
  scale.update(false);
  scale.update(true);
  EXPECT_EQ(scale.value(), 32'768) << "counted anew after an overflow";
}

TEST(LearningRate, StepsDownAsStepLrDoes) {
  LearningRateSettings rate;
  rate.schedule = LearningRateSettings::Schedule::Step;
  rate.base = 0.8;
  rate.gamma = 0.5;
  rate.epochsPerDrop = 2;
  EXPECT_DOUBLE_EQ(learningRateAt(rate, 0, 0, 100), 0.8);
  EXPECT_DOUBLE_EQ(learningRateAt(rate, 19, 1, 100), 0.8);
  EXPECT_DOUBLE_EQ(learningRateAt(rate, 20, 2, 100), 0.4);
  EXPECT_DOUBLE_EQ(learningRateAt(rate, 50, 5, 100), 0.2);
}

TEST(LearningRate, WarmsUpAndFollowsTheCosine) {
  LearningRateSettings rate;
  rate.schedule = LearningRateSettings::Schedule::Cosine;
  rate.base = 1;
  rate.min = 0.1;
  rate.warmupSteps = 4;
  EXPECT_DOUBLE_EQ(learningRateAt(rate, 0, 0, 104), 0.25);
  EXPECT_DOUBLE_EQ(learningRateAt(rate, 3, 0, 104), 1);
  EXPECT_DOUBLE_EQ(learningRateAt(rate, 4, 0, 104), 1);
  EXPECT_DOUBLE_EQ(learningRateAt(rate, 54, 0, 104), 0.55);
  EXPECT_NEAR(learningRateAt(rate, 104, 0, 104), 0.1, 1e-12);
  EXPECT_NEAR(learningRateAt(rate, 500, 0, 104), 0.1, 1e-12);
  rate.schedule = LearningRateSettings::Schedule::Constant;
  EXPECT_DOUBLE_EQ(learningRateAt(rate, 60, 3, 104), 1);
}

}  // namespace
}  // namespace lockstep::trainer
