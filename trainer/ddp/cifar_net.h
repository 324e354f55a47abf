// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <torch/nn/module.h>
#include <torch/nn/modules/conv.h>
#include <torch/nn/modules/dropout.h>
#include <torch/nn/modules/linear.h>
#include <string>

namespace lockstep::trainer {

/// The network of the PyTorch guide for CIFAR-10: convolutions 3-32-64-128 (3x3, no padding), two 2x2
/// poolings, linear 4608-120-84-10, dropout after the first. Parameter names and shapes are those of the
/// Python module, so the saved state dict fits it.
class CifarNet : public torch::nn::Module {
 public:
  explicit CifarNet(double dropout);
  at::Tensor forward(const at::Tensor& images);

  /// How the linear layers multiply: as matrices through BLAS, or as 1x1 convolutions through oneDNN. The
  /// result is the same; which one is faster depends on the BLAS that is installed.
  void useConvolutionForLinear(bool use) { convolutionForLinear_ = use; }
  /// Tries both ways on the first linear layer with that many samples; true: the convolution was faster.
  [[nodiscard]] bool convolutionIsFaster(int batchSize);
  /// A zip file that Python's torch.load opens as a state dict.
  [[nodiscard]] std::string stateDictBytes() const;

 private:
  [[nodiscard]] at::Tensor apply(const torch::nn::Linear& layer, const at::Tensor& input,
                                 bool asConvolution) const;

  torch::nn::Conv2d conv1_, conv2_, conv3_;
  torch::nn::Dropout dropout_;
  torch::nn::Linear fc1_, fc2_, fc3_;
  bool convolutionForLinear_ = false;
};

}  // namespace lockstep::trainer
