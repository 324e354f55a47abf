// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "metrics/store/coarse_block.h"
#include "metrics/store/row_axis.h"
#include "metrics/store/row_block.h"
#include "metrics/store/value_column.h"

namespace lockstep {

/// Up to kMaxRows rows of one rank: the axis and a column for each quantity that has a value in them. Or, coarse: what rows come
/// to, in buckets; no row is added then.
class SampleChunk {
 public:
  static constexpr std::uint32_t kMaxRows = 4096;

  SampleChunk() = default;
  explicit SampleChunk(const CoarseBlock& block);

  /// Adds rows of `block` from `first` on, which are beyond all that are here. How many had room; 0: it is full.
  std::uint32_t append(const RowBlock& block, std::uint32_t first);

  [[nodiscard]] bool isCoarse() const { return !buckets_.empty(); }
  [[nodiscard]] const RowAxis& axis() const { return axis_; }  // of a coarse one: empty
  [[nodiscard]] std::uint32_t size() const { return axis_.size(); }
  [[nodiscard]] RowKey first() const { return isCoarse() ? buckets_.front().first : axis_.key(0); }
  [[nodiscard]] RowKey last() const { return isCoarse() ? buckets_.back().last : axis_.key(size() - 1); }
  [[nodiscard]] TimePoint minTime() const { return isCoarse() ? first().time : axis_.minTime(); }
  [[nodiscard]] TimePoint maxTime() const { return isCoarse() ? latest_ : axis_.maxTime(); }
  /// How many steps there are to a bucket, on average; 0: it is not coarse.
  [[nodiscard]] double stepsPerBucket() const;
  [[nodiscard]] std::span<const CoarseBlock::Bucket> buckets() const { return buckets_; }
  /// The first row at or behind `step`, which is at most last().step; the last one before it, nothing: there is none; and the last
  /// one that is not later than `time`, by the order of the steps, the first one where all are. Of a coarse one: about where they
  /// are within a bucket (CoarseBlock::Bucket). Cost: O(log rows).
  [[nodiscard]] RowKey rowAt(Step step) const;
  [[nodiscard]] std::optional<RowKey> rowBefore(Step step) const;
  [[nodiscard]] RowKey rowBy(TimePoint time) const;
  /// How many rows, or buckets, there are before the first one that is later, or ends later, than `end`. Cost: so many.
  [[nodiscard]] std::uint32_t countUntil(TimePoint end) const;
  /// Where its rows can be read again; empty: nobody knows.
  [[nodiscard]] const SegmentSpan& segments() const { return segments_; }

  [[nodiscard]] const ValueColumn* column(std::uint32_t id) const;  // null: no row has that quantity
  // Of a value of a column: of a bucket, where its last sample stands, and its first one.
  [[nodiscard]] Step step(const ValueColumn& column, std::uint32_t index) const;
  [[nodiscard]] Step firstStep(const ValueColumn& column, std::uint32_t index) const;
  [[nodiscard]] RowKey key(const ValueColumn& column, std::uint32_t index) const;
  /// The first value that reaches `step`, and the first that begins there or behind; size() of the column: none does.
  [[nodiscard]] std::uint32_t firstAt(const ValueColumn& column, Step step) const;
  [[nodiscard]] std::uint32_t firstBeginningAt(const ValueColumn& column, Step step) const;

  [[nodiscard]] RowBlock rows() const;                   // a copy; none of a coarse one
  [[nodiscard]] std::size_t valueCount() const;          // of what a coarse one stands for
  [[nodiscard]] std::vector<std::uint32_t> ids() const;  // of its columns
  [[nodiscard]] std::size_t bytes() const;
  /// Forgets the rows, or the buckets, from `count` on; at least one stays. Cost: the rows and values that stay.
  void keepFirst(std::uint32_t count);
  /// The smallest and the largest step at which each quantity has a value here.
  void forEachExtent(const std::function<void(std::uint32_t id, Step first, Step last)>& visit) const;
  void shrink();

 private:
  struct Column {
    std::uint32_t id;
    ValueColumn values;
  };
  ValueColumn& columnOf(std::uint32_t id);
  void noteLatest();

  RowAxis axis_;
  std::vector<CoarseBlock::Bucket> buckets_;
  TimePoint latest_{};
  SegmentSpan segments_;
  std::vector<Column> columns_;  // by id
};

}  // namespace lockstep
