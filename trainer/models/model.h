// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <torch/nn/module.h>
#include <torch/nn/modules/linear.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "trainer/models/model_spec.h"

namespace lockstep::trainer {

/// A network that a Replica trains. The names of parameters and buffers are those of the Python module of the
/// guide, of torchvision or of nanoGPT, so state dicts fit in both directions.
class Model : public torch::nn::Module {
 public:
  /// Scores of the classes, one row per target: images [N, C, H, W] give [N, classes], tokens [N, T] give
  /// [N * T, classes].
  virtual at::Tensor scores(const at::Tensor& input) = 0;
  /// Further names that the state dict has for a parameter: {name there, name here}.
  [[nodiscard]] virtual std::vector<std::pair<std::string, std::string>> sharedNames() const { return {}; }
};

/// Draws its weights from LibTorch's random numbers. InvalidArgument when it cannot take such samples.
Result<std::shared_ptr<Model>> makeModel(const ModelSpec& spec);

}  // namespace lockstep::trainer
