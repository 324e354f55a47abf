// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "metrics/metric_store.h"

namespace lockstep {

/// What happened in truth: when each rank finished which step, by one clock.
struct DrawnStep {
  Rank rank;
  int attempt = 0;
  Step step = 0;
  TimePoint time{};
};

/// A run as its ranks record it, each by its own clock.
class DrawnRun {
 public:
  using Duration = std::chrono::nanoseconds;
  inline static const TimePoint kBegin{std::chrono::seconds(1'700'000'000)};

  explicit DrawnRun(int ranks, unsigned seed = 1) : ranks_(ranks), random_(seed) {}

  /// That clock is so far ahead of the true one.
  DrawnRun& clockOf(int rank, Duration offset) {
    offsets_[Rank(rank)] = offset;
    return *this;
  }
  /// From there on; all ranks finish each step within `apart` of each other.
  DrawnRun& attempt(Step first, Step steps, Duration perStep, Duration apart) {
    std::uniform_int_distribution<std::int64_t> drawn(0, apart.count());
    for (Step step = first; step < first + steps; ++step) {
      now_ += perStep;
      for (int rank = 0; rank < ranks_; ++rank)
        steps_.push_back({Rank(rank), attempts_, step, now_ + Duration(drawn(random_))});
    }
    ++attempts_;
    return *this;
  }
  DrawnRun& pause(Duration duration) {
    now_ += duration;
    return *this;
  }
  /// Nothing of that rank from there on.
  DrawnRun& silence(int rank) {
    silent_[Rank(rank)] = now_;
    return *this;
  }

  [[nodiscard]] const std::vector<DrawnStep>& steps() const { return steps_; }
  [[nodiscard]] TimePoint now() const { return now_; }
  [[nodiscard]] std::shared_ptr<const MetricStore> samples() const { return store({}).snapshot(); }
  /// Of all but the last rows of each attempt only buckets of 256.
  [[nodiscard]] std::shared_ptr<const MetricStore> coarseSamples() const {
    MetricStore coarse = store({0, 10});
    coarse.keepWithin(0, {});
    return coarse.snapshot();
  }

 private:
  [[nodiscard]] MetricStore store(const SegmentSpan& segments) const {
    std::map<Rank, MetricSeriesBatch> batches;
    for (const DrawnStep& one : steps_) {
      const auto end = silent_.find(one.rank);
      if (end != silent_.end() && one.time > end->second) continue;
      const auto offset = offsets_.find(one.rank);
      const Duration ahead = offset == offsets_.end() ? Duration(0) : offset->second;
      auto& batch =
          batches.try_emplace(one.rank, MetricSeriesBatch{"step_ms", one.rank, {}, segments}).first->second;
      batch.points.push_back({one.step, one.time + ahead, 1.0});
    }
    MetricStore all;
    for (const auto& [rank, batch] : batches) all.add(batch);
    return all;
  }

  int ranks_;
  std::mt19937 random_;
  int attempts_ = 0;
  TimePoint now_ = kBegin;
  std::map<Rank, Duration> offsets_;
  std::map<Rank, TimePoint> silent_;
  std::vector<DrawnStep> steps_;
};

}  // namespace lockstep
