// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <chrono>
#include <stop_token>
#include <vector>

#include "metrics/coarse_part.h"
#include "metrics/sample_joiner.h"

namespace lockstep {

/// What one poll of a MetricReader brings, and whether it has brought enough.
struct CollectedSamples {
  static constexpr std::size_t kMaxCells = 4'000'000;  // some 100 MB

  SampleJoiner samples;
  std::vector<CoarsePart> parts;
  std::chrono::steady_clock::time_point until;
  bool outOfTime = false;
  std::size_t partCells = 0;

  void add(CoarsePart part) {
    for (const SegmentSummary& summary : part.summaries)
      partCells += summary.buckets.size() * summary.columns.size();
    for (const MetricSeriesBatch& batch : part.batches) partCells += batch.points.size();
    parts.push_back(std::move(part));
  }
  /// Cancelled: `stop`. Notes whether time or room is up.
  Result<void> goOn(const std::stop_token& stop) {
    if (stop.stop_requested()) return failure(ErrorCode::Cancelled, "reading the metrics was cancelled");
    outOfTime =
        outOfTime || samples.cells() + partCells >= kMaxCells || std::chrono::steady_clock::now() > until;
    return {};
  }
};

}  // namespace lockstep
