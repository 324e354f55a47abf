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

/// How linear layers multiply: as matrices through BLAS, or as 1x1 convolutions through oneDNN. The result is
/// the same up to rounding; which one is faster depends on the BLAS that is installed.
enum class LinearWay { Matrix, Convolution };

/// A network that a Replica trains. The names of parameters and buffers are those of the Python module of the
/// guide, of torchvision or of nanoGPT, so state dicts fit in both directions.
class Model : public torch::nn::Module {
 public:
  /// Scores of the classes, one row per target: images [N, C, H, W] give [N, classes], tokens [N, T] give
  /// [N * T, classes].
  virtual at::Tensor scores(const at::Tensor& input) = 0;
  /// Further names that the state dict has for a parameter: {name there, name here}.
  [[nodiscard]] virtual std::vector<std::pair<std::string, std::string>> sharedNames() const { return {}; }
  /// The linear layer with most to do, and its rows per sample.
  [[nodiscard]] virtual std::pair<torch::nn::Linear, int> heaviestLinear() const = 0;

  void useLinearWay(LinearWay way) { linearWay_ = way; }
  [[nodiscard]] LinearWay linearWay() const { return linearWay_; }

 protected:
  [[nodiscard]] at::Tensor linear(const torch::nn::Linear& layer, const at::Tensor& input) const;

 private:
  LinearWay linearWay_ = LinearWay::Matrix;
};

/// Draws its weights from LibTorch's random numbers. InvalidArgument when it cannot take such samples.
Result<std::shared_ptr<Model>> makeModel(const ModelSpec& spec);

/// Tries both ways on the heaviest linear layer with that many samples.
[[nodiscard]] LinearWay fasterLinearWay(const Model& model, int samples);

/// The layer in the given way. Rows are all dimensions but the last.
[[nodiscard]] at::Tensor applyLinear(const torch::nn::Linear& layer, const at::Tensor& input, LinearWay way);

}  // namespace lockstep::trainer
