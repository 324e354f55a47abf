// SPDX-License-Identifier: GPL-3.0-or-later
// gpu_usage [RANKS]: what the GPUs of the ranks 0 … RANKS - 1 of this machine say about themselves, one JSON line per
// reading, ten times a second until stdin ends. It reads as the trainer does, and serves trainings of every kind.
#include <poll.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <vector>

#include "base/child_process.h"
#include "base/clock.h"
#include "trainer/usage/nvml.h"

namespace {

using lockstep::trainer::GpuUsage;
using lockstep::trainer::NvmlDevice;

nlohmann::json lineOf(int rank, const GpuUsage& usage) {
  const double now = static_cast<double>(lockstep::SystemClock().now().time_since_epoch().count()) / 1e9;
  nlohmann::json line = {{"time", now}, {"rank", rank}};
  const auto put = [&line](const char* name, const std::optional<double>& value) {
    if (value) line[name] = *value;
  };
  put("percent", usage.percent);
  put("memory_bytes", usage.memoryBytes);
  put("power_watts", usage.powerWatts);
  put("temperature_celsius", usage.temperatureCelsius);
  put("sm_clock_mhz", usage.smClockMhz);
  put("last_xid", usage.lastXid);
  return line;
}

// Anything but silence on stdin is its end.
bool hasEnded(int milliseconds) {
  pollfd in{STDIN_FILENO, POLLIN, 0};
  return ::poll(&in, 1, milliseconds) != 0;
}

}  // namespace

int main(int argc, char** argv) {
  constexpr int kMaxRanks = 64, kInterval = 100;
  const int ranks = std::min(kMaxRanks, argc > 1 ? std::atoi(argv[1]) : 1);
  std::vector<std::unique_ptr<NvmlDevice>> devices;
  for (int rank = 0; rank < ranks; ++rank)
    devices.push_back(NvmlDevice::open(rank, lockstep::currentEnvironment()));
  do {
    for (int rank = 0; rank < ranks; ++rank) {
      const auto& device = devices[static_cast<std::size_t>(rank)];
      if (device) std::puts(lineOf(rank, device->read()).dump().c_str());
    }
    std::fflush(stdout);
  } while (!hasEnded(kInterval));
  return 0;
}
