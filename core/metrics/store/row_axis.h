// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <compare>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/clock.h"
#include "base/ids.h"

namespace lockstep {

/// Where a sample stands. Samples of one quantity and rank with the same key are one sample.
struct RowKey {
  Step step = 0;
  TimePoint time{};
  auto operator<=>(const RowKey&) const = default;
};

/// Steps and times of the rows of a chunk, ascending, as differences from the first: 8 bytes a row, 10 where the steps span
/// more than 65,535. All costs but those of the searches, O(log rows), are O(1).
class RowAxis {
 public:
  /// `key` is beyond all before. False: its differences do not fit (2^32 steps, some 19 hours), nothing was added.
  bool append(const RowKey& key);

  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(stepLow_.size()); }
  [[nodiscard]] Step step(std::uint32_t row) const {
    const std::uint32_t high = stepHigh_.empty() ? 0U : stepHigh_[row];
    return baseStep_ + static_cast<Step>(high << 16U | stepLow_[row]);
  }
  [[nodiscard]] TimePoint time(std::uint32_t row) const;
  [[nodiscard]] RowKey key(std::uint32_t row) const { return {step(row), time(row)}; }
  /// The first row with such a step, or key, or a larger one; size(): there is none.
  [[nodiscard]] std::uint32_t firstAt(Step step) const;
  [[nodiscard]] std::uint32_t firstAt(const RowKey& key) const;
  [[nodiscard]] TimePoint minTime() const { return minTime_; }
  [[nodiscard]] TimePoint maxTime() const { return maxTime_; }

  /// Forgets the rows from `rows` on; at least one stays.
  void keepFirst(std::uint32_t rows);
  void shrink();
  [[nodiscard]] std::size_t bytes() const;

 private:
  Step baseStep_ = 0;
  TimePoint baseTime_{}, minTime_{}, maxTime_{};
  std::vector<std::uint16_t> stepLow_, stepHigh_;  // stepHigh_ empty: all 0
  std::vector<std::uint32_t> timeLow_;             // ns
  std::vector<std::uint16_t> timeHigh_;
};

}  // namespace lockstep
