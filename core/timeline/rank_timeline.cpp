// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/rank_timeline.h"

#include <algorithm>

namespace lockstep {
namespace {

/// The last row that is not later than `time`, by the order of the steps.
std::optional<RowKey> lastRowUntil(const Attempt& attempt, TimePoint time) {
  const auto hasBegun = [time](const auto& chunk) { return chunk->minTime() <= time; };
  const auto end = std::ranges::partition_point(attempt.chunks, hasBegun);
  if (end == attempt.chunks.begin()) return std::nullopt;
  // Of a chunk that has begun a row may be earlier than its first one: threads record side by side.
  return (*(end - 1))->rowBy(time);
}

}  // namespace

std::pair<TimePoint, TimePoint> RankTimeline::span() const {
  TimePoint last = attempts_.front().maxTime;
  for (const Attempt& attempt : attempts_) last = std::max(last, attempt.maxTime);
  return {attempts_.front().minTime, last};
}

std::optional<std::size_t> RankTimeline::attemptWith(Step step) const {
  for (std::size_t i = attempts_.size(); i-- > 0;)
    if (attempts_[i].minStep() <= step && step <= attempts_[i].maxStep()) return i;
  return std::nullopt;
}

std::optional<std::size_t> RankTimeline::attemptAt(TimePoint time) const {
  for (std::size_t i = attempts_.size(); i-- > 0;)
    if (attempts_[i].minTime <= time) return i;
  return std::nullopt;
}

std::optional<RowKey> RankTimeline::rowAt(Step step, std::size_t attempt) const {
  const auto& chunks = attempts_[attempt].chunks;
  const auto isBefore = [step](const auto& chunk) { return chunk->last().step < step; };
  const auto chunk = std::ranges::partition_point(chunks, isBefore);
  if (chunk == chunks.end()) return std::nullopt;
  return (*chunk)->rowAt(step);
}

std::optional<TimePoint> RankTimeline::timeOf(Step step, std::size_t attempt) const {
  if (step < attempts_[attempt].minStep()) return std::nullopt;
  const auto row = rowAt(step, attempt);
  return row ? std::optional(row->time) : std::nullopt;
}

std::optional<TimePoint> RankTimeline::timeOf(Step step) const {
  const auto attempt = attemptWith(step);
  return attempt ? timeOf(step, *attempt) : std::nullopt;
}

std::optional<Step> RankTimeline::stepAt(TimePoint time) const {
  const auto attempt = attemptAt(time);
  if (!attempt) return std::nullopt;
  const auto row = lastRowUntil(attempts_[*attempt], time);
  return row ? std::optional(row->step) : std::nullopt;
}

}  // namespace lockstep
