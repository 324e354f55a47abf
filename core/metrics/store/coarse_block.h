// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <vector>

#include "metrics/store/row_axis.h"
#include "metrics/store/segment_span.h"
#include "metrics/store/value_summary.h"

namespace lockstep {

class SampleChunk;

/// Rows of which only is known what they come to, in buckets: on the way into a RankColumns.
struct CoarseBlock {
  /// From where to where its rows reach: the smallest step and time, the largest step and time.
  struct Bucket {
    RowKey first, last;

    /// About where its first row at or behind `step` is, at most last.step: as if each step had a row, in equal times.
    [[nodiscard]] RowKey rowAt(Step step) const;
    /// Likewise its last row that is not later than `time`; the first one where all are.
    [[nodiscard]] RowKey rowBy(TimePoint time) const;
    bool operator==(const Bucket&) const = default;
  };
  struct Cell {
    std::uint32_t bucket = 0;
    ValueSummary values;
    Step first = 0, last = 0;  // steps of the first and the last sample
  };
  struct Column {
    std::uint32_t id = 0;     // which quantity
    std::vector<Cell> cells;  // by bucket
  };
  std::vector<Bucket> buckets;  // their steps go up
  std::vector<Column> columns;  // by id
  SegmentSpan segments;         // where the rows can be read
};

/// What a chunk of rows comes to, in buckets of 256 rows.
[[nodiscard]] CoarseBlock coarsened(const SampleChunk& chunk);

}  // namespace lockstep
