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
void RankColumns::insert(const Chunk& chunk) {
  const std::size_t at = attemptAround(*chunk);
  if (place(attempts_[at], chunk) || rebuilds_ >= kMaxRebuilds) return;
  ++rebuilds_;
  rebuild({});
}

/// Between the rows before it and those behind it. False: the steps of the attempt go back now, by their times.
bool RankColumns::place(Attempt& attempt, const Chunk& coarse) {
  const bool isFirst = attempt.chunks.empty();
  attempt.minTime = isFirst ? coarse->minTime() : std::min(attempt.minTime, coarse->minTime());
  attempt.maxTime = isFirst ? coarse->maxTime() : std::max(attempt.maxTime, coarse->maxTime());
  Chunks chunks;
  RowBlock around;  // of chunks that reach into it, or over it
  std::size_t at = 0;
  for (; at < attempt.chunks.size() && standsBefore(attempt.chunks[at], coarse); ++at) {
    const Chunk& chunk = attempt.chunks[at];
    if (chunk->isCoarse() || chunk->last() < coarse->first())
      chunks.push_back(chunk);
    else
      around = merged(around, chunk->rows());
  }
  for (; at < attempt.chunks.size() && !attempt.chunks[at]->isCoarse() &&
         attempt.chunks[at]->first() <= coarse->last();
       ++at)
    around = merged(around, attempt.chunks[at]->rows());
  const std::size_t before = chunks.size();
  addAround(coarse, around, chunks);
  const std::size_t behind = chunks.size();
  chunks.insert(chunks.end(), attempt.chunks.begin() + static_cast<std::ptrdiff_t>(at), attempt.chunks.end());
  attempt.chunks = std::move(chunks);
  const auto chunkAt = [&attempt](std::size_t i) {
    return i < attempt.chunks.size() ? attempt.chunks[i].get() : nullptr;
  };
  for (std::size_t i = before; i < behind; ++i)
    if (goesBack(i > 0 ? chunkAt(i - 1) : nullptr, *chunkAt(i), chunkAt(i + 1))) return false;
  return true;
}

// In chunks that are about equally full, so that the next late rows have room.
void RankColumns::addChunks(const RowBlock& block, Chunks& to) {
  const std::size_t count = (block.keys.size() + SampleChunk::kMaxRows - 1) / SampleChunk::kMaxRows;
  for (std::size_t part = 0; part < count; ++part) {
    const RowBlock rows =
        slice(block, block.keys.size() * part / count, block.keys.size() * (part + 1) / count);
    for (std::uint32_t first = 0; first < rows.keys.size();) {
      auto chunk = std::make_shared<SampleChunk>();
      first += chunk->append(rows, first);
      chunk->shrink();
      to.push_back(std::move(chunk));
    }
  }
}

// The rows that it stands for are in it.
void RankColumns::addAround(const Chunk& coarse, const RowBlock& rows, Chunks& to) {
  const auto indexOf = [&rows](auto place) { return static_cast<std::size_t>(place - rows.keys.begin()); };
  const std::size_t begin = indexOf(std::ranges::lower_bound(rows.keys, coarse->first()));
  const std::size_t end = indexOf(std::ranges::upper_bound(rows.keys, coarse->last()));
  addChunks(slice(rows, 0, begin), to);
  to.push_back(coarse);
  addChunks(slice(rows, end, rows.keys.size()), to);
}

/// Whether a row lies among the steps of a coarse chunk, but not within its times: then there was a restart in between.
bool RankColumns::contradictsCoarse(const RowBlock& block, const std::vector<std::uint32_t>& attempts) const {
  for (std::size_t i = 0; i < block.keys.size(); ++i) {
    if (attempts[i] >= attempts_.size()) continue;
    const RowKey& key = block.keys[i];
    const Chunks& chunks = attempts_[attempts[i]].chunks;
    const auto chunk =
        std::ranges::partition_point(chunks, [&key](const Chunk& one) { return one->last() < key; });
    if (chunk == chunks.end() || !(*chunk)->isCoarse() || key < (*chunk)->first()) continue;
    if (key.time < (*chunk)->minTime() || key.time > (*chunk)->maxTime()) return true;
  }
  return false;
}

/// Its number; a new one, where it fits into none.
std::size_t RankColumns::attemptAround(const SampleChunk& chunk) {
  const auto after = std::ranges::upper_bound(attempts_, chunk.minTime(), {}, &Attempt::minTime);
  const auto number = static_cast<std::size_t>(after - attempts_.begin());
  if (number > 0) {
    const Attempt& last = attempts_[number - 1];
    if (chunk.minTime() <= last.maxTime || !fallsBack(last.maxStep(), chunk.first().step)) return number - 1;
  }
  if (after != attempts_.end() && !fallsBack(chunk.last().step, after->minStep())) return number;
  if (attempts_.size() >= kMaxAttempts) return attempts_.size() - 1;
  attempts_.emplace(after);
  return number;
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
  return !chunk.isCoarse() && chunk.size() > 0 && segments > 0 && segments <= kMaxSegmentsAgain;
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
  for (const CutBucket& cut : cuts_)
    if (cut.last >= from && cut.first <= to && cut.stepsPerBucket > stepsPerBucket &&
        std::ranges::find(spans, cut.segments) == spans.end())
      spans.push_back(cut.segments);
  return spans;
}

}  // namespace lockstep
