// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <torch/nn/modules/conv.h>
#include <torch/nn/modules/dropout.h>

#include <optional>

#include "trainer/models/model.h"

namespace lockstep::trainer {

/// The network of PyTorch's MNIST example (pytorch/examples, mnist/main.py), which guides train: convolutions
/// 1-32-64 (3x3, no padding), one 2x2 pooling, linear 9216-128-classes, two dropouts. Its log_softmax belongs
/// to the loss here.
class MnistNet final : public Model {
 public:
  /// `dropout`: instead of the 0.25 and 0.5 of the example.
  explicit MnistNet(std::optional<double> dropout, int classes = 10);
  at::Tensor scores(const at::Tensor& images) override;

 private:
  torch::nn::Conv2d conv1_, conv2_;
  torch::nn::Dropout dropout1_, dropout2_;
  torch::nn::Linear fc1_, fc2_;
};

}  // namespace lockstep::trainer
