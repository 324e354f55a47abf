// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <chrono>
#include <optional>
#include <vector>

#include "base/clock.h"
#include "metrics/metric_store.h"

namespace lockstep {

/// How many steps of how many.
struct StepProgress {
  Step step = 0;              // done by the rank that is furthest behind; all-reduce keeps them together
  std::optional<Step> total;  // absent: nobody has said (or it is no number of steps)
  [[nodiscard]] std::optional<double> fraction() const;  // 0…1; nothing without a total
};
/// Of a run of these samples. A sample of step 0 is one step done; 0 steps: nobody has measured one.
[[nodiscard]] StepProgress stepProgress(const MetricStore& metrics);

/// How far a run is, from its metrics: the step that every rank has reached, how many there are going to be,
/// how long the rest takes, and the accuracy where it was measured. What was not measured is absent, never
/// zero. Not thread-safe.
class RunProgress {
 public:
  void clear();
  /// Takes over what these samples, which are all of the run, say. Cost: the ranks.
  void update(const MetricStore& metrics);

  /// Steps done (a sample of step 0 is one step), by the slowest rank; all-reduce keeps them together.
  [[nodiscard]] std::optional<Step> stepsDone() const;
  [[nodiscard]] std::optional<Step> totalSteps() const;
  [[nodiscard]] std::optional<double> accuracyPercent() const;
  /// Time until the last step at the pace of the last samples, seen from `now`; absent before there is a
  /// pace, and while the run is stalled.
  [[nodiscard]] std::optional<std::chrono::nanoseconds> remaining(TimePoint now) const;

  /// For how long the slowest rank has made no step, once that is far beyond its pace (kStalledSteps of its steps, and
  /// at least kMinStall); absent while the run goes on, before its second step and after its last one.
  [[nodiscard]] std::optional<std::chrono::nanoseconds> stalledFor(TimePoint now) const;

  static constexpr int kStalledSteps = 10;
  static constexpr std::chrono::seconds kMinStall{15};

 private:
  /// The last steps of the rank that is furthest behind.
  struct Pace {
    MetricPoint last;
    double nanosecondsPerStep = 0;
  };
  [[nodiscard]] static std::optional<Pace> paceOf(const std::vector<MetricPoint>& points);

  StepProgress steps_;
  std::optional<Pace> pace_;
  std::optional<double> accuracy_;
};

}  // namespace lockstep
