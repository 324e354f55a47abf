// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "metrics/metric_sample.h"
#include "metrics/segments/metric_segment.h"

namespace lockstep {

/// Joins the samples of segments by name and rank.
class SampleJoiner {
 public:
  void add(const MetricSegment& segment);
  /// Everything that was added, each series in the order of its steps; empty again then.
  [[nodiscard]] std::vector<MetricSeriesBatch> take();
  [[nodiscard]] std::size_t cells() const { return cells_; }  // added in total, absent ones included

 private:
  struct Series {
    std::vector<MetricPoint> points;
    SegmentSpan segments;
  };
  std::map<std::pair<Rank, std::string>, Series> series_;
  std::size_t cells_ = 0;
};

}  // namespace lockstep
