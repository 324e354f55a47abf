// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <vector>

#include "metrics/metric_sample.h"
#include "metrics/segments/segment_summary.h"

namespace lockstep {

/// A part of a rank's past of which not every sample is in memory: it can be read again from these raw segments.
struct CoarseSpan {
  Rank rank;
  SegmentSpan segments;
  auto operator<=>(const CoarseSpan&) const = default;
};

/// What a reader has read of such a part: summaries, or finer ones and samples in place of what stood for them before.
struct CoarsePart {
  Rank rank;
  SegmentSpan replaces;  // empty: it is the first that is read of its segments
  std::vector<SegmentSummary> summaries;
  std::vector<MetricSeriesBatch> batches;  // samples, all of the segments that no summary here stands for
};

}  // namespace lockstep
