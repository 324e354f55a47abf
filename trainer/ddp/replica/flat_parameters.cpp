// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/ddp/replica/flat_parameters.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

namespace lockstep::trainer {
namespace {

at::Tensor viewOf(const at::Tensor& flat, const at::Tensor& like, std::size_t offset) {
  return flat.as_strided(like.sizes(), like.strides(), static_cast<std::int64_t>(offset));
}

}  // namespace

FlatParameters::FlatParameters(const std::vector<at::Tensor>& parameters) {
  std::int64_t total = 0;
  for (const at::Tensor& parameter : parameters) total += parameter.numel();
  const auto place = parameters.front().options().requires_grad(false);
  weights_ = at::empty({total}, place);
  gradients_ = at::zeros({total + static_cast<std::int64_t>(kPiggybackedScalars)}, place);
  const at::NoGradGuard noGrad;
  std::size_t offset = 0;
  for (auto parameter = parameters.rbegin(); parameter != parameters.rend(); ++parameter) {
    const at::Tensor view = viewOf(weights_, *parameter, offset);
    view.copy_(*parameter);
    parameter->set_data(view);
    parameter->mutable_grad() = viewOf(gradients_, *parameter, offset);
    slices_.push_back({*parameter, offset, static_cast<std::size_t>(parameter->numel())});
    offset += slices_.back().count;
  }
}

}  // namespace lockstep::trainer
