// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/usage/usage_values.h"

namespace lockstep::trainer {

std::vector<NamedValue> measuredOf(
    std::initializer_list<std::pair<std::string_view, std::optional<double>>> all) {
  std::vector<NamedValue> values;
  values.reserve(all.size());
  for (const auto& [name, value] : all)
    if (value) values.emplace_back(name, *value);
  return values;
}

std::vector<NamedValue> valuesOf(const Usage& usage) {
  const auto& [process, node, gpu] = usage;
  return measuredOf({{metric::kCpuPercent, process.cpuPercent},
                     {metric::kMemoryBytes, process.memoryBytes},
                     {metric::kDiskReadBytesPerSecond, process.diskReadBytesPerSecond},
                     {metric::kDiskWriteBytesPerSecond, process.diskWriteBytesPerSecond},
                     {metric::kNodeCpuPercent, node.cpuPercent},
                     {metric::kNodeMemoryPercent, node.memoryPercent},
                     {metric::kNodeDiskPercent, node.diskPercent},
                     {metric::kNetworkInBytesPerSecond, node.networkInBytesPerSecond},
                     {metric::kNetworkOutBytesPerSecond, node.networkOutBytesPerSecond},
                     {metric::kRdmaInBytesPerSecond, node.rdmaInBytesPerSecond},
                     {metric::kRdmaOutBytesPerSecond, node.rdmaOutBytesPerSecond},
                     {metric::kGpuPercent, gpu.percent},
                     {metric::kGpuMemoryBytes, gpu.memoryBytes},
                     {metric::kGpuPowerWatts, gpu.powerWatts},
                     {metric::kGpuTemperatureCelsius, gpu.temperatureCelsius},
                     {metric::kGpuSmClockMhz, gpu.smClockMhz},
                     {metric::kGpuMemoryClockMhz, gpu.memoryClockMhz},
                     {metric::kGpuEccErrors, gpu.eccErrors},
                     {metric::kGpuXid, gpu.lastXid},
                     {metric::kGpuProcesses, gpu.processes}});
}

}  // namespace lockstep::trainer
