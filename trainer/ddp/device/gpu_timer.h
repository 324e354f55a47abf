// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstddef>
#include <memory>
#include <optional>

namespace lockstep::trainer {

/// What the computing queue of a GPU was busy with, in milliseconds of the GPU's clock. `idle`: nothing, from
/// the end of one step's work to the beginning of the next one's.
struct DeviceTimes {
  double idle = 0, hostToDevice = 0, forward = 0, backward = 0, sums = 0, optimizer = 0;
};

/// Times the work of a GPU by marks in its queue, so that the host need not wait for it. One thread.
class GpuTimer {
 public:
  virtual ~GpuTimer() = default;
  /// What the queue has been given since the last mark belongs to that part. Costs the host a microsecond.
  virtual void end(double DeviceTimes::*part) = 0;
  /// The laps that the GPU is through with, which are then forgotten; those that it is not come another time.
  virtual DeviceTimes take() = 0;
};

/// Of the queue in which LibTorch computes on that GPU; nullptr where this LibTorch is for CPUs only.
std::unique_ptr<GpuTimer> makeGpuTimer(int device);

/// Says when memory of the host is free again that a GPU copies from. One thread.
class DeviceFence {
 public:
  virtual ~DeviceFence() = default;
  /// After the copies have been queued.
  virtual void set() = 0;
  /// Blocks until the GPU has come to where set() was last called; at once before the first.
  virtual void wait() = 0;
};
/// nullptr where this LibTorch is for CPUs only.
std::unique_ptr<DeviceFence> makeDeviceFence(int device);

}  // namespace lockstep::trainer
