// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <torch/nn/modules/batchnorm.h>
#include <torch/nn/modules/conv.h>

#include "trainer/models/model.h"

namespace lockstep::trainer {

enum class ResNetDepth { Eighteen, Fifty };

/// torchvision's ResNet (v1.5: the stride is in the 3x3 convolution of a bottleneck), with its names and its
/// drawing of weights. Images below 64 pixels get the stem that is usual for CIFAR: a 3x3 convolution of
/// stride 1 and no pooling, instead of 7x7 of stride 2 and pooling.
class ResNet final : public Model {
 public:
  ResNet(ResNetDepth depth, const SampleShape& shape);
  at::Tensor scores(const at::Tensor& images) override;

 private:
  class Block;
  void addStage(int number, int blocks, int width, int stride, bool bottleneck);
  void drawWeights();

  bool smallStem_;
  int channels_ = 64;  // of what the next block takes
  torch::nn::Conv2d conv1_;
  torch::nn::BatchNorm2d bn1_;
  std::vector<std::shared_ptr<Block>> blocks_;
  torch::nn::Linear fc_{nullptr};
};

}  // namespace lockstep::trainer
