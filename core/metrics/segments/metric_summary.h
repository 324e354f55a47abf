// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "metrics/segments/metric_segment.h"
#include "metrics/segments/segment_summary.h"

namespace lockstep {

/// Makes the summaries of a rank while its raw segments are written: of each 16, 256 and 4,096 of them. A bucket of the
/// first is one raw segment, of the second 16, of the third 32 (docs/formats/metric-segments.md 7). Memory: some 100 kB;
/// cost: one look at each cell. Not thread-safe.
class SummaryBuilder {
 public:
  /// In the order of their numbers. The summaries that are whole with this one, finest first: of groups of which all were
  /// seen here, and in which no step goes back.
  std::vector<SegmentSummary> add(const MetricSegment& raw);

 private:
  struct Group {
    SegmentSummary summary;
    bool isWhole = false;     // so far
    std::uint64_t parts = 0;  // objects of the level below that are in it
  };
  void beginGroups(const MetricSegment& raw);
  [[nodiscard]] bool add(Group& group, const SegmentSummary& part, std::size_t bucketsPerPart);

  std::array<Group, 3> groups_;
  std::uint64_t next_ = 0;  // the raw segment that goes on where the last one ended
};

/// One raw segment as one bucket.
[[nodiscard]] SegmentSummary bucketOf(const MetricSegment& raw);
/// Its buckets joined to `count` at most, each of as many as the others.
[[nodiscard]] SegmentSummary joined(const SegmentSummary& summary, std::size_t count);

}  // namespace lockstep
