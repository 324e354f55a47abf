// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <ATen/core/Tensor.h>

#include <memory>
#include <optional>
#include <vector>

#include "trainer/ddp/replica/flat_parameters.h"
#include "trainer/optim/optimizer.h"

namespace lockstep::trainer {

/// The optimizer of flat parameters where they lie: in memory of the host by our own loops, on a GPU by
/// LibTorch's operators over the whole buffers. Both take the same steps. One thread.
class FlatOptimizer {
 public:
  virtual ~FlatOptimizer() = default;
  /// Changes the weights by the gradients times `gradientScale`, and makes the gradients zero. Returns the
  /// sum of their squares as they came, where that costs nothing.
  virtual std::optional<double> update(FlatParameters& parameters, double learningRate,
                                       double gradientScale) = 0;
  /// Flat, as the weights; writing to them changes the optimizer.
  [[nodiscard]] virtual std::vector<at::Tensor> moments() = 0;
  [[nodiscard]] virtual long long updates() const = 0;
  virtual void setUpdates(long long updates) = 0;
};

[[nodiscard]] std::unique_ptr<FlatOptimizer> makeHostOptimizer(const OptimizerSettings& settings,
                                                               std::size_t weights);
/// Works on any device, with memory there.
[[nodiscard]] std::unique_ptr<FlatOptimizer> makeTensorOptimizer(const OptimizerSettings& settings,
                                                                 const at::Tensor& weights);

}  // namespace lockstep::trainer
