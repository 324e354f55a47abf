// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <torch/nn/modules/conv.h>
#include <torch/nn/modules/dropout.h>

#include "trainer/models/model.h"

namespace lockstep::trainer {

/// The network of the PyTorch guide for CIFAR-10: convolutions 3-32-64-128 (3x3, no padding), two 2x2
/// poolings, linear 4608-120-84-classes, dropout after the first.
class CifarNet final : public Model {
 public:
  explicit CifarNet(double dropout, int classes = 10);
  at::Tensor scores(const at::Tensor& images) override;

 private:
  torch::nn::Conv2d conv1_, conv2_, conv3_;
  torch::nn::Dropout dropout_;
  torch::nn::Linear fc1_, fc2_, fc3_;
};

}  // namespace lockstep::trainer
