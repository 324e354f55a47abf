// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/models/model.h"

#include <torch/autograd.h>

#include <algorithm>
#include <chrono>

#include "trainer/models/cifar_net.h"
#include "trainer/models/gpt.h"
#include "trainer/models/mnist_net.h"
#include "trainer/models/resnet.h"

namespace lockstep::trainer {
namespace {

template <class Action>
double secondsOf(Action&& action) {
  const auto start = std::chrono::steady_clock::now();
  action();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

at::Tensor applyLinear(const torch::nn::Linear& layer, const at::Tensor& input, LinearWay way) {
  if (way == LinearWay::Matrix) return at::linear(input, layer->weight, layer->bias);
  const auto inputs = layer->weight.size(1);
  const auto outputs = layer->weight.size(0);
  auto sizes = input.sizes().vec();
  sizes.back() = outputs;
  return at::conv2d(input.reshape({-1, inputs, 1, 1}), layer->weight.view({outputs, inputs, 1, 1}),
                    layer->bias)
      .view(sizes);
}

at::Tensor Model::linear(const torch::nn::Linear& layer, const at::Tensor& input) const {
  return applyLinear(layer, input, linearWay_);
}

Result<std::shared_ptr<Model>> makeModel(const ModelSpec& spec) {
  if (auto fits = checkModel(spec); !fits) return failure(fits.error());
  if (spec.name == "cifar") return std::make_shared<CifarNet>(spec.dropout.value_or(0.2), spec.shape.classes);
  if (spec.name == "mnist") return std::make_shared<MnistNet>(spec.dropout, spec.shape.classes);
  if (spec.name == "resnet18") return std::make_shared<ResNet>(ResNetDepth::Eighteen, spec.shape);
  if (spec.name == "resnet50") return std::make_shared<ResNet>(ResNetDepth::Fifty, spec.shape);
  if (const auto size = gptSize(spec.name))
    return std::make_shared<Gpt>(*size, spec.shape.classes, spec.dropout.value_or(0));
  return failure(StatusCode::InvalidArgument, "there is no network '" + spec.name + "'");
}

LinearWay fasterLinearWay(const Model& model, int samples) {
  constexpr int kTries = 4;
  constexpr int kMostRows = 2048;  // enough to tell, and quick with the slowest BLAS
  const auto [layer, rowsPerSample] = model.heaviestLinear();
  const auto rows = std::min<std::int64_t>(kMostRows, static_cast<std::int64_t>(samples) * rowsPerSample);
  const at::Tensor input = at::rand({rows, layer->weight.size(1)}).set_requires_grad(true);
  double best[2] = {1e9, 1e9};
  for (int i = 0; i < kTries; ++i) {
    for (const LinearWay way : {LinearWay::Matrix, LinearWay::Convolution}) {
      const double seconds = secondsOf([&] {
        torch::autograd::grad({applyLinear(layer, input, way).sum()}, {input, layer->weight});
      });
      double& least = best[way == LinearWay::Convolution];
      least = std::min(least, seconds);
    }
  }
  return best[1] < best[0] ? LinearWay::Convolution : LinearWay::Matrix;
}

}  // namespace lockstep::trainer
