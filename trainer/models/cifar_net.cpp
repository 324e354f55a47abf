// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/models/cifar_net.h"

#include <torch/nn/options/conv.h>

#include "trainer/models/pooled_relu.h"

namespace lockstep::trainer {
namespace {

constexpr int kCifarFeatures = 128 * 6 * 6;

}  // namespace

CifarNet::CifarNet(double dropout, int classes)
    : conv1_(torch::nn::Conv2dOptions(3, 32, 3)),
      conv2_(torch::nn::Conv2dOptions(32, 64, 3)),
      conv3_(torch::nn::Conv2dOptions(64, 128, 3)),
      dropout_(dropout),
      fc1_(kCifarFeatures, 120),
      fc2_(120, 84),
      fc3_(84, classes) {
  register_module("conv1", conv1_);
  register_module("conv2", conv2_);
  register_module("conv3", conv3_);
  register_module("dropout", dropout_);
  register_module("fc1", fc1_);
  register_module("fc2", fc2_);
  register_module("fc3", fc3_);
}

at::Tensor CifarNet::scores(const at::Tensor& images) {
  at::Tensor x = conv1_->forward(images).relu_();
  x = pooledRelu(conv2_->forward(x));
  x = pooledRelu(conv3_->forward(x));
  x = x.reshape({-1, kCifarFeatures});
  x = dropout_->forward(at::relu(fc1_->forward(x)));
  return fc3_->forward(at::relu(fc2_->forward(x)));
}

}  // namespace lockstep::trainer
