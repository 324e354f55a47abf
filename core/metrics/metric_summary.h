// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>

#include "metrics/metric_segment.h"

namespace lockstep {

/// How many raw segments one summary segment stands for: summary n stands for raw n*16 … n*16+15.
inline constexpr std::uint64_t kRawPerSummary = 16;

/// Collects what a summary segment keeps of each raw one: real samples, the smallest, the largest and the
/// last of every column in each half. docs/formats/metric-segments.md 7. Not thread-safe.
class SummaryBuilder {
 public:
  /// In the order of their numbers. The summary, when this was the last raw segment of its group and all of
  /// the group were seen here.
  std::optional<MetricSegment> add(const MetricSegment& raw);

 private:
  MetricSegment summary_;
  std::uint64_t collected_ = 0;  // raw segments in summary_
};

}  // namespace lockstep
