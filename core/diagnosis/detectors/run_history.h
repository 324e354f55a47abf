// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <map>
#include <span>
#include <string_view>
#include <vector>

#include "diagnosis/detectors/recent_samples.h"

namespace lockstep {

/// A few values over a long time: of more than kMost every second one is let go, and only every second, fourth… is taken then.
class ValueTrail {
 public:
  static constexpr std::size_t kMost = 128;
  struct Entry {
    TimePoint time{};
    Step step = 0;
    double value = 0;
  };
  void add(const Entry& entry);
  [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }

 private:
  std::vector<Entry> entries_;
  std::size_t stride_ = 1, skipped_ = 0;
};

/// How a run was before, as far as it was looked at: the medians over the ranks, and for each rank what may run out. Grows to a
/// bounded size: some 8 KiB and 6 KiB for each rank.
class RunHistory {
 public:
  /// Takes in what was seen at one look. A restart begins the times of steps anew.
  void add(const RecentSamples& recent);
  /// Of metric::kStepMs, kTransferMs, kLoss: their medians over the ranks, by time; empty: not measured.
  [[nodiscard]] std::span<const ValueTrail::Entry> of(std::string_view metric) const;
  /// Of metric::kMemoryBytes, kNodeMemoryPercent, kNodeDiskPercent.
  [[nodiscard]] std::span<const ValueTrail::Entry> of(std::string_view metric, Rank rank) const;

 private:
  std::map<std::string_view, ValueTrail> run_;
  std::map<Rank, std::map<std::string_view, ValueTrail>> ranks_;
  int attempts_ = 0;
};

}  // namespace lockstep
