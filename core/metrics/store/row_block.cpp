// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/store/row_block.h"

#include <algorithm>

namespace lockstep {
namespace {

constexpr std::uint32_t kFirst = 1, kSecond = 2;  // who has a row

/// Where the rows of two blocks come to lie in that of both.
struct Places {
  std::vector<RowKey> keys;
  std::vector<std::uint32_t> ofFirst, ofSecond;
};

std::uint32_t whoIsNext(const std::vector<RowKey>& first, std::size_t a, const std::vector<RowKey>& second,
                        std::size_t b) {
  if (a == first.size()) return kSecond;
  if (b == second.size() || first[a] < second[b]) return kFirst;
  return second[b] < first[a] ? kSecond : kFirst | kSecond;
}

Places placesOf(const std::vector<RowKey>& first, const std::vector<RowKey>& second) {
  Places places;
  places.keys.reserve(first.size() + second.size());
  places.ofFirst.reserve(first.size());
  places.ofSecond.reserve(second.size());
  for (std::size_t a = 0, b = 0; a < first.size() || b < second.size();) {
    const std::uint32_t who = whoIsNext(first, a, second, b);
    const auto row = static_cast<std::uint32_t>(places.keys.size());
    places.keys.push_back((who & kFirst) != 0 ? first[a] : second[b]);
    if ((who & kFirst) != 0) {
      places.ofFirst.push_back(row);
      ++a;
    }
    if ((who & kSecond) != 0) {
      places.ofSecond.push_back(row);
      ++b;
    }
  }
  return places;
}

void moveRows(RowBlock::Column& column, const std::vector<std::uint32_t>& places) {
  for (std::uint32_t& row : column.rows) row = places[row];
}

/// Both columns by rows; the cells of `first` stay.
RowBlock::Column joined(const RowBlock::Column& first, const RowBlock::Column& second) {
  RowBlock::Column all{first.id, {}, {}};
  all.rows.reserve(first.rows.size() + second.rows.size());
  all.values.reserve(first.rows.size() + second.rows.size());
  const auto take = [&all](const RowBlock::Column& from, std::size_t at) {
    all.rows.push_back(from.rows[at]);
    all.values.push_back(from.values[at]);
  };
  for (std::size_t a = 0, b = 0; a < first.rows.size() || b < second.rows.size();) {
    const bool isFirst =
        b == second.rows.size() || (a < first.rows.size() && first.rows[a] <= second.rows[b]);
    if (isFirst && b < second.rows.size() && first.rows[a] == second.rows[b]) ++b;
    isFirst ? take(first, a++) : take(second, b++);
  }
  return all;
}

/// Where the rows of two blocks can be read again.
SegmentSpan segmentsOf(const RowBlock& first, const RowBlock& second) {
  if (first.isEmpty()) return second.segments;
  if (second.isEmpty()) return first.segments;
  if (first.segments.isEmpty() || second.segments.isEmpty()) return {};
  SegmentSpan both = first.segments;
  both.include(second.segments);
  return both;
}

}  // namespace

RowBlock::Column& RowBlock::column(std::uint32_t id) {
  const auto place = std::ranges::lower_bound(columns, id, {}, &Column::id);
  if (place != columns.end() && place->id == id) return *place;
  return *columns.insert(place, Column{id, {}, {}});
}

void RowBlock::append(const RowBlock& later) {
  segments = segmentsOf(*this, later);
  const auto before = static_cast<std::uint32_t>(keys.size());
  keys.insert(keys.end(), later.keys.begin(), later.keys.end());
  for (const Column& from : later.columns) {
    Column& to = column(from.id);
    for (const std::uint32_t row : from.rows) to.rows.push_back(before + row);
    to.values.insert(to.values.end(), from.values.begin(), from.values.end());
  }
}

RowBlock merged(const RowBlock& first, const RowBlock& second) {
  Places places = placesOf(first.keys, second.keys);
  RowBlock all;
  all.segments = segmentsOf(first, second);
  all.keys = std::move(places.keys);
  all.columns = first.columns;
  for (RowBlock::Column& column : all.columns) moveRows(column, places.ofFirst);
  for (RowBlock::Column column : second.columns) {
    moveRows(column, places.ofSecond);
    RowBlock::Column& to = all.column(column.id);
    to = to.rows.empty() ? std::move(column) : joined(to, column);
  }
  return all;
}

RowBlock slice(const RowBlock& block, std::size_t first, std::size_t end) {
  RowBlock part;
  part.segments = block.segments;
  const auto at = [&block](std::size_t row) { return block.keys.begin() + static_cast<std::ptrdiff_t>(row); };
  part.keys.assign(at(first), at(end));
  for (const RowBlock::Column& from : block.columns) {
    const auto begin = std::ranges::lower_bound(from.rows, first);
    const auto stop = std::lower_bound(begin, from.rows.end(), end);
    if (begin == stop) continue;
    RowBlock::Column to{from.id, {begin, stop}, {}};
    for (std::uint32_t& row : to.rows) row -= static_cast<std::uint32_t>(first);
    const auto values = from.values.begin() + (begin - from.rows.begin());
    to.values.assign(values, values + (stop - begin));
    part.columns.push_back(std::move(to));
  }
  return part;
}

std::vector<RowBlock> split(const RowBlock& block, const std::vector<std::uint32_t>& partOf,
                            std::size_t count) {
  std::vector<RowBlock> parts(count);
  for (RowBlock& part : parts) part.segments = block.segments;
  std::vector<std::uint32_t> places;
  places.reserve(block.keys.size());
  for (std::size_t row = 0; row < block.keys.size(); ++row) {
    std::vector<RowKey>& keys = parts[partOf[row]].keys;
    places.push_back(static_cast<std::uint32_t>(keys.size()));
    keys.push_back(block.keys[row]);
  }
  for (const RowBlock::Column& from : block.columns) {
    for (std::size_t i = 0; i < from.rows.size(); ++i) {
      RowBlock::Column& to = parts[partOf[from.rows[i]]].column(from.id);
      to.rows.push_back(places[from.rows[i]]);
      to.values.push_back(from.values[i]);
    }
  }
  return parts;
}

}  // namespace lockstep
