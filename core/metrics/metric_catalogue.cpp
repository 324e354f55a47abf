// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/metric_catalogue.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace lockstep {
namespace {

// Marks a text for those who translate: lupdate, which gathers what is to be translated, is told this name, and files
// the text under the class around it (app/desktop/CMakeLists.txt, widgets/metrics/charts/metric_texts.cpp).
constexpr const char* shownAs(const char* english) {
  return english;
}

constexpr MetricAxis kWhereTheValuesAre{};
constexpr MetricAxis kFromZero{.fromZero = true};
constexpr MetricAxis kUpToHundred{.fromZero = true, .atLeastTo = 100};
constexpr MetricAxis kLogarithmic{.scale = MetricScale::Logarithmic};

struct MetricTexts {
  using Unit = MetricUnit;
  using Group = MetricGroup;
  using Better = BetterValue;

  // In the order of the members of MetricInfo.
  static constexpr MetricInfo kMetrics[] = {
      {metric::kLoss, shownAs("Loss"), "", Unit::None, Group::Loss, AcrossRanks::Mean, Better::Smaller,
       kWhereTheValuesAre, shownAs("Loss")},
      {metric::kMeanLoss, shownAs("Mean loss"), shownAs("over all ranks, where it was computed"), Unit::None,
       Group::Loss, AcrossRanks::Last, Better::Smaller, kWhereTheValuesAre},
      {metric::kAccuracy, shownAs("Accuracy"), shownAs("of an evaluation"), Unit::Percent, Group::Loss,
       AcrossRanks::Last, Better::Larger, kUpToHundred, shownAs("Accuracy")},
      {metric::kSamplesPerSecond, shownAs("Samples per second"), "", Unit::PerSecond, Group::Throughput,
       AcrossRanks::Sum, Better::Larger, kFromZero, shownAs("Samples/s")},
      {metric::kTokensPerSecond, shownAs("Tokens per second"), "", Unit::PerSecond, Group::Throughput,
       AcrossRanks::Sum, Better::Larger, kFromZero},
      {metric::kModelFlopsPercent, shownAs("Model FLOPs utilization"),
       shownAs("of the most that the GPU can compute"), Unit::Percent, Group::Throughput, AcrossRanks::Mean,
       Better::Larger, kUpToHundred},
      {metric::kStepMs, shownAs("Step"), "", Unit::Milliseconds, Group::StepTime, AcrossRanks::Max,
       Better::Smaller, kFromZero},
      {metric::kDataMs, shownAs("Waiting for data"), "", Unit::Milliseconds, Group::StepTime,
       AcrossRanks::Mean, Better::Smaller, kFromZero},
      {metric::kHostToDeviceMs, shownAs("Host to device"), shownAs("copying the batch"), Unit::Milliseconds,
       Group::StepTime, AcrossRanks::Mean, Better::Smaller, kFromZero},
      {metric::kForwardMs, shownAs("Forward"), "", Unit::Milliseconds, Group::StepTime, AcrossRanks::Mean,
       Better::Smaller, kFromZero},
      {metric::kBackwardMs, shownAs("Backward"), "", Unit::Milliseconds, Group::StepTime, AcrossRanks::Mean,
       Better::Smaller, kFromZero},
      {metric::kWaitMs, shownAs("Waiting for peers"), shownAs("for the slowest peer, in collectives"),
       Unit::Milliseconds, Group::StepTime, AcrossRanks::Mean, Better::Smaller, kFromZero},
      {metric::kTransferMs, shownAs("Transfer"), shownAs("in collectives, once all had come"),
       Unit::Milliseconds, Group::StepTime, AcrossRanks::Mean, Better::Smaller, kFromZero},
      {metric::kOptimizerMs, shownAs("Optimizer"), "", Unit::Milliseconds, Group::StepTime, AcrossRanks::Mean,
       Better::Smaller, kFromZero},
      {metric::kOtherMs, shownAs("Other"), shownAs("what is left of the step"), Unit::Milliseconds,
       Group::StepTime, AcrossRanks::Mean, Better::Smaller, kWhereTheValuesAre},
      {metric::kLearningRate, shownAs("Learning rate"), "", Unit::None, Group::Optimizer, AcrossRanks::Last,
       Better::Neither, kFromZero},
      {metric::kGradientNorm, shownAs("Gradient norm"), shownAs("of the mean gradient, before it is clipped"),
       Unit::None, Group::Optimizer, AcrossRanks::Last, Better::Neither, kLogarithmic},
      {metric::kReducedBytes, shownAs("Reduced per step"), shownAs("handed over to be summed, in this step"),
       Unit::Bytes, Group::Optimizer, AcrossRanks::Max, Better::Neither, kFromZero},
      {metric::kGpuPercent, shownAs("GPU utilization"), "", Unit::Percent, Group::Gpu, AcrossRanks::Mean,
       Better::Larger, kUpToHundred, shownAs("GPU")},
      {metric::kGpuMemoryBytes, shownAs("GPU memory"), shownAs("used, on the whole device"), Unit::Bytes,
       Group::Gpu, AcrossRanks::Max, Better::Neither, kFromZero},
      {metric::kGpuPowerWatts, shownAs("GPU power"), "", Unit::Watts, Group::Gpu, AcrossRanks::Sum,
       Better::Neither, kFromZero},
      {metric::kGpuTemperatureCelsius, shownAs("GPU temperature"), "", Unit::Celsius, Group::Gpu,
       AcrossRanks::Max, Better::Smaller, kWhereTheValuesAre},
      {metric::kGpuSmClockMhz, shownAs("GPU clock"), shownAs("of the multiprocessors"), Unit::Megahertz,
       Group::Gpu, AcrossRanks::Mean, Better::Larger, kFromZero},
      {metric::kGpuMemoryClockMhz, shownAs("GPU memory clock"), "", Unit::Megahertz, Group::Gpu,
       AcrossRanks::Mean, Better::Larger, kFromZero},
      {metric::kGpuEccErrors, shownAs("GPU memory errors"),
       shownAs("uncorrected, since the driver was loaded"), Unit::Count, Group::Gpu, AcrossRanks::Sum,
       Better::Smaller, kFromZero},
      {metric::kGpuXid, shownAs("Last Xid error"), shownAs("the number of the last one seen; 0: none"),
       Unit::None, Group::Gpu, AcrossRanks::Max, Better::Neither, kFromZero},
      {metric::kGpuProcesses, shownAs("GPU processes"), shownAs("that compute on it, whoever started them"),
       Unit::Count, Group::Gpu, AcrossRanks::Max, Better::Neither, kFromZero},
      {metric::kJobRunGpu, shownAs("GPU utilization of the node"), shownAs("mean over its GPUs"),
       Unit::Percent, Group::Gpu, AcrossRanks::Mean, Better::Larger, kUpToHundred, "", MetricSource::JobRun},
      {metric::kCpuPercent, shownAs("CPU utilization"), shownAs("100 % is one core"), Unit::PercentOfOneCore,
       Group::Host, AcrossRanks::Mean, Better::Neither, kUpToHundred, shownAs("CPU")},
      {metric::kMemoryBytes, shownAs("Resident memory"), "", Unit::Bytes, Group::Host, AcrossRanks::Max,
       Better::Neither, kFromZero, shownAs("Memory")},
      {metric::kDiskReadBytesPerSecond, shownAs("Disk reads"), shownAs("of this process"),
       Unit::BytesPerSecond, Group::Host, AcrossRanks::Sum, Better::Neither, kFromZero},
      {metric::kDiskWriteBytesPerSecond, shownAs("Disk writes"), shownAs("of this process"),
       Unit::BytesPerSecond, Group::Host, AcrossRanks::Sum, Better::Neither, kFromZero},
      {metric::kNodeCpuPercent, shownAs("CPU of the whole node"), shownAs("of all its processors"),
       Unit::Percent, Group::Host, AcrossRanks::Max, Better::Neither, kUpToHundred},
      {metric::kNodeMemoryPercent, shownAs("Memory of the whole node"),
       shownAs("that nothing else could have"), Unit::Percent, Group::Host, AcrossRanks::Max, Better::Neither,
       kUpToHundred},
      {metric::kNodeDiskPercent, shownAs("Disk of the whole node"), shownAs("used, of what users can have"),
       Unit::Percent, Group::Host, AcrossRanks::Max, Better::Smaller, kUpToHundred},
      {metric::kJobRunCpu, shownAs("CPU utilization of the node"), shownAs("of all its processors"),
       Unit::Percent, Group::Host, AcrossRanks::Mean, Better::Neither, kUpToHundred, "",
       MetricSource::JobRun},
      {metric::kJobRunMemory, shownAs("Memory of the node"), shownAs("resident, of all of it"), Unit::Percent,
       Group::Host, AcrossRanks::Mean, Better::Neither, kUpToHundred, "", MetricSource::JobRun},
      {metric::kJobRunDisk, shownAs("Disk of the node"), shownAs("used, of all of it"), Unit::Percent,
       Group::Host, AcrossRanks::Mean, Better::Neither, kUpToHundred, "", MetricSource::JobRun},
      {metric::kNetworkInBytesPerSecond, shownAs("Network, received"),
       shownAs("of the node, without loopback"), Unit::BytesPerSecond, Group::Network, AcrossRanks::Max,
       Better::Neither, kFromZero},
      {metric::kNetworkOutBytesPerSecond, shownAs("Network, sent"), shownAs("of the node, without loopback"),
       Unit::BytesPerSecond, Group::Network, AcrossRanks::Max, Better::Neither, kFromZero},
      {metric::kRdmaInBytesPerSecond, shownAs("RDMA, received"), shownAs("InfiniBand and RoCE of the node"),
       Unit::BytesPerSecond, Group::Network, AcrossRanks::Max, Better::Neither, kFromZero},
      {metric::kRdmaOutBytesPerSecond, shownAs("RDMA, sent"), shownAs("InfiniBand and RoCE of the node"),
       Unit::BytesPerSecond, Group::Network, AcrossRanks::Max, Better::Neither, kFromZero},
      {metric::kJobRunNetworkIn, shownAs("Network of the node, received"), shownAs("since the sample before"),
       Unit::Bytes, Group::Network, AcrossRanks::Sum, Better::Neither, kFromZero, "", MetricSource::JobRun},
      {metric::kJobRunNetworkOut, shownAs("Network of the node, sent"), shownAs("since the sample before"),
       Unit::Bytes, Group::Network, AcrossRanks::Sum, Better::Neither, kFromZero, "", MetricSource::JobRun},
      {metric::kEpoch, shownAs("Epoch"), shownAs("from 0"), Unit::Count, Group::Progress, AcrossRanks::Last,
       Better::Neither, kFromZero},
      {metric::kTotalSteps, shownAs("Steps in total"), shownAs("how many this run is going to take"),
       Unit::Count, Group::Progress, AcrossRanks::Last, Better::Neither, kFromZero},
      {metric::kCheckpointStep, shownAs("Last checkpoint"),
       shownAs("the step of the newest one that is stored"), Unit::Count, Group::Progress, AcrossRanks::Last,
       Better::Neither, kFromZero},
      {metric::kDroppedRows, shownAs("Rows dropped"),
       shownAs("samples that the writer had to give up, in total"), Unit::Count, Group::Progress,
       AcrossRanks::Sum, Better::Smaller, kFromZero},
  };

  static constexpr const char* titleOf(MetricGroup group) {
    switch (group) {
      case Group::Loss:
        return shownAs("Loss and accuracy");
      case Group::Throughput:
        return shownAs("Throughput");
      case Group::StepTime:
        return shownAs("Time of a step");
      case Group::Optimizer:
        return shownAs("Optimizer");
      case Group::Gpu:
        return shownAs("GPU");
      case Group::Host:
        return shownAs("Host");
      case Group::Network:
        return shownAs("Network");
      case Group::Progress:
        return shownAs("Progress");
    }
    return "";
  }

  static constexpr const char* symbolOf(MetricUnit unit) {
    switch (unit) {
      case Unit::None:
      case Unit::Count:
        return "";
      case Unit::Percent:
        return shownAs("%");
      case Unit::PercentOfOneCore:
        return shownAs("% of one core");
      case Unit::Milliseconds:
        return shownAs("ms");
      case Unit::Bytes:
        return shownAs("B");
      case Unit::BytesPerSecond:
        return shownAs("B/s");
      case Unit::PerSecond:
        return shownAs("1/s");
      case Unit::Watts:
        return shownAs("W");
      case Unit::Celsius:
        return shownAs("°C");
      case Unit::Megahertz:
        return shownAs("MHz");
    }
    return "";
  }
};

}  // namespace

std::span<const MetricInfo> metricCatalogue() {
  return MetricTexts::kMetrics;
}

const MetricInfo* findMetric(std::string_view name) {
  const auto found = std::ranges::find(MetricTexts::kMetrics, name, &MetricInfo::name);
  return found == std::end(MetricTexts::kMetrics) ? nullptr : found;
}

const char* titleOf(MetricGroup group) {
  return MetricTexts::titleOf(group);
}

const char* symbolOf(MetricUnit unit) {
  return MetricTexts::symbolOf(unit);
}

const char* symbolInHeading(MetricUnit unit) {
  return unit == MetricUnit::PerSecond ? "" : symbolOf(unit);
}

std::optional<double> valueAcross(AcrossRanks how, std::span<const double> values) {
  if (values.empty()) return std::nullopt;
  const double sum = std::accumulate(values.begin(), values.end(), 0.0);
  switch (how) {
    case AcrossRanks::Mean:
      return sum / static_cast<double>(values.size());
    case AcrossRanks::Max:
      return std::accumulate(values.begin(), values.end(), values.front(),
                             [](double a, double b) { return std::fmax(a, b); });
    case AcrossRanks::Sum:
      return sum;
    case AcrossRanks::Last:
      break;
  }
  return values.back();
}

}  // namespace lockstep
