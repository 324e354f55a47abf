// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/optim/optimizer.h"

#include <cmath>

#include "trainer/optim/flat_kernels.h"

namespace lockstep::trainer {

Optimizer::Optimizer(const OptimizerSettings& settings, std::size_t weights)
    : settings_(settings), moments_(settings.kind == OptimizerSettings::Kind::Sgd ? 1 : 2) {
  for (auto& moment : moments_) moment.assign(weights, 0.0F);
}

double Optimizer::update(std::size_t first, std::span<float> weights, std::span<float> gradients,
                         double learningRate, double gradientScale) {
  const auto momentOf = [&](std::size_t number) {
    return std::span(moments_[number]).subspan(first, weights.size());
  };
  if (settings_.kind == OptimizerSettings::Kind::Sgd) {
    return momentumStep(weights, momentOf(0), gradients,
                        {static_cast<float>(learningRate), static_cast<float>(settings_.momentum),
                         static_cast<float>(settings_.weightDecay), static_cast<float>(gradientScale)});
  }
  AdamSettings adam;
  const auto count = static_cast<double>(updates_);
  adam.keep = static_cast<float>(1 - learningRate * settings_.weightDecay);
  adam.stepSize = static_cast<float>(learningRate / (1 - std::pow(settings_.firstBeta, count)));
  adam.firstBeta = static_cast<float>(settings_.firstBeta);
  adam.secondBeta = static_cast<float>(settings_.secondBeta);
  adam.firstRest = static_cast<float>(1 - settings_.firstBeta);
  adam.secondRest = static_cast<float>(1 - settings_.secondBeta);
  adam.rootScale = static_cast<float>(1 / std::sqrt(1 - std::pow(settings_.secondBeta, count)));
  adam.epsilon = static_cast<float>(settings_.epsilon);
  adam.gradientScale = static_cast<float>(gradientScale);
  return adamStep(weights, momentOf(0), momentOf(1), gradients, adam);
}

}  // namespace lockstep::trainer
