// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/ddp/device/device_queue.h"

#include <exception>

#ifdef LOCKSTEP_TORCH_CUDA
#include <ATen/cuda/CUDAContext.h>
#include <ATen/cuda/CUDAEvent.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>

#include <array>
#endif

namespace lockstep::trainer {

#ifdef LOCKSTEP_TORCH_CUDA
namespace {

class CudaQueue final : public DeviceQueue {
 public:
  explicit CudaQueue(int device)
      : device_(static_cast<c10::DeviceIndex>(device)), stream_(at::cuda::getStreamFromPool(true, device_)) {}

  [[nodiscard]] void* handle() const override { return stream_.stream(); }
  void afterCompute() override {
    at::cuda::CUDAEvent reached;
    reached.record(compute());
    reached.block(stream_);
  }
  void computeAfter() override {
    at::cuda::CUDAEvent done;
    done.record(stream_);
    done.block(compute());
  }
  [[nodiscard]] bool isIdle() const override { return stream_.query(); }
  void set(Mark mark) override { event(mark).record(mark == Mark::ComputeReached ? compute() : stream_); }
  [[nodiscard]] std::optional<double> msBetween(Mark from, Mark to) const override {
    const auto& first = event(from);
    const auto& second = event(to);
    if (!first.isCreated() || !second.isCreated() || !first.query() || !second.query()) return std::nullopt;
    return first.elapsed_time(second);
  }

 private:
  [[nodiscard]] at::cuda::CUDAStream compute() const { return at::cuda::getCurrentCUDAStream(device_); }
  [[nodiscard]] at::cuda::CUDAEvent& event(Mark mark) const {
    return events_.at(static_cast<std::size_t>(mark));
  }

  c10::DeviceIndex device_;
  at::cuda::CUDAStream stream_;
  mutable std::array<at::cuda::CUDAEvent, 3> events_{
      at::cuda::CUDAEvent(cudaEventDefault), at::cuda::CUDAEvent(cudaEventDefault),
      at::cuda::CUDAEvent(cudaEventDefault)};  // with time, unlike LibTorch's own default
};

}  // namespace

Result<std::unique_ptr<DeviceQueue>> makeDeviceQueue(int device) {
  try {
    if (device >= at::cuda::device_count()) {
      return failure(ErrorCode::Unavailable, "this rank has no GPU of its own",
                     "the machine has fewer GPUs than ranks", "start one rank per GPU");
    }
    const c10::cuda::CUDAGuard guard(static_cast<c10::DeviceIndex>(device));
    return std::make_unique<CudaQueue>(device);
  } catch (const std::exception& error) {
    return failure(ErrorCode::Unavailable, "the GPU cannot be used", error.what());
  }
}

void useDevice(int device) {
  c10::cuda::set_device(static_cast<c10::DeviceIndex>(device));
}

bool buildHasDevices() {
  return true;
}
#else
Result<std::unique_ptr<DeviceQueue>> makeDeviceQueue(int) {
  return failure(ErrorCode::Unavailable, "no GPU can be used", "this build's LibTorch is for CPUs only",
                 "train with --backend gloo, or build against a LibTorch with CUDA");
}

void useDevice(int) {}

bool buildHasDevices() {
  return false;
}
#endif

}  // namespace lockstep::trainer
