// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/sample_joiner.h"

#include <algorithm>

namespace lockstep {

void SampleJoiner::add(const MetricSegment& segment) {
  for (const auto& column : segment.columns) {
    Series& series = series_[{segment.rank, column.name}];
    for (std::size_t i = 0; i < segment.rows.size(); ++i)
      if (column.cells[i])
        series.points.push_back({segment.rows[i].step, segment.rows[i].time, *column.cells[i]});
    series.segments.include(SegmentId{segment.rank, segment.level, segment.sequence}.segments());
  }
  cells_ += segment.rows.size() * segment.columns.size();
}

std::vector<MetricSeriesBatch> SampleJoiner::take() {
  std::vector<MetricSeriesBatch> batches;
  for (auto& [key, series] : series_) {
    if (series.points.empty()) continue;
    const auto earlier = [](const MetricPoint& a, const MetricPoint& b) {
      return std::pair(a.step, a.time) < std::pair(b.step, b.time);
    };
    std::stable_sort(series.points.begin(), series.points.end(), earlier);
    batches.push_back({key.second, key.first, std::move(series.points), series.segments});
  }
  series_.clear();
  return batches;
}

}  // namespace lockstep
