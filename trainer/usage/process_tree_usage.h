// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "trainer/usage/counter_rate.h"

namespace lockstep::trainer {

/// What one process and all that it started use: the workers that load its data, too. A value is absent where it cannot be
/// read; rates are since the last reading.
struct ProcessUsage {
  std::optional<double> cpuPercent;   // 100: one core
  std::optional<double> memoryBytes;  // resident; pages that they share count for each of them
  std::optional<double> diskReadBytesPerSecond, diskWriteBytesPerSecond;
};

/// Reads /proc for the trees of some processes. A process that is none of theirs is looked at once, and again every half
/// minute, so that a reading costs as much as the trees have processes. One thread.
class ProcessTreeUsage {
 public:
  /// `roots` in the order of the answers; 0: none.
  explicit ProcessTreeUsage(std::vector<pid_t> roots, std::string proc = "/proc");
  /// As many as there are roots.
  std::vector<ProcessUsage> read();
  /// The place of the root whose tree that process was in at the last reading; nullopt: of none.
  [[nodiscard]] std::optional<std::size_t> treeOf(pid_t pid) const;

 private:
  struct Known {
    int tree = -1;  // -1: none of ours
    long long started = 0;
    int looksLeft = 0;  // before it is looked at again
  };
  struct Sums {
    double ticks = 0, pages = 0, diskRead = 0, diskWritten = 0;
    bool isAny = false, hasDisk = false;
  };
  struct Rates {
    CounterRate cpu, diskRead, diskWritten;
  };
  void look(pid_t pid, std::vector<Sums>& sums);
  void addDisk(pid_t pid, Sums& sums) const;
  [[nodiscard]] int treeBelow(pid_t pid, pid_t parent) const;

  std::vector<pid_t> roots_;
  std::string proc_;
  std::unordered_map<pid_t, Known> known_;
  std::vector<Rates> rates_;
};

}  // namespace lockstep::trainer
