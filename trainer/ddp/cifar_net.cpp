// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/ddp/cifar_net.h"

#include <torch/autograd.h>
#include <torch/nn/options/conv.h>
#include <torch/serialize.h>
#include <algorithm>
#include <chrono>

namespace lockstep::trainer {
namespace {

constexpr int kFlatFeatures = 128 * 6 * 6;

template <class Action>
double secondsOf(Action&& action) {
  const auto start = std::chrono::steady_clock::now();
  action();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

at::Tensor halved(const at::Tensor& x) {
  return at::max_pool2d(x, {2, 2});
}

}  // namespace

CifarNet::CifarNet(double dropout)
    : conv1_(torch::nn::Conv2dOptions(3, 32, 3)),
      conv2_(torch::nn::Conv2dOptions(32, 64, 3)),
      conv3_(torch::nn::Conv2dOptions(64, 128, 3)),
      dropout_(dropout),
      fc1_(kFlatFeatures, 120),
      fc2_(120, 84),
      fc3_(84, 10) {
  register_module("conv1", conv1_);
  register_module("conv2", conv2_);
  register_module("conv3", conv3_);
  register_module("dropout", dropout_);
  register_module("fc1", fc1_);
  register_module("fc2", fc2_);
  register_module("fc3", fc3_);
}

at::Tensor CifarNet::apply(const torch::nn::Linear& layer, const at::Tensor& input,
                           bool asConvolution) const {
  if (!asConvolution) return at::linear(input, layer->weight, layer->bias);
  const auto inputs = layer->weight.size(1);
  const auto outputs = layer->weight.size(0);
  return at::conv2d(input.view({-1, inputs, 1, 1}), layer->weight.view({outputs, inputs, 1, 1}), layer->bias)
      .view({-1, outputs});
}

at::Tensor CifarNet::forward(const at::Tensor& images) {
  at::Tensor x = at::relu(conv1_->forward(images));
  // max and relu commute; after the pooling there is a quarter of the memory to go through.
  x = at::relu(halved(conv2_->forward(x)));
  x = at::relu(halved(conv3_->forward(x)));
  x = x.reshape({-1, kFlatFeatures});
  x = dropout_->forward(at::relu(apply(fc1_, x, convolutionForLinear_)));
  x = at::relu(apply(fc2_, x, convolutionForLinear_));
  return apply(fc3_, x, convolutionForLinear_);
}

bool CifarNet::convolutionIsFaster(int batchSize) {
  constexpr int kTries = 4;
  const at::Tensor input = at::rand({batchSize, kFlatFeatures}).set_requires_grad(true);
  double best[2] = {1e9, 1e9};
  for (int i = 0; i < kTries; ++i) {
    for (const bool convolution : {false, true}) {
      const double seconds = secondsOf([&] {
        torch::autograd::grad({apply(fc1_, input, convolution).sum()}, {input, fc1_->weight});
      });
      best[convolution] = std::min(best[convolution], seconds);
    }
  }
  return best[true] < best[false];
}

std::string CifarNet::stateDictBytes() const {
  c10::Dict<std::string, at::Tensor> state;
  for (const auto& item : named_parameters()) {
    // A copy of its own: the parameters are views of one buffer, which would be written whole.
    state.insert(item.key(), item.value().detach().clone(at::MemoryFormat::Contiguous));
  }
  const std::vector<char> bytes = torch::pickle_save(state);
  return {bytes.begin(), bytes.end()};
}

}  // namespace lockstep::trainer
