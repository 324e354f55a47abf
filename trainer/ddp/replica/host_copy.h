// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <ATen/core/Tensor.h>

#include <memory>
#include <span>

#include "trainer/ddp/device/gpu_timer.h"

namespace lockstep::trainer {

/// A few numbers on their way from a GPU to the host, which meanwhile can give the GPU more to do. On a CPU a
/// plain copy. One thread.
class HostCopy {
 public:
  explicit HostCopy(at::Device device);
  /// Queues the copy of these floats, as they are after all that was queued before.
  void begin(const at::Tensor& numbers);
  /// Blocks until they are there; good until the next begin().
  std::span<const float> wait();

 private:
  std::unique_ptr<DeviceFence> fence_;  // null on a CPU
  at::Tensor here_;
};

}  // namespace lockstep::trainer
