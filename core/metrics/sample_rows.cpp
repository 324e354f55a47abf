// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/sample_rows.h"

#include <algorithm>
#include <numeric>

namespace lockstep {
namespace {

// Series without a family in common are rare; comparing with all of them would be slower than merging.
constexpr std::size_t kFamiliesToTry = 8;

RowKey keyOf(const MetricPoint& point) {
  return {point.step, point.time};
}

/// Ascending, the first of each key.
std::vector<MetricPoint> inOrder(std::vector<MetricPoint> points) {
  std::ranges::stable_sort(points, {}, keyOf);
  const auto isSame = [](const MetricPoint& a, const MetricPoint& b) { return keyOf(a) == keyOf(b); };
  points.erase(std::unique(points.begin(), points.end(), isSame), points.end());
  return points;
}

RowBlock blockOf(std::uint32_t id, const std::vector<MetricPoint>& points) {
  if (std::ranges::adjacent_find(points, std::ranges::greater_equal(), keyOf) != points.end())
    return blockOf(id, inOrder(points));
  RowBlock block;
  RowBlock::Column column{id, std::vector<std::uint32_t>(points.size()), {}};
  std::iota(column.rows.begin(), column.rows.end(), 0U);
  block.keys.reserve(points.size());
  column.values.reserve(points.size());
  for (const MetricPoint& point : points) {
    block.keys.push_back(keyOf(point));
    column.values.push_back(point.value);
  }
  block.columns.push_back(std::move(column));
  return block;
}

}  // namespace

void SampleRows::add(std::uint32_t id, const std::vector<MetricPoint>& points, const SegmentSpan& segments) {
  if (points.empty()) return;
  RowBlock block = blockOf(id, points);
  block.segments = segments;
  const std::size_t tried = std::min(families_.size(), kFamiliesToTry);
  for (auto family = families_.rbegin(); family != families_.rbegin() + static_cast<std::ptrdiff_t>(tried);
       ++family) {
    if (family->keys != block.keys) continue;
    if (segments.isEmpty()) family->segments = {};
    if (!family->segments.isEmpty()) family->segments.include(segments);
    RowBlock::Column& column = family->column(id);
    if (column.rows.empty()) column = std::move(block.columns.front());
    return;  // else a repetition, cell by cell
  }
  families_.push_back(std::move(block));
}

RowBlock SampleRows::take() {
  while (families_.size() > 1) {
    std::vector<RowBlock> joined;
    for (std::size_t i = 0; i + 1 < families_.size(); i += 2)
      joined.push_back(merged(families_[i], families_[i + 1]));
    if (families_.size() % 2 == 1) joined.push_back(std::move(families_.back()));
    families_ = std::move(joined);
  }
  return families_.empty() ? RowBlock() : std::move(families_.front());
}

}  // namespace lockstep
