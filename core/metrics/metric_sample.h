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
inline constexpr std::string_view kWaitMs = "wait_ms";  // for peers, in collectives
inline constexpr std::string_view kOptimizerMs = "optimizer_ms";
inline constexpr std::string_view kCpuPercent = "cpu_percent";    // 100 = one core
inline constexpr std::string_view kMemoryBytes = "memory_bytes";  // resident
inline constexpr std::string_view kGpuPercent = "gpu_percent";
inline constexpr std::string_view kGpuMemoryBytes = "gpu_memory_bytes";
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
