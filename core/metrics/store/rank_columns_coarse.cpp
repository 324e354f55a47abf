// SPDX-License-Identifier: GPL-3.0-or-later
// What of a rank's samples is not in memory but for what they come to.
#include <algorithm>
#include <utility>

#include "metrics/store/attempt_rules.h"
#include "metrics/store/rank_columns.h"

namespace lockstep {
namespace {

using Chunk = std::shared_ptr<const SampleChunk>;

/// From where to where rows reach, in steps and times.
struct Extent {
  RowKey first, last;
  TimePoint minTime, maxTime;

  explicit Extent(const SampleChunk& chunk)
      : first(chunk.first()), last(chunk.last()), minTime(chunk.minTime()), maxTime(chunk.maxTime()) {}
  [[nodiscard]] bool holds(const RowKey& key) const {
    return key >= first && key <= last && key.time >= minTime && key.time <= maxTime;
  }
};

/// The rows that lie within.
RowBlock within(const Extent& extent, const RowBlock& rows) {
  std::vector<std::uint32_t> part;
  part.reserve(rows.keys.size());
  for (const RowKey& key : rows.keys) part.push_back(extent.holds(key) ? 0U : 1U);
  return std::move(split(rows, part, 2).front());
}

bool standsBefore(const Chunk& a, const Chunk& b) {
  return std::pair(a->first(), a->last()) < std::pair(b->first(), b->last());
}

}  // namespace

void RankColumns::add(const CoarseBlock& block) {
  if (block.buckets.empty()) return;
  for (const CoarseBlock::Column& column : block.columns) {
    if (column.cells.empty()) continue;
    const Step first = column.cells.front().first, last = column.cells.back().last;
    auto& steps = steps_.try_emplace(column.id, first, last).first->second;
    steps = {std::min(steps.first, first), std::max(steps.second, last)};
  }
  insert(std::make_shared<SampleChunk>(block));
}

/// Into the attempt that it belongs to by its times.
void RankColumns::insert(Chunk chunk) {
  Attempt& attempt = attemptAround(*chunk);
  const bool isFirst = attempt.chunks.empty();
  attempt.minTime = isFirst ? chunk->minTime() : std::min(attempt.minTime, chunk->minTime());
  attempt.maxTime = isFirst ? chunk->maxTime() : std::max(attempt.maxTime, chunk->maxTime());
  const auto place = std::ranges::upper_bound(attempt.chunks, chunk, standsBefore);
  const auto at = static_cast<std::size_t>(place - attempt.chunks.begin());
  attempt.chunks.insert(place, std::move(chunk));
  const auto chunkAt = [&attempt](std::size_t i) {
    return i < attempt.chunks.size() ? attempt.chunks[i].get() : nullptr;
  };
  if (goesBack(at > 0 ? chunkAt(at - 1) : nullptr, *attempt.chunks[at], chunkAt(at + 1))) regroup();
}

Attempt& RankColumns::attemptAround(const SampleChunk& chunk) {
  const auto after = std::ranges::upper_bound(attempts_, chunk.minTime(), {}, &Attempt::minTime);
  if (after != attempts_.begin()) {
    Attempt& last = *std::prev(after);
    if (chunk.minTime() <= last.maxTime || !fallsBack(last.maxStep(), chunk.first().step)) return last;
  }
  if (after != attempts_.end() && !fallsBack(chunk.last().step, after->minStep())) return *after;
  if (attempts_.size() >= kMaxAttempts) return attempts_.back();
  return *attempts_.emplace(after);
}

/// A restart shows among what is known: the chunks, in the order of their times, are attempts as long as their steps go up.
void RankColumns::regroup() {
  std::vector<Chunk> all;
  for (const Attempt& attempt : attempts_)
    all.insert(all.end(), attempt.chunks.begin(), attempt.chunks.end());
  std::ranges::stable_sort(all, {}, [](const Chunk& chunk) { return chunk->minTime(); });
  attempts_.clear();
  for (Chunk& chunk : all) {
    const bool isNew = attempts_.empty() || (fallsBack(attempts_.back().maxStep(), chunk->first().step) &&
                                             attempts_.size() < kMaxAttempts);
    if (isNew) attempts_.push_back({{}, chunk->minTime(), chunk->maxTime()});
    Attempt& attempt = attempts_.back();
    attempt.maxTime = std::max(attempt.maxTime, chunk->maxTime());
    attempt.chunks.push_back(std::move(chunk));
  }
  for (Attempt& attempt : attempts_) std::ranges::stable_sort(attempt.chunks, standsBefore);
}

void RankColumns::replaceCoarse(const SegmentSpan& segments, std::span<const CoarseBlock> by,
                                const RowBlock& rows) {
  for (auto attempt = attempts_.begin(); attempt != attempts_.end(); ++attempt) {
    const auto found = std::ranges::find_if(attempt->chunks, [&segments](const Chunk& chunk) {
      return chunk->isCoarse() && chunk->segments() == segments;
    });
    if (found == attempt->chunks.end()) continue;
    const Chunk replaced = *found;
    attempt->chunks.erase(found);
    if (attempt->chunks.empty()) attempts_.erase(attempt);
    for (const CoarseBlock& block : by) add(block);
    add(within(Extent(*replaced), rows));
    return;
  }
}

bool RankColumns::canBeCoarse(const SampleChunk& chunk) {
  const std::uint64_t segments = chunk.segments().size();
  return !chunk.isCoarse() && chunk.size() > 0 && segments > 0 && segments <= kMostSegmentsAgain;
}

void RankColumns::coarsen(const Chunk& chunk) {
  if (!canBeCoarse(*chunk) || chunk == open_) return;
  for (Attempt& attempt : attempts_) {
    const auto found = std::ranges::find(attempt.chunks, chunk);
    if (found == attempt.chunks.end()) continue;
    *found = std::make_shared<SampleChunk>(coarsened(*chunk));
    return;
  }
}

std::vector<SegmentSpan> RankColumns::coarseIn(Step from, Step to, double stepsPerBucket) const {
  std::vector<SegmentSpan> spans;
  for (const Attempt& attempt : attempts_)
    for (const Chunk& chunk : attempt.chunks)
      if (chunk->isCoarse() && chunk->last().step >= from && chunk->first().step <= to &&
          chunk->stepsPerBucket() > stepsPerBucket)
        spans.push_back(chunk->segments());
  return spans;
}

}  // namespace lockstep
