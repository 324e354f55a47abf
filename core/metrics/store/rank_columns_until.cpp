// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "metrics/store/rank_columns.h"

namespace lockstep {
namespace {

Attempt attemptUntil(const Attempt& attempt, TimePoint end) {
  Attempt past;
  for (const auto& chunk : attempt.chunks) {
    if (chunk->maxTime() <= end) {
      past.chunks.push_back(chunk);
      continue;
    }
    if (const std::uint32_t count = chunk->countUntil(end); count > 0) {
      auto part = std::make_shared<SampleChunk>(*chunk);
      part->keepFirst(count);
      past.chunks.push_back(std::move(part));
    }
    break;
  }
  return past;
}

void noteTimesOfChunks(Attempt& attempt) {
  attempt.minTime = attempt.chunks.front()->minTime();
  attempt.maxTime = attempt.chunks.front()->maxTime();
  for (const auto& chunk : attempt.chunks) {
    attempt.minTime = std::min(attempt.minTime, chunk->minTime());
    attempt.maxTime = std::max(attempt.maxTime, chunk->maxTime());
  }
}

}  // namespace

void RankColumns::noteCut(const Attempt& attempt, TimePoint end) {
  for (const auto& chunk : attempt.chunks) {
    if (!chunk->isCoarse() || chunk->minTime() > end || chunk->maxTime() <= end) continue;
    const CoarseBlock::Bucket& bucket = chunk->buckets()[chunk->countUntil(end)];
    if (bucket.first.time <= end)
      cuts_.push_back({bucket.first.step, bucket.last.step, chunk->stepsPerBucket(), chunk->segments()});
  }
}

RankColumns RankColumns::until(TimePoint end) const {
  RankColumns past;
  for (const Attempt& attempt : attempts_) {
    if (attempt.minTime > end) break;
    past.noteCut(attempt, end);
    Attempt part = attemptUntil(attempt, end);
    if (part.chunks.empty()) continue;
    noteTimesOfChunks(part);
    for (const auto& chunk : part.chunks)
      chunk->forEachExtent([&past](std::uint32_t id, Step first, Step last) {
        auto& steps = past.steps_.try_emplace(id, first, last).first->second;
        steps = {std::min(steps.first, first), std::max(steps.second, last)};
      });
    past.attempts_.push_back(std::move(part));
  }
  return past;
}

}  // namespace lockstep
