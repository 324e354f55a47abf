// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <array>
#include <string>
#include <vector>

#include "metrics/metric_store.h"

namespace lockstep {

/// What the tile of a node shows, and that of a GPU, in their order.
inline constexpr std::array kNodeQuantities{metric::kCpuPercent,
                                            metric::kMemoryBytes,
                                            metric::kNetworkInBytesPerSecond,
                                            metric::kNetworkOutBytesPerSecond,
                                            metric::kDiskReadBytesPerSecond,
                                            metric::kDiskWriteBytesPerSecond};
inline constexpr std::array kGpuQuantities{metric::kGpuPercent,    metric::kGpuMemoryBytes,
                                           metric::kGpuPowerWatts, metric::kGpuTemperatureCelsius,
                                           metric::kGpuSmClockMhz, metric::kGpuMemoryClockMhz,
                                           metric::kGpuEccErrors,  metric::kGpuXid};

/// Quantities that somebody may want to see together.
struct QuantityGroup {
  const MetricInfo* first = nullptr;  // whose group it is; null: the names are a training script's own
  bool isMeasured = false;            // in this run
  std::vector<std::string> names;
};

/// All that a card of this run can show: first what was measured in it, group by group in the catalogue's order and the
/// script's own names last, then the rest of the catalogue. What the service measures of job runs is there only where the
/// run has it. Cost: the names of the run.
[[nodiscard]] std::vector<QuantityGroup> quantitiesToChoose(const MetricStore& metrics);

}  // namespace lockstep
