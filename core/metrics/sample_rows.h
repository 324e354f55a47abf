// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <vector>

#include "metrics/metric_sample.h"
#include "metrics/store/row_block.h"

namespace lockstep {

/// Puts series of one rank together to rows: samples of one step and time become one row. Cost: linear where the series
/// have the same steps and times, as those of one recording have.
class SampleRows {
 public:
  /// `segments`: where they can be read again; empty: nobody knows.
  void add(std::uint32_t id, const std::vector<MetricPoint>& points, const SegmentSpan& segments = {});
  [[nodiscard]] RowBlock take();

 private:
  std::vector<RowBlock> families_;  // series with the same rows
};

}  // namespace lockstep
