// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "metrics/store/sample_chunk.h"

namespace lockstep {

/// Whether a rank that was at step `from` and is at `to` later has gone back.
[[nodiscard]] inline bool fallsBack(Step from, Step to) {
  return from > to && static_cast<std::uint64_t>(from) - static_cast<std::uint64_t>(to) > 1;
}

/// From where to where an attempt is known to reach.
struct AttemptExtent {
  Step minStep = 0, maxStep = 0;
  TimePoint minTime{}, maxTime{};
  explicit AttemptExtent(const RowKey& key)
      : minStep(key.step), maxStep(key.step), minTime(key.time), maxTime(key.time) {}
  AttemptExtent(Step fromStep, Step toStep, TimePoint from, TimePoint to)
      : minStep(fromStep), maxStep(toStep), minTime(from), maxTime(to) {}
  void include(const RowKey& key);
};

/// The rows in the order of their times.
[[nodiscard]] std::vector<std::uint32_t> byTime(const std::vector<RowKey>& keys);

/// The attempt that each of these rows belongs to, if they are all that there is, at most `max` attempts.
[[nodiscard]] std::vector<std::uint32_t> attemptsAmong(const std::vector<RowKey>& keys, std::size_t max);

/// Which of `known` (ascending in time) a row continues that comes later in time than those before it; known.size():
/// a new one behind them. Nullopt: none, so that it shows a restart among what is known.
[[nodiscard]] std::optional<std::size_t> attemptFor(const std::vector<AttemptExtent>& known,
                                                    const RowKey& key);

/// Whether, by their times, the steps of these rows go back, also from those of the chunk before and to those of the chunk
/// behind (null: there is none).
[[nodiscard]] bool goesBack(const SampleChunk* before, const SampleChunk& chunk, const SampleChunk* behind);

}  // namespace lockstep
