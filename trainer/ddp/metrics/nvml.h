// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <map>
#include <memory>
#include <string>

#include "trainer/ddp/metrics/machine_usage.h"

namespace lockstep::trainer {

/// One GPU as NVIDIA's management library sees it, loaded by name so that the program starts on machines
/// without a driver. Declarations as in nvml.h. One thread.
class NvmlDevice {
 public:
  /// The GPU of that local rank, with CUDA_VISIBLE_DEVICES, which NVML itself ignores, taken into account.
  /// Null where there is none.
  static std::unique_ptr<NvmlDevice> open(int localRank,
                                          const std::map<std::string, std::string>& environment);
  NvmlDevice(const NvmlDevice&) = delete;
  NvmlDevice& operator=(const NvmlDevice&) = delete;
  ~NvmlDevice();
  [[nodiscard]] GpuUsage read();

 private:
  struct Functions;
  NvmlDevice(void* library, std::unique_ptr<Functions> functions, void* device);
  void watchXids();

  void* library_;
  std::unique_ptr<Functions> call_;
  void* device_;
  void* events_ = nullptr;  // null: Xids are not told
  double lastXid_ = 0;
};

}  // namespace lockstep::trainer
