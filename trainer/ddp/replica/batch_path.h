// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <ATen/core/Tensor.h>

#include <array>
#include <memory>

#include "trainer/data/batch.h"
#include "trainer/ddp/device/gpu_timer.h"

namespace lockstep::trainer {

/// Brings batches to where a replica computes. On a CPU they are there: the tensors are views of the batch.
/// To a GPU they go `staged`, by way of pinned memory, from which the GPU copies by itself while the host
/// goes on; two such places take turns, so that filling one waits for the copies of the batch before the
/// last, which are long done. One thread.
class BatchPath {
 public:
  BatchPath(const SampleShape& shape, at::Device device, bool staged);

  struct Tensors {
    at::Tensor input, targets;
  };
  /// Views stay good as long as the batch, and what was staged on a CPU until the call after the next.
  Tensors bring(const Batch& batch);

 private:
  struct Place {
    at::Tensor input, targets;           // as large as the largest batch so far
    std::unique_ptr<DeviceFence> fence;  // null: pageable memory, which is copied from at once
  };
  [[nodiscard]] Tensors viewsOf(const Batch& batch) const;
  [[nodiscard]] at::Tensor sent(at::Tensor& staging, const at::Tensor& values, bool pinned) const;

  SampleShape shape_;
  at::Device device_;
  bool staged_;
  std::array<Place, 2> places_;
  std::size_t next_ = 0;
};

}  // namespace lockstep::trainer
