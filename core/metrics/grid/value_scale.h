// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <span>
#include <string_view>

#include "metrics/metric_store.h"

namespace lockstep {

/// Maps values to [0, 1] for colours. Three straight pieces: what most values are takes most of it, and what lies beyond has
/// a share at either end. So one value of a thousand times the others does not make all others one colour, and yet it has a
/// colour of its own.
struct ValueScale {
  static constexpr double kShareBeyond = 0.15;  // of [0, 1], at an end that has values beyond

  double min = 0, max = 0;   // of all values
  double low = 0, high = 0;  // between them lies what most values are; min and max where none is beyond
  bool isEmpty = true;       // no value is finite

  [[nodiscard]] bool hasBelow() const { return min < low; }
  [[nodiscard]] bool hasAbove() const { return high < max; }
  /// Ascending; values outside count as min or max. One half where all values are the same.
  [[nodiscard]] double position(double value) const;
  /// The value at a position: the inverse.
  [[nodiscard]] double valueAt(double position) const;
  bool operator==(const ValueScale&) const = default;
};

/// Of the extremes of a sample of cells: at most kSampled columns over all steps of at most kSampled ranks, evenly chosen.
/// Beyond counts what is further from the quartiles than kFence times their distance. min and max are those of all ranks
/// and steps. Cost: the chunks of the ranks, and the cells of the sample.
[[nodiscard]] ValueScale valueScale(const MetricStore& metrics, std::string_view name,
                                    std::span<const Rank> ranks);

inline constexpr int kSampled = 128;
inline constexpr double kFence = 2;

}  // namespace lockstep
