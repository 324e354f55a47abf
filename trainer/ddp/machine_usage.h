// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>

namespace lockstep::trainer {

/// What this process uses. A value is absent where it cannot be read.
struct Usage {
  std::optional<double> cpuPercent;                  // since the last reading; 100 = one core
  std::optional<double> memoryBytes;                 // resident
  std::optional<double> gpuPercent, gpuMemoryBytes;  // of the GPU of this local rank
};

/// Reads /proc and, where libnvidia-ml.so.1 can be loaded, NVML. One reading costs some microseconds without
/// a GPU. One thread.
class MachineUsage {
 public:
  explicit MachineUsage(int localRank);
  MachineUsage(const MachineUsage&) = delete;
  MachineUsage& operator=(const MachineUsage&) = delete;
  ~MachineUsage();
  Usage read();

 private:
  class Gpu;
  std::optional<double> readCpuPercent();

  std::unique_ptr<Gpu> gpu_;
  long long lastTicks_ = 0;
  std::chrono::steady_clock::time_point lastRead_;
};

/// Highest resident size of this process so far, in MiB; 0 where it cannot be read.
[[nodiscard]] double peakResidentMiB();
/// Cores that this process may run on.
[[nodiscard]] int usableCores();

}  // namespace lockstep::trainer
