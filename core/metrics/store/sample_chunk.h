// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <functional>
#include <vector>

#include "metrics/store/row_axis.h"
#include "metrics/store/row_block.h"
#include "metrics/store/value_column.h"

namespace lockstep {

/// Up to kMaxRows rows of one rank: the axis and a column for each quantity that has a value in them.
class SampleChunk {
 public:
  static constexpr std::uint32_t kMaxRows = 4096;

  /// Adds rows of `block` from `first` on, which are beyond all that are here. How many had room; 0: it is full.
  std::uint32_t append(const RowBlock& block, std::uint32_t first);

  [[nodiscard]] const RowAxis& axis() const { return axis_; }
  [[nodiscard]] std::uint32_t size() const { return axis_.size(); }
  [[nodiscard]] RowKey first() const { return axis_.key(0); }
  [[nodiscard]] RowKey last() const { return axis_.key(size() - 1); }
  [[nodiscard]] const ValueColumn* column(std::uint32_t id) const;  // null: no row has that quantity
  [[nodiscard]] RowBlock rows() const;                              // a copy
  [[nodiscard]] std::size_t valueCount() const;
  [[nodiscard]] std::size_t bytes() const;
  /// Forgets the rows from `rows` on; at least one stays. Cost: the rows and values that stay.
  void keepFirst(std::uint32_t rows);
  /// The smallest and the largest step at which each quantity has a value here.
  void forEachExtent(const std::function<void(std::uint32_t id, Step first, Step last)>& visit) const;
  void shrink();

 private:
  struct Column {
    std::uint32_t id;
    ValueColumn values;
  };
  ValueColumn& columnOf(std::uint32_t id);

  RowAxis axis_;
  std::vector<Column> columns_;  // by id
};

}  // namespace lockstep
