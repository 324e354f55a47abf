// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/models/resnet.h"

#include <torch/nn/init.h>
#include <torch/nn/options/conv.h>

#include <array>

namespace lockstep::trainer {
namespace {

torch::nn::Conv2d convolution(int from, int to, int side, int stride) {
  return torch::nn::Conv2d(
      torch::nn::Conv2dOptions(from, to, side).stride(stride).padding(side / 2).bias(false));
}

}  // namespace

/// Convolutions with a short cut around them: 3x3 twice, or 1x1, 3x3, 1x1 with four times the width.
class ResNet::Block final : public torch::nn::Module {
 public:
  Block(int from, int width, int stride, bool bottleneck) {
    const int to = bottleneck ? 4 * width : width;
    if (bottleneck) {
      addLayer(from, width, 1, 1);
      addLayer(width, width, 3, stride);
      addLayer(width, to, 1, 1);
    } else {
      addLayer(from, width, 3, stride);
      addLayer(width, width, 3, 1);
    }
    if (stride == 1 && from == to) return;
    auto downsample = register_module("downsample", std::make_shared<torch::nn::Module>());
    shortCut_ = downsample->register_module("0", convolution(from, to, 1, stride));
    shortCutNorm_ = downsample->register_module("1", torch::nn::BatchNorm2d(to));
  }

  at::Tensor forward(const at::Tensor& input) {
    at::Tensor x = input;
    for (std::size_t i = 0; i < layers_.size(); ++i) {
      x = layers_[i].second->forward(layers_[i].first->forward(x));
      if (i + 1 < layers_.size()) x = x.relu_();
    }
    x += shortCut_ ? shortCutNorm_->forward(shortCut_->forward(input)) : input;
    return x.relu_();
  }
  [[nodiscard]] torch::nn::BatchNorm2d lastNorm() const { return layers_.back().second; }

 private:
  void addLayer(int from, int to, int side, int stride) {
    const std::string number = std::to_string(layers_.size() + 1);
    auto convolving = register_module("conv" + number, convolution(from, to, side, stride));
    layers_.emplace_back(convolving, register_module("bn" + number, torch::nn::BatchNorm2d(to)));
  }

  std::vector<std::pair<torch::nn::Conv2d, torch::nn::BatchNorm2d>> layers_;
  torch::nn::Conv2d shortCut_{nullptr};
  torch::nn::BatchNorm2d shortCutNorm_{nullptr};
};

ResNet::ResNet(ResNetDepth depth, const SampleShape& shape)
    : smallStem_(shape.height < 64 || shape.width < 64),
      conv1_(smallStem_ ? convolution(shape.channels, 64, 3, 1) : convolution(shape.channels, 64, 7, 2)),
      bn1_(64) {
  register_module("conv1", conv1_);
  register_module("bn1", bn1_);
  const bool bottleneck = depth == ResNetDepth::Fifty;
  const std::array<int, 4> counts =
      bottleneck ? std::array<int, 4>{3, 4, 6, 3} : std::array<int, 4>{2, 2, 2, 2};
  for (int stage = 0; stage < 4; ++stage)
    addStage(stage + 1, counts[static_cast<std::size_t>(stage)], 64 << stage, stage == 0 ? 1 : 2, bottleneck);
  fc_ = register_module("fc", torch::nn::Linear(channels_, shape.classes));
  drawWeights();
}

void ResNet::addStage(int number, int blocks, int width, int stride, bool bottleneck) {
  auto stage = register_module("layer" + std::to_string(number), std::make_shared<torch::nn::Module>());
  for (int i = 0; i < blocks; ++i) {
    auto block = std::make_shared<Block>(channels_, width, i == 0 ? stride : 1, bottleneck);
    stage->register_module(std::to_string(i), block);
    blocks_.push_back(std::move(block));
    channels_ = bottleneck ? 4 * width : width;
  }
}

void ResNet::drawWeights() {
  for (auto& item : named_parameters()) {
    if (item.value().dim() == 4)
      torch::nn::init::kaiming_normal_(item.value(), 0, torch::kFanOut, torch::kReLU);
  }
}

at::Tensor ResNet::scores(const at::Tensor& images) {
  at::Tensor x = bn1_->forward(conv1_->forward(images)).relu_();
  if (!smallStem_) x = at::max_pool2d(x, {3, 3}, {2, 2}, {1, 1});
  for (const auto& block : blocks_) x = block->forward(x);
  return fc_->forward(x.mean({2, 3}));
}

}  // namespace lockstep::trainer
