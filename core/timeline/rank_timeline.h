// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <utility>

#include "metrics/metric_store.h"

namespace lockstep {

/// When one rank was at which step, by its own clock and what it recorded: a view of its rows, valid as long as the store
/// that they are in. Threads of a rank record side by side, so an answer may be a step beside the truth; where the store is
/// coarse, it is within the bucket that the truth is in, as if steps took equal times there.
///
/// All costs are O(attempts + log rows).
class RankTimeline {
 public:
  explicit RankTimeline(std::span<const Attempt> attempts) : attempts_(attempts) {}
  RankTimeline(const MetricStore& samples, Rank rank) : RankTimeline(samples.attempts(rank)) {}

  [[nodiscard]] bool isEmpty() const { return attempts_.empty(); }
  [[nodiscard]] std::size_t attemptCount() const { return attempts_.size(); }
  /// From the first to the last row; of a rank that has rows.
  [[nodiscard]] std::pair<TimePoint, TimePoint> span() const;

  /// The newest attempt whose steps reach from below this one to beyond it; nothing: none does.
  [[nodiscard]] std::optional<std::size_t> attemptWith(Step step) const;
  /// The attempt that was the newest one at that time; nothing: the rank had recorded nothing yet.
  [[nodiscard]] std::optional<std::size_t> attemptAt(TimePoint time) const;

  /// When the rank had finished that step, in the newest attempt that has it, or in the one that is asked for: the time of
  /// the first row of that step, or of the next one that is recorded. Nothing: it is not among its steps.
  [[nodiscard]] std::optional<TimePoint> timeOf(Step step) const;
  [[nodiscard]] std::optional<TimePoint> timeOf(Step step, std::size_t attempt) const;
  /// The last step that the rank had recorded by then; nothing: none.
  [[nodiscard]] std::optional<Step> stepAt(TimePoint time) const;

  /// The first row of that attempt at or behind `step`.
  [[nodiscard]] std::optional<RowKey> rowAt(Step step, std::size_t attempt) const;

 private:
  std::span<const Attempt> attempts_;
};

}  // namespace lockstep
