// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <chrono>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "timeline/run_timeline.h"

namespace lockstep {

/// What the last samples of one quantity of one rank come to.
struct RecentValues {
  int count = 0;  // 0: there are none, and nothing below means anything
  double median = 0, last = 0;
  double spread = 0;   // around the median; of what is measured each second: 0
  double largest = 0;  // of those that are finite
  Step largestStep = 0;
  TimePoint largestTime{};
  bool isFinite = true;  // every one of them
  Step firstStep = 0, lastStep = 0, firstNotFinite = 0;
  TimePoint firstTime{}, lastTime{};
};

/// What all ranks did of late, up to the last step that every rank has reported of those that still report: samples come rank by
/// rank, and what one did earlier says nothing beside what another did later.
class RecentSamples {
 public:
  /// So much of the time of a rank counts, and at least so many of its samples.
  static constexpr std::chrono::seconds kReach{10};
  static constexpr int kMinSamples = 8;
  /// At the start of an attempt caches are cold: so many steps say nothing of the rest.
  static constexpr Step kWarmUp = 5;

  RecentSamples() = default;
  /// `until`: as it was then; absent: now. Times of all ranks are by the clock of the lowest one. Cost: for each rank and quantity the samples of
  /// kReach, at most kMostSamples over all ranks.
  explicit RecentSamples(const RunTimeline& timeline, std::optional<TimePoint> until = {});

  [[nodiscard]] const std::vector<Rank>& ranks() const { return ranks_; }
  /// In the order of ranks(); empty: no rank has that.
  [[nodiscard]] std::span<const RecentValues> of(std::string_view metric) const;
  /// Their medians, NaN where a rank has none; empty: no rank has that.
  [[nodiscard]] std::vector<double> medians(std::string_view metric) const;
  /// Over the ranks that have it; NaN: none.
  [[nodiscard]] double median(std::string_view metric) const;
  [[nodiscard]] bool has(std::string_view metric) const { return !of(metric).empty(); }

  [[nodiscard]] Step step() const { return step_; }           // up to which
  [[nodiscard]] TimePoint newest() const { return newest_; }  // the newest sample of any rank
  [[nodiscard]] TimePoint begin() const { return begin_; }    // of the samples that count, of the lowest rank
  [[nodiscard]] Step beginStep() const { return beginStep_; }  // likewise
  [[nodiscard]] int attempts() const { return attempts_; }     // of the rank that has the most
  [[nodiscard]] bool isWarm() const { return isWarm_; }
  [[nodiscard]] TimePoint attemptBegin() const { return attemptBegin_; }  // when the newest one began
  /// How far each rank is, in the order of ranks(); of those that fell silent, where they did.
  [[nodiscard]] std::span<const MetricStore::Reached> reached() const { return reached_; }

 private:
  static constexpr std::size_t kMostSamples = 20'000;  // of one quantity

  void findPlaces(const RunTimeline& timeline, std::optional<TimePoint> until);
  void findWarmth(const MetricStore& samples);
  [[nodiscard]] std::size_t samplesFor(const MetricStore& samples, std::size_t index) const;

  std::vector<Rank> ranks_;
  std::vector<MetricStore::Reached> reached_;
  std::vector<std::vector<RecentValues>> columns_;  // by quantity, in the order of the table
  Step step_ = 0, beginStep_ = 0;
  TimePoint newest_{}, begin_{}, attemptBegin_{};
  int attempts_ = 0;
  bool isWarm_ = false;
};

}  // namespace lockstep
