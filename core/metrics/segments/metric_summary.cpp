// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/segments/metric_summary.h"

#include <algorithm>

namespace lockstep {
namespace {

using Bucket = SegmentSummary::Bucket;
using Cell = SegmentSummary::Cell;
using Column = SegmentSummary::Column;

constexpr std::array kLevels{SegmentLevel::Of16, SegmentLevel::Of256, SegmentLevel::Of4096};
// How many buckets one object of the level below becomes.
constexpr std::array<std::size_t, 3> kBucketsPerPart{1, 1, 8};

void widen(Bucket& bucket, const Bucket& with) {
  bucket.first = {std::min(bucket.first.step, with.first.step), std::min(bucket.first.time, with.first.time)};
  bucket.last = {std::max(bucket.last.step, with.last.step), std::max(bucket.last.time, with.last.time)};
}

void append(std::optional<Cell>& to, const std::optional<Cell>& later) {
  if (!later) return;
  if (!to) {
    to = later;
    return;
  }
  to->values.append(later->values);
  to->first = std::min(to->first, later->first);
  to->last = std::max(to->last, later->last);
}

Cell cellOf(const MetricSegment& raw, const MetricSegment::Column& column) {
  Cell cell;
  for (std::size_t i = 0; i < raw.rows.size(); ++i) {
    if (!column.cells[i]) continue;
    const Step step = raw.rows[i].step;
    cell.first = cell.values.isEmpty() ? step : std::min(cell.first, step);
    cell.last = cell.values.isEmpty() ? step : std::max(cell.last, step);
    cell.values.add(*column.cells[i]);
  }
  return cell;
}

/// Whether the steps of a segment go back by more than one: threads of a rank record side by side.
bool goesBack(const MetricSegment& raw) {
  Step reached = raw.rows.front().step;
  for (const auto& row : raw.rows) {
    if (row.step < reached - 1) return true;
    reached = std::max(reached, row.step);
  }
  return false;
}

/// The buckets of `part` behind those of `to`.
void append(SegmentSummary& to, const SegmentSummary& part) {
  const std::size_t before = to.buckets.size();
  to.buckets.insert(to.buckets.end(), part.buckets.begin(), part.buckets.end());
  for (const Column& from : part.columns) {
    Column& column = to.column(from.name);
    column.cells.resize(before);
    column.cells.insert(column.cells.end(), from.cells.begin(), from.cells.end());
  }
  for (Column& column : to.columns) column.cells.resize(to.buckets.size());
}

}  // namespace

SegmentSummary bucketOf(const MetricSegment& raw) {
  SegmentSummary summary;
  summary.id = {raw.rank, SegmentLevel::Raw, raw.sequence};
  if (raw.rows.empty()) return summary;
  const RowKey first{raw.rows.front().step, raw.rows.front().time};
  Bucket& bucket = summary.buckets.emplace_back(Bucket{first, first});
  for (const auto& row : raw.rows) widen(bucket, {{row.step, row.time}, {row.step, row.time}});
  for (const auto& column : raw.columns) {
    const Cell cell = cellOf(raw, column);
    if (!cell.values.isEmpty()) summary.columns.push_back({column.name, {cell}});
  }
  return summary;
}

SegmentSummary joined(const SegmentSummary& summary, std::size_t count) {
  const std::size_t size = summary.buckets.size();
  const std::size_t width = std::max<std::size_t>(1, (size + count - 1) / count);
  SegmentSummary result;
  result.id = summary.id;
  for (std::size_t first = 0; first < size; first += width) {
    Bucket& bucket = result.buckets.emplace_back(summary.buckets[first]);
    for (std::size_t i = first; i < std::min(first + width, size); ++i) widen(bucket, summary.buckets[i]);
  }
  for (const Column& from : summary.columns) {
    Column& column = result.column(from.name);
    for (std::size_t i = 0; i < size; ++i) append(column.cells[i / width], from.cells[i]);
  }
  return result;
}

std::vector<SegmentSummary> SummaryBuilder::add(const MetricSegment& raw) {
  if (raw.rows.empty()) return {};
  beginGroups(raw);
  SegmentSummary part = bucketOf(raw);
  if (goesBack(raw))
    for (Group& group : groups_) group.isWhole = false;
  std::vector<SegmentSummary> whole;
  for (std::size_t level = 0; level < groups_.size(); ++level) {
    if (!add(groups_[level], part, kBucketsPerPart[level])) return whole;
    part = groups_[level].summary;
    if (groups_[level].isWhole)
      whole.push_back(part);
    else if (level + 1 < groups_.size())
      groups_[level + 1].isWhole = false;
  }
  return whole;
}

void SummaryBuilder::beginGroups(const MetricSegment& raw) {
  for (std::size_t level = 0; level < groups_.size(); ++level) {
    Group& group = groups_[level];
    const std::uint64_t size = rawSegmentsIn(kLevels[level]);
    const std::uint64_t number = raw.sequence / size;
    if (raw.sequence % size == 0) {
      group = {{{raw.rank, kLevels[level], number}, {}, {}}, true, 0};
    } else if (raw.sequence != next_ || group.summary.id.sequence != number) {
      // Began within the group: the parts that are still to come are counted, and give nothing.
      group = {
          {{raw.rank, kLevels[level], number}, {}, {}}, false, raw.sequence % size / (size / kSegmentFan)};
    }
  }
  next_ = raw.sequence + 1;
}

/// True: that was its last part.
bool SummaryBuilder::add(Group& group, const SegmentSummary& part, std::size_t bucketsPerPart) {
  append(group.summary, joined(part, bucketsPerPart));
  group.isWhole = group.isWhole && isAscending(group.summary);
  return ++group.parts == kSegmentFan;
}

}  // namespace lockstep
