// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "metrics/metric_store.h"

namespace lockstep {

/// What a rank has of a quantity in one column of steps, over all its attempts: what a restart repeats hides nothing.
struct RankCell {
  float low = 0, high = 0;  // of what is finite
  bool isMeasured = false;  // there is a sample, of whatever value
  bool hasGap = false;      // one of them is not finite

  [[nodiscard]] bool hasValue() const { return isMeasured && low <= high; }
  /// Takes what another cell has, too.
  void include(const RankCell& other);
  /// Of the two extremes the one that is further from `middle`: a spike is seen however many steps and ranks share a
  /// pixel, whether it goes up or down. Only where there is a value.
  [[nodiscard]] double farthestFrom(double middle) const;
};

/// Columns that begin at step `first`, each `perColumn` (at least 1) steps wide.
struct StepColumns {
  Step first = 0, perColumn = 1;
  int count = 0;
};

/// As MetricStore::steps(), no further from 0 than kMaxStep, so that they can be subtracted.
[[nodiscard]] std::optional<std::pair<Step, Step>> stepsOf(const MetricStore& metrics, std::string_view name);
inline constexpr Step kMaxStep = Step{1} << 60;

/// `columns.count` cells for each rank, rank by rank. Cost: the cells or the samples there, whichever are fewer.
[[nodiscard]] std::vector<RankCell> rankCells(const MetricStore& metrics, std::string_view name,
                                              std::span<const Rank> ranks, const StepColumns& columns);

/// For each column the median over the ranks of the middles of their cells, what farthestFrom() is asked with: all ranks of a
/// run change together, so that what is unusual is told beside the others at the same steps. 0: no rank has a value there.
[[nodiscard]] std::vector<double> columnMedians(std::span<const RankCell> cells, int columns);

/// A sample that stands out.
struct Extreme {
  Rank rank;
  Step step = 0;
  double value = 0;
};

/// The smallest and the largest finite value of these ranks, and where they are; of equal ones that of the smallest rank.
struct Extremes {
  Extreme smallest, largest;
};
/// Absent: no value is finite. Cost: the chunks of the ranks.
[[nodiscard]] std::optional<Extremes> findExtremes(const MetricStore& metrics, std::string_view name,
                                                   std::span<const Rank> ranks);

/// All samples of a rank between two steps, both included, as one. Cost: the chunks in between.
[[nodiscard]] ValueSummary summaryBetween(const MetricStore& metrics, std::string_view name, Rank rank,
                                          Step from, Step to);

}  // namespace lockstep
