// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <chrono>
#include <map>
#include <vector>

#include "metrics/metric_store.h"

namespace lockstep {

/// How far the clock of one rank is ahead of that of the reference (behind it: negative), in one of its attempts.
struct ClockOffset {
  std::chrono::nanoseconds offset{};
  std::chrono::nanoseconds spread{};  // the median distance of single steps from it
};

/// The clocks of the nodes of a run, as far as they differ.
///
/// Ranks that train together finish a step at about the same true time, since each waits for all in the collective at its
/// end. So the median over many steps of the difference of their times at the same step is the difference of their clocks.
/// It is believed only where it cannot be the way the ranks work: it is larger than kMinOffset and than a step takes, and
/// more than kSpreads times as large as its spread, which excludes ranks that do not wait for each other and so drift apart.
/// More than kMaxOffset is no clock, and what is not believed counts as no difference. A clock that is set during an attempt is not noticed.
class ClockOffsets {
 public:
  static constexpr std::chrono::milliseconds kMinOffset{100};
  static constexpr std::chrono::years kMaxOffset{60};  // one that began in 1970 is less off
  static constexpr int kSpreads = 4;
  static constexpr int kSteps = 33;    // at most so many are compared
  static constexpr int kMinSteps = 8;  // and at least so many

  ClockOffsets() = default;
  /// The reference is the lowest rank that has samples; attempts are paired from the newest backwards.
  /// Cost: ranks x attempts x kSteps look-ups.
  explicit ClockOffsets(const MetricStore& samples);

  /// Zero: its clock goes as the reference's, or it is not known how it goes. `attempt` from 0, the oldest.
  [[nodiscard]] std::chrono::nanoseconds of(Rank rank, std::size_t attempt) const;
  /// Of the newest attempts, the ranks whose clock is off.
  [[nodiscard]] const std::map<Rank, ClockOffset>& newest() const { return newest_; }
  [[nodiscard]] bool isEmpty() const { return all_.empty(); }

 private:
  std::map<Rank, std::map<std::size_t, ClockOffset>> all_;  // by attempt
  std::map<Rank, ClockOffset> newest_;
};

}  // namespace lockstep
