// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/stale_ranks.h"

#include <algorithm>

#include "timeline/rank_timeline.h"

namespace lockstep {
namespace {

using std::chrono::nanoseconds;
constexpr Step kRecentSteps = 64;

/// How long this rank took for a step of late; nothing: it has made none.
std::optional<nanoseconds> intervalOf(const RankTimeline& timeline, const Attempt& newest) {
  const std::size_t attempt = timeline.attemptCount() - 1;
  const Step to = newest.maxStep();
  const Step from = std::max(newest.minStep(), to - kRecentSteps);
  const auto first = timeline.rowAt(from, attempt), last = timeline.rowAt(to, attempt);
  if (!first || !last || last->step <= first->step || last->time <= first->time) return std::nullopt;
  return (last->time - first->time) / (last->step - first->step);
}

nanoseconds longestPause(const std::optional<nanoseconds>& interval, std::size_t ranks) {
  constexpr nanoseconds kSlowest = std::chrono::years(1);
  const nanoseconds steps = interval ? kStaleIntervals * std::min(*interval, kSlowest) : nanoseconds(0);
  const nanoseconds segments = 3 * std::chrono::seconds(static_cast<std::int64_t>(ranks)) / kObjectsPerSecond;
  return std::max<nanoseconds>({steps, segments, kMinStale});
}

}  // namespace

std::vector<StaleRank> staleRanks(const RunTimeline& timeline, const MetricStore& samples) {
  const std::vector<Rank> ranks = samples.ranks();
  std::vector<TimePoint> newest;
  for (const Rank rank : ranks)
    newest.push_back(timeline.aligned(rank, RankTimeline(samples, rank).span().second));
  if (newest.empty()) return {};
  const TimePoint newestOfAll = *std::ranges::max_element(newest);
  std::vector<StaleRank> stale;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    const nanoseconds behind = newestOfAll - newest[i];
    if (behind <= kMinStale) continue;
    const auto attempts = samples.attempts(ranks[i]);
    if (behind <= longestPause(intervalOf(RankTimeline(attempts), attempts.back()), ranks.size())) continue;
    stale.push_back({ranks[i], newest[i], behind, attempts.back().maxStep()});
  }
  return stale;
}

}  // namespace lockstep
