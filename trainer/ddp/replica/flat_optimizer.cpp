// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/ddp/replica/flat_optimizer.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>

#include <cmath>

namespace lockstep::trainer {
namespace {

class HostOptimizer final : public FlatOptimizer {
 public:
  HostOptimizer(const OptimizerSettings& settings, std::size_t weights) : optimizer_(settings, weights) {}

  std::optional<double> update(FlatParameters& parameters, double learningRate,
                               double gradientScale) override {
    constexpr std::int64_t kGrain = 1 << 18;
    optimizer_.beginUpdate();
    const auto part = [&](std::int64_t begin, std::int64_t end, double sum) {
      const auto first = static_cast<std::size_t>(begin);
      const auto count = static_cast<std::size_t>(end - begin);
      return sum + optimizer_.update(first, parameters.weights().subspan(first, count),
                                     parameters.gradients().subspan(first, count), learningRate,
                                     gradientScale);
    };
    return at::parallel_reduce(0, static_cast<std::int64_t>(parameters.weights().size()), kGrain, 0.0, part,
                               [](double a, double b) { return a + b; });
  }
  std::vector<at::Tensor> moments() override {
    std::vector<at::Tensor> all;
    for (std::size_t i = 0; i < optimizer_.momentCount(); ++i) {
      const auto moment = optimizer_.moment(i);
      all.push_back(at::from_blob(moment.data(), {static_cast<std::int64_t>(moment.size())}, at::kFloat));
    }
    return all;
  }
  [[nodiscard]] long long updates() const override { return optimizer_.updates(); }
  void setUpdates(long long updates) override { optimizer_.setUpdates(updates); }

 private:
  Optimizer optimizer_;
};

class TensorOptimizer final : public FlatOptimizer {
 public:
  TensorOptimizer(const OptimizerSettings& settings, const at::Tensor& weights) : settings_(settings) {
    const std::size_t count = settings.kind == OptimizerSettings::Kind::Sgd ? 1 : 2;
    for (std::size_t i = 0; i < count; ++i) moments_.push_back(at::zeros_like(weights));
  }

  std::optional<double> update(FlatParameters& parameters, double learningRate,
                               double gradientScale) override {
    const at::NoGradGuard noGrad;
    ++updates_;
    const at::Tensor& weights = parameters.weightTensor();
    at::Tensor gradients = parameters.gradientTensor();
    if (gradientScale != 1) gradients.mul_(gradientScale);
    if (settings_.kind == OptimizerSettings::Kind::Sgd) {
      if (settings_.weightDecay != 0) gradients.add_(weights, settings_.weightDecay);
      moments_[0].mul_(settings_.momentum).add_(gradients);
      weights.add_(moments_[0], -learningRate);
    } else {
      const auto count = static_cast<double>(updates_);
      moments_[0].mul_(settings_.firstBeta).add_(gradients, 1 - settings_.firstBeta);
      moments_[1].mul_(settings_.secondBeta).addcmul_(gradients, gradients, 1 - settings_.secondBeta);
      const double root = std::sqrt(1 - std::pow(settings_.secondBeta, count));
      const at::Tensor divisor = moments_[1].sqrt().div_(root).add_(settings_.epsilon);
      weights.mul_(1 - learningRate * settings_.weightDecay)
          .addcdiv_(moments_[0], divisor, -learningRate / (1 - std::pow(settings_.firstBeta, count)));
    }
    gradients.zero_();
    return std::nullopt;
  }
  std::vector<at::Tensor> moments() override { return moments_; }
  [[nodiscard]] long long updates() const override { return updates_; }
  void setUpdates(long long updates) override { updates_ = updates; }

 private:
  OptimizerSettings settings_;
  std::vector<at::Tensor> moments_;
  long long updates_ = 0;
};

}  // namespace

std::unique_ptr<FlatOptimizer> makeHostOptimizer(const OptimizerSettings& settings, std::size_t weights) {
  return std::make_unique<HostOptimizer>(settings, weights);
}

std::unique_ptr<FlatOptimizer> makeTensorOptimizer(const OptimizerSettings& settings,
                                                   const at::Tensor& weights) {
  return std::make_unique<TensorOptimizer>(settings, weights);
}

}  // namespace lockstep::trainer
