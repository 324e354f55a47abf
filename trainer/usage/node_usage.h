// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <filesystem>
#include <optional>
#include <string>

#include "trainer/usage/counter_rate.h"

namespace lockstep::trainer {

/// What a node uses as a whole. A value is absent where it cannot be read; rates are since the last reading.
struct NodeUsage {
  std::optional<double> cpuPercent;                                         // 100: all processors
  std::optional<double> memoryPercent;                                      // that no program could have
  std::optional<double> diskPercent;                                        // of the file system of a folder
  std::optional<double> networkInBytesPerSecond, networkOutBytesPerSecond;  // without loopback
  std::optional<double> rdmaInBytesPerSecond, rdmaOutBytesPerSecond;        // InfiniBand and RoCE
};

/// Reads /proc and /sys; some 100 microseconds a reading. One thread.
class NodeUsageReader {
 public:
  /// `folder`: whose file system counts. `root` stands before /proc and /sys, for tests.
  explicit NodeUsageReader(std::filesystem::path folder, std::string root = {});
  NodeUsage read();

 private:
  std::optional<double> cpuPercent();

  std::filesystem::path folder_;
  std::string root_;
  std::optional<double> lastBusy_, lastAll_;
  CounterRate networkIn_, networkOut_, rdmaIn_, rdmaOut_;
};

/// Received and sent bytes of all interfaces but loopback, from the text of /proc/net/dev.
struct NetworkBytes {
  double in = 0, out = 0;
};
[[nodiscard]] std::optional<NetworkBytes> networkBytesFrom(const std::string& text);

/// A file of /proc or /sys; empty: it cannot be read. Their sizes are not known before they are read.
[[nodiscard]] std::string kernelFile(const std::string& path);

}  // namespace lockstep::trainer
