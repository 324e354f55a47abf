// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <vector>

#include "metrics/store/row_axis.h"
#include "metrics/store/segment_span.h"

namespace lockstep {

/// Rows on their way into a RankColumns or between its chunks: ascending keys, each once, and columns whose cells may be
/// absent.
struct RowBlock {
  struct Column {
    std::uint32_t id = 0;             // which quantity
    std::vector<std::uint32_t> rows;  // ascending, an index into `keys` for each value
    std::vector<double> values;
  };
  std::vector<RowKey> keys;
  std::vector<Column> columns;  // by id
  SegmentSpan segments;         // all rows can be read again there; empty: of some nobody knows

  [[nodiscard]] bool isEmpty() const { return keys.empty(); }
  /// That column; a new one if there is none yet.
  Column& column(std::uint32_t id);
  /// Adds the rows of `later`, which are beyond all of these.
  void append(const RowBlock& later);
};

/// The rows of both; where both have a cell, that of `first` stays. Linear.
[[nodiscard]] RowBlock merged(const RowBlock& first, const RowBlock& second);

/// The rows [first, end) of `block`.
[[nodiscard]] RowBlock slice(const RowBlock& block, std::size_t first, std::size_t end);

/// The block in `count` blocks: row i goes to block partOf[i].
[[nodiscard]] std::vector<RowBlock> split(const RowBlock& block, const std::vector<std::uint32_t>& partOf,
                                          std::size_t count);

}  // namespace lockstep
