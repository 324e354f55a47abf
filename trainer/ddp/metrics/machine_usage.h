// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace lockstep::trainer {

/// What the GPU of a rank says about itself. A value is absent where it cannot be read.
struct GpuUsage {
  std::optional<double> percent, memoryBytes;
  std::optional<double> powerWatts, temperatureCelsius;
  std::optional<double> smClockMhz, memoryClockMhz;
  std::optional<double> eccErrors;  // uncorrected ones since the driver was loaded
  std::optional<double> lastXid;    // number of the last Xid error since the first reading; 0: none
};

/// What this process and its machine use. A value is absent where it cannot be read; rates are since the last
/// reading.
struct Usage {
  std::optional<double> cpuPercent;                                       // 100 = one core
  std::optional<double> memoryBytes;                                      // resident
  std::optional<double> diskReadBytesPerSecond, diskWriteBytesPerSecond;  // of this process, from disks
  std::optional<double> networkInBytesPerSecond,
      networkOutBytesPerSecond;  // of the machine, without loopback
  GpuUsage gpu;                  // of this local rank
};

/// Reads /proc and, where it can be loaded, NVML: the library that NVML_LIBRARY names, else
/// libnvidia-ml.so.1. One reading costs some microseconds without a GPU, and milliseconds with one. One
/// thread.
class MachineUsage {
 public:
  MachineUsage(int localRank, const std::map<std::string, std::string>& environment);
  MachineUsage(const MachineUsage&) = delete;
  MachineUsage& operator=(const MachineUsage&) = delete;
  ~MachineUsage();
  Usage read();

 private:
  struct Counters {
    std::optional<double> cpuTicks, diskRead, diskWritten, networkIn, networkOut;
  };
  static Counters readCounters();

  class Gpu;
  std::unique_ptr<Gpu> gpu_;
  Counters last_;
  std::chrono::steady_clock::time_point lastRead_;
};

/// Received and sent bytes of all interfaces but loopback, from the text of /proc/net/dev.
struct NetworkBytes {
  double in = 0, out = 0;
};
[[nodiscard]] std::optional<NetworkBytes> networkBytesFrom(const std::string& text);

/// Highest resident size of this process so far, in MiB; 0 where it cannot be read.
[[nodiscard]] double peakResidentMiB();
/// Cores that this process may run on.
[[nodiscard]] int usableCores();

}  // namespace lockstep::trainer
