// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/usage/gpu_usage.h"

#include <algorithm>

namespace lockstep::trainer {
namespace {

using Value = std::optional<double> GpuUsage::*;
enum class How { Mean, Sum, Max };

std::optional<double> across(std::span<const GpuUsage> gpus, Value value, How how) {
  double sum = 0, max = 0;
  int count = 0;
  for (const GpuUsage& gpu : gpus) {
    if (!(gpu.*value)) continue;
    sum += *(gpu.*value);
    max = count == 0 ? sum : std::max(max, *(gpu.*value));
    ++count;
  }
  if (count == 0) return std::nullopt;
  if (how == How::Max) return max;
  return how == How::Sum ? sum : sum / count;
}

}  // namespace

GpuUsage together(std::span<const GpuUsage> gpus) {
  return {.percent = across(gpus, &GpuUsage::percent, How::Mean),
          .memoryBytes = across(gpus, &GpuUsage::memoryBytes, How::Sum),
          .powerWatts = across(gpus, &GpuUsage::powerWatts, How::Sum),
          .temperatureCelsius = across(gpus, &GpuUsage::temperatureCelsius, How::Max),
          .smClockMhz = across(gpus, &GpuUsage::smClockMhz, How::Mean),
          .memoryClockMhz = across(gpus, &GpuUsage::memoryClockMhz, How::Mean),
          .eccErrors = across(gpus, &GpuUsage::eccErrors, How::Sum),
          .lastXid = across(gpus, &GpuUsage::lastXid, How::Max),
          .processes = across(gpus, &GpuUsage::processes, How::Max)};
}

}  // namespace lockstep::trainer
