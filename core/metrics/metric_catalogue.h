// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>
#include <span>
#include <string_view>

namespace lockstep {

/// Names of the quantities that Lockstep itself writes and draws. Units are in the names. What each means, and how it
/// is shown: metricCatalogue(). docs/formats/metrics.md lists them for others.
namespace metric {
inline constexpr std::string_view kLoss = "loss";
inline constexpr std::string_view kMeanLoss = "mean_loss";
inline constexpr std::string_view kAccuracy = "accuracy_percent";
inline constexpr std::string_view kSamplesPerSecond = "samples_per_second";
inline constexpr std::string_view kTokensPerSecond = "tokens_per_second";
inline constexpr std::string_view kModelFlopsPercent = "mfu_percent";
inline constexpr std::string_view kStepMs = "step_ms";
inline constexpr std::string_view kDataMs = "data_ms";
inline constexpr std::string_view kHostToDeviceMs = "host_to_device_ms";
inline constexpr std::string_view kForwardMs = "forward_ms";
inline constexpr std::string_view kBackwardMs = "backward_ms";
inline constexpr std::string_view kWaitMs = "wait_ms";
inline constexpr std::string_view kTransferMs = "transfer_ms";
inline constexpr std::string_view kOptimizerMs = "optimizer_ms";
inline constexpr std::string_view kOtherMs = "other_ms";
inline constexpr std::string_view kLearningRate = "learning_rate";
inline constexpr std::string_view kGradientNorm = "gradient_norm";
inline constexpr std::string_view kReducedBytes = "reduced_bytes";
inline constexpr std::string_view kGpuPercent = "gpu_percent";
inline constexpr std::string_view kGpuMemoryBytes = "gpu_memory_bytes";
inline constexpr std::string_view kGpuPowerWatts = "gpu_power_watts";
inline constexpr std::string_view kGpuTemperatureCelsius = "gpu_temperature_celsius";
inline constexpr std::string_view kGpuSmClockMhz = "gpu_sm_clock_mhz";
inline constexpr std::string_view kGpuMemoryClockMhz = "gpu_memory_clock_mhz";
inline constexpr std::string_view kGpuEccErrors = "gpu_ecc_errors";
inline constexpr std::string_view kGpuXid = "gpu_xid";
inline constexpr std::string_view kGpuProcesses = "gpu_processes";
inline constexpr std::string_view kCpuPercent = "cpu_percent";
inline constexpr std::string_view kMemoryBytes = "memory_bytes";
inline constexpr std::string_view kDiskReadBytesPerSecond = "disk_read_bytes_per_second";
inline constexpr std::string_view kDiskWriteBytesPerSecond = "disk_write_bytes_per_second";
inline constexpr std::string_view kNodeCpuPercent = "node_cpu_percent";
inline constexpr std::string_view kNodeMemoryPercent = "node_memory_percent";
inline constexpr std::string_view kNodeDiskPercent = "node_disk_percent";
inline constexpr std::string_view kNetworkInBytesPerSecond = "network_in_bytes_per_second";
inline constexpr std::string_view kNetworkOutBytesPerSecond = "network_out_bytes_per_second";
inline constexpr std::string_view kRdmaInBytesPerSecond = "rdma_in_bytes_per_second";
inline constexpr std::string_view kRdmaOutBytesPerSecond = "rdma_out_bytes_per_second";
inline constexpr std::string_view kEpoch = "epoch";
inline constexpr std::string_view kTotalSteps = "total_steps";
inline constexpr std::string_view kCheckpointStep = "checkpoint_step";
inline constexpr std::string_view kDroppedRows = "dropped_rows";

// Of a job run, as the Monitoring service names them (oci-rest-contract 4.9).
inline constexpr std::string_view kJobRunCpu = "CpuUtilization";
inline constexpr std::string_view kJobRunMemory = "MemoryUtilization";
inline constexpr std::string_view kJobRunDisk = "DiskUtilization";
inline constexpr std::string_view kJobRunGpu = "GpuUtilization";
inline constexpr std::string_view kJobRunNetworkIn = "NetworkBytesIn";
inline constexpr std::string_view kJobRunNetworkOut = "NetworkBytesOut";
}  // namespace metric

enum class MetricUnit {
  None,  // a number as it is
  Count,
  Percent,
  PercentOfOneCore,
  Milliseconds,
  Bytes,
  BytesPerSecond,
  PerSecond,
  Watts,
  Celsius,
  Megahertz
};

enum class MetricGroup { Loss, Throughput, StepTime, Optimizer, Gpu, Host, Network, Progress };

/// Who measures it: each rank of the training, or the service for a whole job run.
enum class MetricSource { Rank, JobRun };

enum class MetricScale { Linear, Logarithmic };

/// How its axis is at first; the user may choose the other scale.
struct MetricAxis {
  MetricScale scale = MetricScale::Linear;
  bool fromZero = false;  // a linear axis begins at 0
  double atLeastTo = 0;   // and reaches at least this far: 100 of a share; 0: as far as the values do
};

/// What one number says of all ranks. Last: the newest, since all ranks have the same, or one alone measures it.
enum class AcrossRanks { Mean, Max, Sum, Last };

/// Which of two values is the better one, where that has a meaning at all.
enum class BetterValue { Neither, Larger, Smaller };

/// Everything that is known of one quantity. Texts are English and literals: widgets translate them.
struct MetricInfo {
  std::string_view name;   // on the wire; one of `metric::`
  const char* title = "";  // "GPU utilization": without the unit, unless it is a rate
  const char* note = "";   // what the title leaves open; may be empty
  MetricUnit unit = MetricUnit::None;
  MetricGroup group = MetricGroup::Loss;
  AcrossRanks across = AcrossRanks::Mean;
  BetterValue better = BetterValue::Neither;
  MetricAxis axis;
  const char* shortTitle = "";  // "GPU": the head of a column; empty: it has none
  MetricSource source = MetricSource::Rank;
};

/// One row for every quantity that Lockstep knows, in the order in which it is drawn: group by group.
[[nodiscard]] std::span<const MetricInfo> metricCatalogue();
/// Null: a training script's own quantity, of which nothing is known but its name.
[[nodiscard]] const MetricInfo* findMetric(std::string_view name);

/// "Throughput", "Time of a step": English, as above.
[[nodiscard]] const char* titleOf(MetricGroup group);
/// "%", "ms", "1/s"; empty: the number stands alone.
[[nodiscard]] const char* symbolOf(MetricUnit unit);
/// What stands behind a title: the symbol, unless the title says it already ("Samples per second").
[[nodiscard]] const char* symbolInHeading(MetricUnit unit);

/// One number of the values of several ranks, which stand in the order of their times. Absent: there are none.
[[nodiscard]] std::optional<double> valueAcross(AcrossRanks how, std::span<const double> values);

}  // namespace lockstep
