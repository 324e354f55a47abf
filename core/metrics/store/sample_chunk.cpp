// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/store/sample_chunk.h"

#include <algorithm>

namespace lockstep {

namespace {

/// The first of `count` that `is` says yes of, as of all behind it; `count`: none.
template <class Is>
std::uint32_t firstWhere(std::uint32_t count, Is is) {
  std::uint32_t first = 0;
  while (count > 0) {
    const std::uint32_t half = count / 2;
    if (is(first + half)) {
      count = half;
    } else {
      first += half + 1;
      count -= half + 1;
    }
  }
  return first;
}

TimePoint beginOf(const CoarseBlock::Bucket& bucket) {
  return bucket.first.time;
}

Step endOf(const CoarseBlock::Bucket& bucket) {
  return bucket.last.step;
}

}  // namespace

SampleChunk::SampleChunk(const CoarseBlock& block) : buckets_(block.buckets), segments_(block.segments) {
  noteLatest();
  for (const CoarseBlock::Column& from : block.columns) {
    const bool isNarrow = std::ranges::all_of(
        from.cells, [](const CoarseBlock::Cell& cell) { return ValueColumn::canBeNarrow(cell.values); });
    ValueColumn& to = columnOf(from.id);
    for (const CoarseBlock::Cell& cell : from.cells) {
      const Step begin = buckets_[cell.bucket].first.step;
      to.append(cell.bucket, cell.values, static_cast<std::uint64_t>(cell.first - begin),
                static_cast<std::uint64_t>(cell.last - begin), isNarrow);
    }
  }
  shrink();
}

std::uint32_t SampleChunk::append(const RowBlock& block, std::uint32_t first) {
  const std::uint32_t before = size();
  std::uint32_t next = first;
  while (next < block.keys.size() && size() < kMaxRows && axis_.append(block.keys[next])) ++next;
  for (const RowBlock::Column& from : block.columns) {
    const auto begin = std::ranges::lower_bound(from.rows, first);
    if (begin == from.rows.end() || *begin >= next) continue;
    ValueColumn& to = columnOf(from.id);
    for (auto row = begin; row != from.rows.end() && *row < next; ++row)
      to.append(before + *row - first, from.values[static_cast<std::size_t>(row - from.rows.begin())]);
  }
  if (next > first) {
    const bool isKnown = !block.segments.isEmpty() && (before == 0 || !segments_.isEmpty());
    segments_.include(block.segments);
    if (!isKnown) segments_ = {};
  }
  return next - first;
}

double SampleChunk::stepsPerBucket() const {
  if (!isCoarse()) return 0;
  return (static_cast<double>(last().step) - static_cast<double>(first().step) + 1) /
         static_cast<double>(buckets_.size());
}

Step SampleChunk::step(const ValueColumn& column, std::uint32_t index) const {
  const std::uint32_t row = column.row(index);
  return isCoarse() ? buckets_[row].first.step + column.lastOffset(index) : axis_.step(row);
}

Step SampleChunk::firstStep(const ValueColumn& column, std::uint32_t index) const {
  const std::uint32_t row = column.row(index);
  return isCoarse() ? buckets_[row].first.step + column.firstOffset(index) : axis_.step(row);
}

RowKey SampleChunk::key(const ValueColumn& column, std::uint32_t index) const {
  const std::uint32_t row = column.row(index);
  return isCoarse() ? buckets_[row].rowAt(step(column, index)) : axis_.key(row);
}

void SampleChunk::noteLatest() {
  latest_ = {};
  for (const auto& bucket : buckets_) latest_ = std::max(latest_, bucket.last.time);
}

RowKey SampleChunk::rowAt(Step step) const {
  if (!isCoarse()) return axis_.key(axis_.firstAt(step));
  return std::ranges::lower_bound(buckets_, step, {}, endOf)->rowAt(step);
}

std::optional<RowKey> SampleChunk::rowBefore(Step step) const {
  if (!isCoarse()) {
    const std::uint32_t row = axis_.firstAt(step);
    return row > 0 ? std::optional(axis_.key(row - 1)) : std::nullopt;
  }
  const auto bucket = std::ranges::lower_bound(buckets_, step, {}, endOf);
  if (bucket != buckets_.end() && bucket->first.step < step) return bucket->rowAt(step - 1);
  return bucket != buckets_.begin() ? std::optional(std::prev(bucket)->last) : std::nullopt;
}

RowKey SampleChunk::rowBy(TimePoint time) const {
  if (!isCoarse()) {
    const std::uint32_t count = firstWhere(size(), [&](std::uint32_t row) { return axis_.time(row) > time; });
    return axis_.key(count == 0 ? 0 : count - 1);
  }
  const auto behind = std::ranges::upper_bound(buckets_, time, {}, beginOf);
  return (behind == buckets_.begin() ? behind : std::prev(behind))->rowBy(time);
}

std::uint32_t SampleChunk::countUntil(TimePoint end) const {
  std::uint32_t count = 0;
  if (isCoarse())
    while (count < buckets_.size() && buckets_[count].last.time <= end) ++count;
  else
    while (count < size() && axis_.time(count) <= end) ++count;
  return count;
}

std::uint32_t SampleChunk::firstAt(const ValueColumn& column, Step step) const {
  if (!isCoarse()) return column.indexAt(axis_.firstAt(step));
  return firstWhere(column.size(), [&](std::uint32_t i) { return this->step(column, i) >= step; });
}

std::uint32_t SampleChunk::firstBeginningAt(const ValueColumn& column, Step step) const {
  if (!isCoarse()) return column.indexAt(axis_.firstAt(step));
  return firstWhere(column.size(), [&](std::uint32_t i) { return firstStep(column, i) >= step; });
}

std::vector<std::uint32_t> SampleChunk::ids() const {
  std::vector<std::uint32_t> ids;
  for (const Column& column : columns_) ids.push_back(column.id);
  return ids;
}

ValueColumn& SampleChunk::columnOf(std::uint32_t id) {
  const auto place = std::ranges::lower_bound(columns_, id, {}, &Column::id);
  if (place != columns_.end() && place->id == id) return place->values;
  return columns_.insert(place, Column{id, {}})->values;
}

const ValueColumn* SampleChunk::column(std::uint32_t id) const {
  const auto place = std::ranges::lower_bound(columns_, id, {}, &Column::id);
  return place != columns_.end() && place->id == id ? &place->values : nullptr;
}

RowBlock SampleChunk::rows() const {
  RowBlock block;
  if (isCoarse()) return block;
  block.segments = segments_;
  block.keys.reserve(size());
  for (std::uint32_t row = 0; row < size(); ++row) block.keys.push_back(axis_.key(row));
  for (const Column& from : columns_) {
    RowBlock::Column to{from.id, {}, {}};
    to.rows.reserve(from.values.size());
    to.values.reserve(from.values.size());
    for (std::uint32_t i = 0; i < from.values.size(); ++i) {
      to.rows.push_back(from.values.row(i));
      to.values.push_back(from.values.value(i));
    }
    block.columns.push_back(std::move(to));
  }
  return block;
}

std::size_t SampleChunk::valueCount() const {
  std::size_t count = 0;
  for (const Column& column : columns_) {
    const ValueSummary& all = column.values.summary();
    count += isCoarse() ? static_cast<std::size_t>(all.finite + all.notFinite) : column.values.size();
  }
  return count;
}

std::size_t SampleChunk::bytes() const {
  std::size_t bytes = sizeof(*this) + axis_.bytes() + buckets_.capacity() * sizeof(buckets_[0]) +
                      (columns_.capacity() - columns_.size()) * sizeof(Column);
  for (const Column& column : columns_) bytes += column.values.bytes() + sizeof(Column) - sizeof(ValueColumn);
  return bytes;
}

void SampleChunk::keepFirst(std::uint32_t count) {
  if (isCoarse()) {
    buckets_.resize(count);
    noteLatest();
  } else {
    axis_.keepFirst(count);
  }
  for (Column& column : columns_) column.values.keepFirst(count);
  std::erase_if(columns_, [](const Column& column) { return column.values.size() == 0; });
}

void SampleChunk::forEachExtent(
    const std::function<void(std::uint32_t id, Step first, Step last)>& visit) const {
  for (const Column& column : columns_)
    visit(column.id, firstStep(column.values, 0), step(column.values, column.values.size() - 1));
}

void SampleChunk::shrink() {
  axis_.shrink();
  columns_.shrink_to_fit();
  for (Column& column : columns_) column.values.shrink();
}

}  // namespace lockstep
