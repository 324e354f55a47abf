// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <memory>
#include <optional>

#include "base/error.h"

namespace lockstep::trainer {

/// A queue of work of one GPU, for collectives, beside the one that computes. Ordering the two never blocks
/// the host. One thread, but for isIdle().
class DeviceQueue {
 public:
  enum class Mark { ComputeReached, Met, Done };  // the first is set in the computing queue, the others here

  virtual ~DeviceQueue() = default;
  [[nodiscard]] virtual void* handle() const = 0;  // the stream, as NCCL wants it
  /// What is queued here next waits for all that the computing queue has been given so far.
  virtual void afterCompute() = 0;
  /// What is computed next waits for all that has been queued here so far.
  virtual void computeAfter() = 0;
  /// Whether all that has been queued here is done. Any thread.
  [[nodiscard]] virtual bool isIdle() const = 0;
  virtual void set(Mark mark) = 0;
  /// Time of the device from one mark to the other, negative when they came in the other order; nullopt until
  /// both have come.
  [[nodiscard]] virtual std::optional<double> msBetween(Mark from, Mark to) const = 0;
};

/// A queue of that GPU. Unavailable when this LibTorch is for CPUs only, or has no such GPU.
Result<std::unique_ptr<DeviceQueue>> makeDeviceQueue(int device);

/// Makes that GPU the one of the calling thread: NCCL takes it for its rank, and pinned memory belongs to it.
/// Without it every rank of a machine would take GPU 0. Does nothing in a build for CPUs; throws what
/// LibTorch throws.
void useDevice(int device);

/// Whether makeDeviceQueue() can work in this build.
[[nodiscard]] bool buildHasDevices();

}  // namespace lockstep::trainer
