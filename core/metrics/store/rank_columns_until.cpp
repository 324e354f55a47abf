// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "metrics/store/rank_columns.h"

namespace lockstep {
namespace {

/// How many rows there are before the first one that is later.
std::uint32_t rowsUntil(const RowAxis& axis, TimePoint end) {
  std::uint32_t rows = 0;
  while (rows < axis.size() && axis.time(rows) <= end) ++rows;
  return rows;
}

Attempt attemptUntil(const Attempt& attempt, TimePoint end) {
  Attempt past;
  for (const auto& chunk : attempt.chunks) {
    if (chunk->axis().maxTime() <= end) {
      past.chunks.push_back(chunk);
      continue;
    }
    if (const std::uint32_t rows = rowsUntil(chunk->axis(), end); rows > 0) {
      auto part = std::make_shared<SampleChunk>(*chunk);
      part->keepFirst(rows);
      past.chunks.push_back(std::move(part));
    }
    break;
  }
  return past;
}

void noteTimesOfChunks(Attempt& attempt) {
  attempt.minTime = attempt.chunks.front()->axis().minTime();
  attempt.maxTime = attempt.chunks.front()->axis().maxTime();
  for (const auto& chunk : attempt.chunks) {
    attempt.minTime = std::min(attempt.minTime, chunk->axis().minTime());
    attempt.maxTime = std::max(attempt.maxTime, chunk->axis().maxTime());
  }
}

}  // namespace

RankColumns RankColumns::until(TimePoint end) const {
  RankColumns past;
  for (const Attempt& attempt : attempts_) {
    if (attempt.minTime > end) break;
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
