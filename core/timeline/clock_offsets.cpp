// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/clock_offsets.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "timeline/rank_timeline.h"

namespace lockstep {
namespace {

using std::chrono::nanoseconds;

nanoseconds medianOf(std::vector<nanoseconds> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

/// Rows of one attempt, evenly over the steps [from, to].
std::vector<RowKey> rowsOver(const RankTimeline& timeline, std::size_t attempt, Step from, Step to) {
  std::vector<RowKey> rows;
  const double gap = (static_cast<double>(to) - static_cast<double>(from)) / (ClockOffsets::kSteps - 1);
  for (int i = 0; i < ClockOffsets::kSteps; ++i) {
    const Step wanted = std::min(to, from + static_cast<Step>(std::llround(gap * i)));
    const auto row = timeline.rowAt(wanted, attempt);
    if (row && row->step <= to && (rows.empty() || row->step > rows.back().step)) rows.push_back(*row);
  }
  return rows;
}

/// How long a step of that attempt takes; a reference may have been off for a while, so not from end to end.
nanoseconds stepDuration(const std::vector<RowKey>& rows) {
  std::vector<nanoseconds> durations;
  for (std::size_t i = 1; i < rows.size(); ++i)
    durations.push_back((rows[i].time - rows[i - 1].time) / (rows[i].step - rows[i - 1].step));
  return medianOf(std::move(durations));
}

/// How far `other` is ahead where both are at the same step; nothing: that is not known, or not much.
std::optional<ClockOffset> offsetOf(const RankTimeline& reference, std::size_t referenceAttempt,
                                    const RankTimeline& other, std::size_t attempt, const Attempt& one,
                                    const Attempt& two) {
  const Step from = std::max(one.minStep(), two.minStep()), to = std::min(one.maxStep(), two.maxStep());
  if (from > to) return std::nullopt;
  std::vector<RowKey> rows;
  std::vector<nanoseconds> differences;
  for (const RowKey& row : rowsOver(reference, referenceAttempt, from, to)) {
    const auto same = other.rowAt(row.step, attempt);
    if (!same || same->step != row.step) continue;
    rows.push_back(row);
    differences.push_back(same->time - row.time);
  }
  if (differences.size() < ClockOffsets::kMinSteps) return std::nullopt;
  const nanoseconds offset = medianOf(differences);
  for (nanoseconds& difference : differences) difference = std::chrono::abs(difference - offset);
  const nanoseconds spread = medianOf(std::move(differences));
  const nanoseconds least = std::max<nanoseconds>(ClockOffsets::kMinOffset, stepDuration(rows));
  const nanoseconds size = std::chrono::abs(offset);
  const bool isOff =
      size > least && size / ClockOffsets::kSpreads > spread && size <= ClockOffsets::kMaxOffset;
  return isOff ? std::optional(ClockOffset{offset, spread}) : std::nullopt;
}

}  // namespace

ClockOffsets::ClockOffsets(const MetricStore& samples) {
  const std::vector<Rank> ranks = samples.ranks();
  if (ranks.empty()) return;
  const auto reference = samples.attempts(ranks.front());
  for (const Rank rank : ranks) {
    if (rank == ranks.front()) continue;
    const auto attempts = samples.attempts(rank);
    for (std::size_t back = 1; back <= std::min(attempts.size(), reference.size()); ++back) {
      const std::size_t mine = attempts.size() - back, its = reference.size() - back;
      const auto offset = offsetOf(RankTimeline(reference), its, RankTimeline(attempts), mine, reference[its],
                                   attempts[mine]);
      if (!offset) continue;
      all_[rank][mine] = *offset;
      if (back == 1) newest_[rank] = *offset;
    }
  }
}

nanoseconds ClockOffsets::of(Rank rank, std::size_t attempt) const {
  const auto ofRank = all_.find(rank);
  if (ofRank == all_.end()) return nanoseconds(0);
  const auto found = ofRank->second.find(attempt);
  return found == ofRank->second.end() ? nanoseconds(0) : found->second.offset;
}

}  // namespace lockstep
