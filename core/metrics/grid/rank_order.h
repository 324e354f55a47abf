// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>
#include <span>
#include <vector>

#include "metrics/metric_store.h"

namespace lockstep {

/// How long a rank itself takes for a step, in ms: the mean of what it took without what it waited for its peers. In a
/// step all ranks take equally long, because they wait for each other: the one that waits least is the one that they wait
/// for (trainer/ddp/peers/straggler.h). Where waiting is not measured, the whole step; absent where that is not either.
/// Over the steps [from, to]. Cost: the chunks in between.
[[nodiscard]] std::optional<double> ownStepMs(const MetricStore& metrics, Rank rank, Step from, Step to);

enum class RankOrder { ByRank, SlowestFirst };

/// A rank in the order of a picture, and a number of its node; -1: not known.
struct OrderedRank {
  Rank rank;
  int node = -1;
  bool operator==(const OrderedRank&) const = default;
};

/// The rows in that order; ranks of one node stay together. ByRank: nodes by their first rank. SlowestFirst: nodes by their
/// slowest rank, and within a node the slowest first, by ownStepMs() over all steps; ranks without it last, by rank.
[[nodiscard]] std::vector<OrderedRank> inOrder(std::vector<OrderedRank> rows, RankOrder order,
                                               const MetricStore& metrics);

/// Those that take longest for a step themselves (ownStepMs() over all steps), the slowest first, at most `most`; ranks of
/// which that is not known are none of them. Cost: the chunks of the ranks.
[[nodiscard]] std::vector<Rank> slowestRanks(const MetricStore& metrics, std::size_t most);

}  // namespace lockstep
