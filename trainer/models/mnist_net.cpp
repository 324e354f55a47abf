// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/models/mnist_net.h"

#include <torch/nn/options/conv.h>

#include "trainer/models/pooled_relu.h"

namespace lockstep::trainer {
namespace {

constexpr int kMnistFeatures = 64 * 12 * 12;

}  // namespace

MnistNet::MnistNet(std::optional<double> dropout, int classes)
    : conv1_(torch::nn::Conv2dOptions(1, 32, 3)),
      conv2_(torch::nn::Conv2dOptions(32, 64, 3)),
      dropout1_(dropout.value_or(0.25)),
      dropout2_(dropout.value_or(0.5)),
      fc1_(kMnistFeatures, 128),
      fc2_(128, classes) {
  register_module("conv1", conv1_);
  register_module("conv2", conv2_);
  register_module("dropout1", dropout1_);
  register_module("dropout2", dropout2_);
  register_module("fc1", fc1_);
  register_module("fc2", fc2_);
}

at::Tensor MnistNet::scores(const at::Tensor& images) {
  at::Tensor x = conv1_->forward(images).relu_();
  x = pooledRelu(conv2_->forward(x));
  x = dropout1_->forward(x).reshape({-1, kMnistFeatures});
  x = dropout2_->forward(at::relu(fc1_->forward(x)));
  return fc2_->forward(x);
}

}  // namespace lockstep::trainer
