// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "metrics/metric_store.h"

namespace lockstep {

/// What may stand below a chart.
enum class StepUnit { Steps, Epoch, RelativeTime, WallTime, Samples };

/// Says what stands below the steps that a chart is drawn over. The steps keep their places, so that all charts of a run show
/// the same; epochs, times and samples are written where they are reached, by one rank: that which has come farthest, of
/// equal ones the first. What a restart repeats counts when it was done last. RelativeTime: since the first row of any
/// rank. Samples: what all ranks took in, if they always took in as much per step as lately.
class StepScale {
 public:
  /// Absent: it was not measured. Cost: the ranks.
  [[nodiscard]] static std::optional<StepScale> make(StepUnit unit,
                                                     std::shared_ptr<const MetricStore> metrics,
                                                     std::string_view name);

  /// Whether make() gives one for anything of that run. Cost: the names and ranks.
  [[nodiscard]] static bool isMeasuredIn(const std::shared_ptr<const MetricStore>& metrics, StepUnit unit);

  [[nodiscard]] StepUnit unit() const { return unit_; }
  /// Epochs, seconds (since the first row; since 1970), or samples. Cost: O(attempts x log rows).
  [[nodiscard]] double valueAt(double step) const;

  struct Tick {
    double step = 0;   // where it is reached
    double value = 0;  // a round one
  };
  /// Some `count` round values reached in [from, to], ascending. `ahead`: by how many seconds local time is ahead, so that
  /// times are round where they are read. `perTick` gets how far they are apart.
  [[nodiscard]] std::vector<Tick> ticks(double from, double to, int count, double ahead = 0,
                                        double* perTick = nullptr) const;

 private:
  StepScale(StepUnit unit, std::shared_ptr<const MetricStore> metrics, Rank rank);
  [[nodiscard]] bool isMeasured() const;
  [[nodiscard]] bool wasReachedBefore(double step, double value) const;
  [[nodiscard]] double tickStep(double range, int count) const;

  StepUnit unit_;
  std::shared_ptr<const MetricStore> metrics_;
  Rank rank_;
  TimePoint begin_{};
  double samplesPerStep_ = 0;
};

}  // namespace lockstep
