// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/ids.h"

namespace lockstep {

/// Names of the quantities that Lockstep itself writes and draws. Units are in the names.
namespace metric {
inline constexpr std::string_view kLoss = "loss";                  // of this rank
inline constexpr std::string_view kMeanLoss = "mean_loss";         // all-reduced, where it was computed
inline constexpr std::string_view kAccuracy = "accuracy_percent";  // of an evaluation
inline constexpr std::string_view kEpoch = "epoch";
inline constexpr std::string_view kLearningRate = "learning_rate";
inline constexpr std::string_view kSamplesPerSecond = "samples_per_second";  // of this rank
inline constexpr std::string_view kStepMs = "step_ms";
inline constexpr std::string_view kDataMs = "data_ms";
inline constexpr std::string_view kForwardMs = "forward_ms";
inline constexpr std::string_view kBackwardMs = "backward_ms";
inline constexpr std::string_view kHostToDeviceMs = "host_to_device_ms";
inline constexpr std::string_view kWaitMs = "wait_ms";          // for the slowest peer, in collectives
inline constexpr std::string_view kTransferMs = "transfer_ms";  // in collectives, once all had come
inline constexpr std::string_view kOptimizerMs = "optimizer_ms";
inline constexpr std::string_view kOtherMs = "other_ms";            // what is left of step_ms
inline constexpr std::string_view kReducedBytes = "reduced_bytes";  // handed over to be summed, in this step
inline constexpr std::string_view kGradientNorm = "gradient_norm";
inline constexpr std::string_view kTokensPerSecond = "tokens_per_second";  // of this rank
inline constexpr std::string_view kModelFlopsPercent = "mfu_percent";      // model FLOPs of the peak's
inline constexpr std::string_view kCpuPercent = "cpu_percent";             // 100 = one core
inline constexpr std::string_view kMemoryBytes = "memory_bytes";           // resident
inline constexpr std::string_view kDiskReadBytesPerSecond = "disk_read_bytes_per_second";  // of this process
inline constexpr std::string_view kDiskWriteBytesPerSecond = "disk_write_bytes_per_second";
inline constexpr std::string_view kNetworkInBytesPerSecond = "network_in_bytes_per_second";  // of the node
inline constexpr std::string_view kNetworkOutBytesPerSecond = "network_out_bytes_per_second";
inline constexpr std::string_view kGpuPercent = "gpu_percent";
inline constexpr std::string_view kGpuMemoryBytes = "gpu_memory_bytes";
inline constexpr std::string_view kGpuPowerWatts = "gpu_power_watts";
inline constexpr std::string_view kGpuTemperatureCelsius = "gpu_temperature_celsius";
inline constexpr std::string_view kGpuSmClockMhz = "gpu_sm_clock_mhz";
inline constexpr std::string_view kGpuMemoryClockMhz = "gpu_memory_clock_mhz";
inline constexpr std::string_view kGpuEccErrors =
    "gpu_ecc_errors";                                             // uncorrected, since the driver was loaded
inline constexpr std::string_view kGpuXid = "gpu_xid";            // the last one seen; 0: none
inline constexpr std::string_view kTotalSteps = "total_steps";    // how many steps this run is going to take
inline constexpr std::string_view kDroppedRows = "dropped_rows";  // that the writer had to give up, in total
}  // namespace metric

struct MetricPoint {
  Step step = 0;
  TimePoint time{};
  double value = 0;
};

/// New points of one quantity of one rank, in step order.
struct MetricSeriesBatch {
  std::string name;
  Rank rank;
  std::vector<MetricPoint> points;
};

}  // namespace lockstep
