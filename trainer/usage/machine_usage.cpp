// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/usage/machine_usage.h"

#include <sched.h>
#include <unistd.h>

#include <cstdlib>

#include "trainer/usage/nvml.h"

namespace lockstep::trainer {

MachineUsage::MachineUsage(int localRank, const std::map<std::string, std::string>& environment)
    : gpu_(NvmlDevice::open(localRank, environment)), process_({::getpid()}), node_("/") {}
MachineUsage::~MachineUsage() = default;

Usage MachineUsage::read() {
  return {process_.read().front(), node_.read(), gpu_ ? gpu_->read() : GpuUsage{}};
}

double peakResidentMiB() {
  const std::string text = kernelFile("/proc/self/status");
  const std::size_t at = text.find("VmHWM:");
  return at == std::string::npos ? 0 : std::strtod(text.c_str() + at + 6, nullptr) / 1024.0;
}

int usableCores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  return ::sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

}  // namespace lockstep::trainer
