// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <variant>

#include "metrics/store/presence.h"
#include "metrics/store/value_buckets.h"
#include "metrics/store/value_levels.h"

namespace lockstep {

/// The values of one quantity in one chunk: packed, those of absent rows take no place. 4 bytes each while binary32 holds
/// every one exactly, else 8, and the pyramid of ValueLevels. A value has an index (which of the values) and a row. In a coarse
/// chunk a row is a bucket of rows: its value is the last of them, its summary that of all.
class ValueColumn {
 public:
  /// `row` is beyond all before. Amortised O(1).
  void append(std::uint32_t row, double value);

  /// A bucket, in a column that has nothing else; `isNarrow`: binary32 holds the numbers of all of them (canBeNarrow).
  void append(std::uint32_t bucket, const ValueSummary& values, std::uint64_t firstOffset,
              std::uint64_t lastOffset, bool isNarrow);
  [[nodiscard]] static bool canBeNarrow(const ValueSummary& values);

  [[nodiscard]] std::uint32_t size() const;
  [[nodiscard]] double value(std::uint32_t index) const;
  [[nodiscard]] std::uint32_t row(std::uint32_t index) const;
  /// How far the first and the last sample of a bucket lie behind its first step; 0 of a value.
  [[nodiscard]] std::uint32_t firstOffset(std::uint32_t index) const;
  [[nodiscard]] std::uint32_t lastOffset(std::uint32_t index) const;
  /// The first value at or after `row`; size(): there is none.
  [[nodiscard]] std::uint32_t indexAt(std::uint32_t row) const;
  [[nodiscard]] ValueSummary summary(std::uint32_t first, std::uint32_t end) const;
  /// Of all; kept, so that it costs nothing.
  [[nodiscard]] const ValueSummary& summary() const { return all_; }
  [[nodiscard]] std::optional<std::uint32_t> lastFinite(std::uint32_t first, std::uint32_t end) const;

  /// Forgets the values of the rows, or buckets, from `rows` on.
  void keepFirst(std::uint32_t rows);
  /// Gives back what growing has taken beforehand.
  void shrink();
  [[nodiscard]] std::size_t bytes() const;

 private:
  void addRow(std::uint32_t row);

  std::variant<ValueLevels<float>, ValueLevels<double>, ValueBuckets<float>, ValueBuckets<double>> levels_;
  std::optional<Presence> presence_;  // absent: rows 0 … size()-1
  ValueSummary all_;
};

}  // namespace lockstep
