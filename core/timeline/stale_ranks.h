// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <chrono>
#include <optional>
#include <vector>

#include "timeline/run_timeline.h"

namespace lockstep {

/// A rank of which nothing comes any more while others go on.
struct StaleRank {
  Rank rank;
  TimePoint since{};                // its newest sample, by the clock of the reference
  std::chrono::nanoseconds behind;  // how far that is behind the newest sample of all ranks
  Step lastStep = 0;
  bool operator==(const StaleRank&) const = default;
};

inline constexpr int kStaleIntervals = 10;  // so many times of its own distance between two steps
inline constexpr std::chrono::seconds kMinStale{15};
inline constexpr int kObjectsPerSecond =
    20;  // of all ranks together (docs/formats/metric-segments.md, section 8)

/// By rank: those of `samples` (of the timeline's, or as they were at some time) whose newest sample is older than the newest one of all ranks by more than kStaleIntervals of their steps,
/// kMinStale, and three times as long as a writer of so many ranks may take between two segments. It is told by what has
/// come, not by the viewer's clock: a store that answers late makes nobody stale, and where all stop, nobody is.
/// Cost: ranks x log rows.
[[nodiscard]] std::vector<StaleRank> staleRanks(const RunTimeline& timeline, const MetricStore& samples);
[[nodiscard]] inline std::vector<StaleRank> staleRanks(const RunTimeline& timeline) {
  return staleRanks(timeline, timeline.samples());
}

}  // namespace lockstep
