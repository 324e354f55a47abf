// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <map>
#include <memory>
#include <string>

#include "trainer/usage/gpu_usage.h"
#include "trainer/usage/node_usage.h"
#include "trainer/usage/process_tree_usage.h"

namespace lockstep::trainer {

class NvmlDevice;

/// What a rank uses: its process, its GPU, and the node that it shares with others.
struct Usage {
  ProcessUsage process;
  NodeUsage node;
  GpuUsage gpu;  // of this local rank
};

/// What this process uses: /proc, /sys and, where it can be loaded, NVML, the library that NVML_LIBRARY names, else
/// libnvidia-ml.so.1. One reading costs some 100 microseconds without a GPU, and milliseconds with one. One thread.
class MachineUsage {
 public:
  MachineUsage(int localRank, const std::map<std::string, std::string>& environment);
  MachineUsage(const MachineUsage&) = delete;
  MachineUsage& operator=(const MachineUsage&) = delete;
  ~MachineUsage();
  Usage read();

 private:
  std::unique_ptr<NvmlDevice> gpu_;  // null: there is none
  ProcessTreeUsage process_;
  NodeUsageReader node_;
};

/// Highest resident size of this process so far, in MiB; 0 where it cannot be read.
[[nodiscard]] double peakResidentMiB();
/// Cores that this process may run on.
[[nodiscard]] int usableCores();

}  // namespace lockstep::trainer
