// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "metrics/metric_store.h"

namespace lockstep {

/// How the ranks lie in one pixel column: the extremes of all their samples, and the 10th percentile, the median and the 90th
/// of the ranks' means there (of a rank's newest attempt in it).
struct RankSpread {
  double x = 0;  // the last step in it
  double min = 0, p10 = 0, median = 0, p90 = 0, max = 0;
  int ranks = 0;        // that have a value in it; 0: it is a gap, all of the above but x are NaN
  bool hasGap = false;  // a value of some rank is not finite
};

/// For each column that has a sample of one of the ranks. `attempts`: of each rank only so many of its first attempts count;
/// empty: all. Cost: that of the ranks' pixels, and pixels x ranks of memory.
[[nodiscard]] std::vector<RankSpread> spreadOverRanks(const MetricStore& metrics, std::string_view name,
                                                      std::span<const Rank> ranks, const PixelGrid& grid,
                                                      std::span<const int> attempts = {});

/// The ranks whose value lies apart from those of the others: farther from their median than one and a half times the
/// way from the 10th percentile to the 90th. The farthest first, at most `most`.
[[nodiscard]] std::vector<Rank> outlyingRanks(std::span<const Rank> ranks,
                                              const std::function<std::optional<double>(Rank)>& valueOf,
                                              std::size_t most);
/// By their newest values.
[[nodiscard]] std::vector<Rank> outlyingRanks(const MetricStore& metrics, std::string_view name,
                                              std::span<const Rank> ranks, std::size_t most);

}  // namespace lockstep
