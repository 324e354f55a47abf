// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <array>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "metrics/metric_store.h"

namespace lockstep {

/// The parts of a step, in the order in which they come; their sum is metric::kStepMs (docs/formats/metrics.md).
inline constexpr std::array kStepParts{metric::kDataMs,      metric::kHostToDeviceMs, metric::kForwardMs,
                                       metric::kBackwardMs,  metric::kWaitMs,         metric::kTransferMs,
                                       metric::kOptimizerMs, metric::kOtherMs};

/// What a step of one rank is made of: means in ms over the steps that were asked for. Absent: not measured there.
struct StepTimes {
  Rank rank;
  std::optional<double> step;                                    // the whole
  std::array<std::optional<double>, kStepParts.size()> parts{};  // as kStepParts
  bool isMedian = false;  // the one in the middle, by what it takes itself (ownStepMs)

  [[nodiscard]] bool isEmpty() const;
  /// The sum of the parts that are measured; what is below 0 counts as 0.
  [[nodiscard]] double sumOfParts() const;
  /// What it takes itself: the whole, or else its parts, without waiting for others. As ownStepMs().
  [[nodiscard]] double own() const;
  /// What of the whole no part tells; 0 where the whole is not measured.
  [[nodiscard]] double untold() const;
};

/// Of the steps [from, to].
[[nodiscard]] StepTimes stepTimes(const MetricStore& metrics, Rank rank, Step from, Step to);

/// Of all ranks that have any, by rank. Of more than `max` (at least 2) ranks the median and behind it the slowest ones,
/// slowest first. Cost: the chunks in between.
[[nodiscard]] std::vector<StepTimes> stepTimesOf(const MetricStore& metrics, std::span<const Rank> ranks,
                                                 Step from, Step to, std::size_t max);

/// The steps of a column of pixels that were measured, and their means.
struct StepColumn {
  Step first = 0, last = 0;
  StepTimes times;
};
/// Of one rank, for each column in which anything was measured, ascending; of several attempts the newest counts. Cost: columns,
/// for each part.
[[nodiscard]] std::vector<StepColumn> stepTimesOver(const MetricStore& metrics, Rank rank,
                                                    const PixelGrid& grid);

/// From the first to the last step at which the whole or a part of it was measured.
[[nodiscard]] std::optional<std::pair<Step, Step>> stepsOfStepTimes(const MetricStore& metrics);

}  // namespace lockstep
