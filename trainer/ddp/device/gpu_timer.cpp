// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/ddp/device/gpu_timer.h"

#ifdef LOCKSTEP_TORCH_CUDA
#include <ATen/cuda/CUDAContext.h>
#include <ATen/cuda/CUDAEvent.h>

#include <deque>
#include <utility>
#include <vector>
#endif

namespace lockstep::trainer {

#ifdef LOCKSTEP_TORCH_CUDA
namespace {

using Event = at::cuda::CUDAEvent;

class CudaTimer final : public GpuTimer {
 public:
  explicit CudaTimer(int device) : device_(static_cast<c10::DeviceIndex>(device)) {}

  void end(double DeviceTimes::*part) override {
    Lap lap{spare(), part};
    lap.end.record(at::cuda::getCurrentCUDAStream(device_));
    laps_.push_back(std::move(lap));
  }

  // The first lap there is only a beginning for the next: when it was taken, its end stayed.
  DeviceTimes take() override {
    DeviceTimes times;
    while (laps_.size() > 1 && laps_[1].end.query()) {
      times.*laps_[1].part += laps_[0].end.elapsed_time(laps_[1].end);
      spare_.push_back(std::move(laps_[0].end));
      laps_.pop_front();
    }
    return times;
  }

 private:
  struct Lap {
    Event end;
    double DeviceTimes::*part;
  };
  // Making an event costs more than recording it.
  Event spare() {
    if (spare_.empty()) return Event(cudaEventDefault);  // with time, unlike LibTorch's own default
    Event event = std::move(spare_.back());
    spare_.pop_back();
    return event;
  }

  c10::DeviceIndex device_;
  std::deque<Lap> laps_;
  std::vector<Event> spare_;
};

class CudaFence final : public DeviceFence {
 public:
  explicit CudaFence(int device) : device_(static_cast<c10::DeviceIndex>(device)) {}
  void set() override { event_.record(at::cuda::getCurrentCUDAStream(device_)); }
  void wait() override {
    if (event_.isCreated()) event_.synchronize();
  }

 private:
  c10::DeviceIndex device_;
  Event event_;
};

}  // namespace

std::unique_ptr<GpuTimer> makeGpuTimer(int device) {
  return std::make_unique<CudaTimer>(device);
}

std::unique_ptr<DeviceFence> makeDeviceFence(int device) {
  return std::make_unique<CudaFence>(device);
}
#else
std::unique_ptr<GpuTimer> makeGpuTimer(int) {
  return nullptr;
}

std::unique_ptr<DeviceFence> makeDeviceFence(int) {
  return nullptr;
}
#endif

}  // namespace lockstep::trainer
