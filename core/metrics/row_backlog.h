// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <deque>
#include <limits>
#include <span>
#include <vector>

#include "metrics/metric_sample.h"

namespace lockstep {

/// Rows that wait to be stored, in chunks, so that handing them over costs the same however many there are,
/// and memory once used is used again. Not thread-safe: MetricWriter guards it.
class RowBacklog {
 public:
  static constexpr std::size_t kRowsPerChunk = 256;

  struct Chunk {
    struct Row {
      Step step = 0;
      TimePoint time{};
      std::size_t cells = 0;  // how many of `cells` below belong to this row
    };
    std::vector<Row> rows;
    std::vector<NamedValue> cells;
  };

  void add(Step step, TimePoint time, std::span<const NamedValue> values);
  /// What taken chunks may have together, unless the first alone has more.
  struct Limits {
    std::size_t cells = std::numeric_limits<std::size_t>::max();
    std::size_t table =
        std::numeric_limits<std::size_t>::max();  // rows times names: readers keep a place for each
  };
  /// The oldest chunks, at most `maxChunks`.
  std::vector<Chunk> take(std::size_t maxChunks, const Limits& limits);
  /// Throws the oldest chunk away; how many rows that were.
  std::size_t dropOldest();
  /// Gives emptied chunks back for reuse.
  void recycle(std::vector<Chunk> chunks);
  [[nodiscard]] std::size_t rowCount() const { return rowCount_; }

 private:
  static constexpr std::size_t kSpareChunks = 8;
  std::deque<Chunk> chunks_;
  std::vector<Chunk> spare_;
  std::size_t rowCount_ = 0;
};

}  // namespace lockstep
