// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>
#include <span>

namespace lockstep::trainer {

/// What a GPU says about itself. A value is absent where it cannot be read.
struct GpuUsage {
  std::optional<double> percent, memoryBytes;
  std::optional<double> powerWatts, temperatureCelsius;
  std::optional<double> smClockMhz, memoryClockMhz;
  std::optional<double> eccErrors;  // uncorrected ones since the driver was loaded
  std::optional<double> lastXid;    // number of the last Xid error since the first reading; 0: none
  std::optional<double> processes;  // that compute on it
};

/// Of several GPUs that one process trains on: memory, power and errors are summed, utilization and clocks are the mean,
/// temperature, Xid and the number of processes the largest.
[[nodiscard]] GpuUsage together(std::span<const GpuUsage> gpus);

}  // namespace lockstep::trainer
