// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/ddp/replica/host_copy.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

namespace lockstep::trainer {

HostCopy::HostCopy(at::Device device) : fence_(device.is_cpu() ? nullptr : makeDeviceFence(device.index())) {}

void HostCopy::begin(const at::Tensor& numbers) {
  const at::NoGradGuard noGrad;
  const bool onDevice = fence_ != nullptr;
  if (!here_.defined() || here_.numel() != numbers.numel())
    here_ = at::empty({numbers.numel()}, at::TensorOptions().dtype(at::kFloat).pinned_memory(onDevice));
  here_.copy_(numbers, /*non_blocking=*/onDevice);
  if (onDevice) fence_->set();
}

std::span<const float> HostCopy::wait() {
  if (fence_) fence_->wait();
  return {here_.data_ptr<float>(), static_cast<std::size_t>(here_.numel())};
}

}  // namespace lockstep::trainer
