// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <chrono>
#include <map>
#include <optional>
#include <vector>

#include "base/clock.h"
#include "metrics/metric_sample.h"

namespace lockstep {

/// How far a run is, from its metrics: the step that every rank has reached, how many there are going to be,
/// how long the rest takes, and the accuracy where it was measured. What was not measured is absent, never
/// zero.
class RunProgress {
 public:
  void clear();
  void add(const std::vector<MetricSeriesBatch>& metrics);

  /// Steps done (a sample of step 0 is one step), by the slowest rank; all-reduce keeps them together.
  [[nodiscard]] std::optional<Step> stepsDone() const;
  [[nodiscard]] std::optional<Step> totalSteps() const { return total_; }
  [[nodiscard]] std::optional<double> accuracyPercent() const;
  /// Time until the last step at the pace of the last samples, seen from `now`; absent before there is a
  /// pace, and while the run is stalled.
  [[nodiscard]] std::optional<std::chrono::nanoseconds> remaining(TimePoint now) const;

  /// For how long the slowest rank has made no step, once that is far beyond its pace (kStalledSteps of its steps, and
  /// at least kStalledAtLeast); absent while the run goes on, before its second step and after its last one.
  [[nodiscard]] std::optional<std::chrono::nanoseconds> stalledFor(TimePoint now) const;

  static constexpr int kStalledSteps = 10;
  static constexpr std::chrono::seconds kStalledAtLeast{15};

 private:
  /// The last steps of the rank that is furthest behind.
  struct Pace {
    MetricPoint last;
    double nanosecondsPerStep = 0;
  };
  [[nodiscard]] std::optional<Pace> pace() const;
  void addSteps(const MetricSeriesBatch& batch);

  std::map<Rank, std::vector<MetricPoint>> recent_;  // the last few losses of each rank
  std::optional<Step> total_;
  std::optional<MetricPoint> accuracy_;
};

}  // namespace lockstep
