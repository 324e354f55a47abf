// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/ddp/metrics/recorded_values.h"

#include <initializer_list>
#include <nlohmann/json.hpp>
#include <utility>

namespace lockstep::trainer {
namespace {

using Measured = std::pair<std::string_view, std::optional<double>>;

std::vector<NamedValue> whatWasMeasured(std::initializer_list<Measured> all) {
  std::vector<NamedValue> values;
  values.reserve(all.size());
  for (const auto& [name, value] : all)
    if (value) values.emplace_back(name, *value);
  return values;
}

}  // namespace

std::vector<NamedValue> valuesOf(const StepRecord& r) {
  return whatWasMeasured({{metric::kEpoch, r.epoch},
                          {metric::kLoss, r.loss},
                          {metric::kLearningRate, r.learningRate},
                          {metric::kSamplesPerSecond, r.samplesPerSecond},
                          {metric::kStepMs, r.stepMs},
                          {metric::kDataMs, r.dataMs},
                          {metric::kHostToDeviceMs, r.hostToDeviceMs},
                          {metric::kForwardMs, r.forwardMs},
                          {metric::kBackwardMs, r.backwardMs},
                          {metric::kWaitMs, r.waitMs},
                          {metric::kTransferMs, r.transferMs},
                          {metric::kOptimizerMs, r.optimizerMs},
                          {metric::kOtherMs, r.otherMs()},
                          {metric::kReducedBytes, r.reducedBytes},
                          {metric::kGradientNorm, r.gradientNorm},
                          {metric::kTokensPerSecond, r.tokensPerSecond},
                          {metric::kModelFlopsPercent, r.modelFlopsPercent}});
}

std::vector<NamedValue> valuesOf(const Usage& usage) {
  return whatWasMeasured({{metric::kCpuPercent, usage.cpuPercent},
                          {metric::kMemoryBytes, usage.memoryBytes},
                          {metric::kDiskReadBytesPerSecond, usage.diskReadBytesPerSecond},
                          {metric::kDiskWriteBytesPerSecond, usage.diskWriteBytesPerSecond},
                          {metric::kNetworkInBytesPerSecond, usage.networkInBytesPerSecond},
                          {metric::kNetworkOutBytesPerSecond, usage.networkOutBytesPerSecond},
                          {metric::kGpuPercent, usage.gpu.percent},
                          {metric::kGpuMemoryBytes, usage.gpu.memoryBytes},
                          {metric::kGpuPowerWatts, usage.gpu.powerWatts},
                          {metric::kGpuTemperatureCelsius, usage.gpu.temperatureCelsius},
                          {metric::kGpuSmClockMhz, usage.gpu.smClockMhz},
                          {metric::kGpuMemoryClockMhz, usage.gpu.memoryClockMhz},
                          {metric::kGpuEccErrors, usage.gpu.eccErrors},
                          {metric::kGpuXid, usage.gpu.lastXid}});
}

std::string jsonLine(int rank, Step step, const StepRecord& record) {
  nlohmann::ordered_json line = {{"rank", rank}, {"step", step}};
  for (const auto& [name, value] : valuesOf(record)) line[std::string(name)] = value;
  return line.dump();
}

}  // namespace lockstep::trainer
