// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/store/sample_chunk.h"

#include <algorithm>

namespace lockstep {

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
  return next - first;
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
  for (const Column& column : columns_) count += column.values.size();
  return count;
}

std::size_t SampleChunk::bytes() const {
  std::size_t bytes =
      sizeof(*this) + axis_.bytes() + (columns_.capacity() - columns_.size()) * sizeof(Column);
  for (const Column& column : columns_) bytes += column.values.bytes() + sizeof(Column) - sizeof(ValueColumn);
  return bytes;
}

void SampleChunk::keepFirst(std::uint32_t rows) {
  axis_.keepFirst(rows);
  for (Column& column : columns_) column.values.keepFirst(rows);
  std::erase_if(columns_, [](const Column& column) { return column.values.size() == 0; });
}

void SampleChunk::forEachExtent(
    const std::function<void(std::uint32_t id, Step first, Step last)>& visit) const {
  for (const Column& column : columns_)
    visit(column.id, axis_.step(column.values.row(0)),
          axis_.step(column.values.row(column.values.size() - 1)));
}

void SampleChunk::shrink() {
  axis_.shrink();
  columns_.shrink_to_fit();
  for (Column& column : columns_) column.values.shrink();
}

}  // namespace lockstep
