// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "trainer/usage/gpu_usage.h"

namespace lockstep::trainer {

/// A process that computes on a GPU. In a container the number may be one of the host.
struct GpuProcess {
  long long pid = 0;
  std::optional<double> memoryBytes;  // of the GPU; absent: the driver does not tell
};

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
  /// Those of the last reading that has looked for them, which every fifth does; some hundred at most.
  [[nodiscard]] const std::vector<GpuProcess>& processes() const { return processes_; }

 private:
  struct Functions;
  NvmlDevice(void* library, std::unique_ptr<Functions> functions, void* device);
  void watchXids();
  /// False: the driver does not tell.
  bool lookForProcesses();

  void* library_;
  std::unique_ptr<Functions> call_;
  void* device_;
  void* events_ = nullptr;  // null: Xids are not told
  double lastXid_ = 0;
  int readings_ = 0;
  bool areProcessesKnown_ = false;
  std::vector<GpuProcess> processes_;
};

}  // namespace lockstep::trainer
