// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "metrics/metric_store.h"
#include "timeline/clock_offsets.h"
#include "timeline/run_attempts.h"

namespace lockstep {

/// When the ranks finished a step, by the reference's clock.
struct StepMoment {
  TimePoint earliest{}, median{}, latest{};
  int ranks = 0;
};

/// Which step of a run is when, from its samples. Its one clock is that of the lowest rank (ClockOffsets): what other ranks
/// recorded is moved by what their clocks are off. Of a step that was repeated after a restart the newest time counts.
///
/// Never changes; keeps the samples that it was made of. Cost of making one: ranks x attempts x ClockOffsets::kSteps
/// look-ups, some 100 ms of 1,024 ranks, so for a thread that may; of an answer about all ranks: ranks x log rows.
class RunTimeline {
 public:
  RunTimeline();
  /// Not null.
  explicit RunTimeline(std::shared_ptr<const MetricStore> samples);
  /// The same run a while later: clocks are compared again only when a rank or an attempt is new, or there are twice as
  /// many steps as when they were compared.
  RunTimeline(std::shared_ptr<const MetricStore> samples, const RunTimeline& before);

  [[nodiscard]] const MetricStore& samples() const { return *samples_; }
  [[nodiscard]] const ClockOffsets& clocks() const { return clocks_; }
  [[nodiscard]] const std::vector<RunAttempt>& attempts() const { return attempts_; }
  /// From the first row to the newest one; nothing: there is none.
  [[nodiscard]] std::optional<std::pair<TimePoint, TimePoint>> span() const;

  /// A time by the rank's own clock as the one clock shows it, and the other way.
  [[nodiscard]] TimePoint aligned(Rank rank, TimePoint own) const;
  [[nodiscard]] TimePoint ownTime(Rank rank, TimePoint time) const;

  /// The samples that were there at that time. Cost: MetricStore::until().
  [[nodiscard]] std::shared_ptr<const MetricStore> until(TimePoint time) const;

  /// Nothing: no rank has that step.
  [[nodiscard]] std::optional<StepMoment> momentOf(Step step) const;
  /// When the first rank had finished it; with `within`, in the attempt that went on at that time, if it has that step.
  [[nodiscard]] std::optional<TimePoint> timeOf(Step step, std::optional<TimePoint> within = {}) const;
  /// The furthest step that a rank had finished by then, in the attempt that went on; nothing: none.
  [[nodiscard]] std::optional<Step> stepAt(TimePoint time) const;

 private:
  [[nodiscard]] Step stepsOfReference() const;
  [[nodiscard]] bool hasClocksOf(const RunTimeline& before) const;
  [[nodiscard]] std::optional<TimePoint> timeOf(Rank rank, Step step, std::optional<TimePoint> within) const;

  std::shared_ptr<const MetricStore> samples_;
  std::vector<Rank> ranks_;
  ClockOffsets clocks_;
  Step comparedSteps_ = 0;  // of the reference, when the clocks were compared
  std::vector<RunAttempt> attempts_;
};

}  // namespace lockstep
