// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "metrics/metric_store.h"
#include "widgets/metrics/rank_views/rank_node.h"

namespace lockstep {

/// A run of many ranks, eight a node, as pictures of it show it: all wait for one rank from the middle on; one step took long
/// everywhere; one rank stopped early; one has a stretch of values that are none; one began late.
inline std::shared_ptr<const MetricStore> manyRanks(int ranks, Step steps) {
  MetricStore store;
  std::mt19937 random(7);
  const int slow = ranks * 17 / 64;
  for (int rank = 0; rank < ranks; ++rank) {
    std::vector<MetricSeriesBatch> batches;
    for (const std::string_view name :
         {metric::kStepMs, metric::kWaitMs, metric::kForwardMs, metric::kBackwardMs, metric::kDataMs,
          metric::kOptimizerMs, metric::kOtherMs})
      batches.push_back({std::string(name), Rank(rank), {}});
    const Step begin = ranks > 3 && rank == ranks - 2 ? steps / 5 : 0;
    const Step end = ranks > 3 && rank == ranks - 1 ? steps * 3 / 5 : steps;
    for (Step i = begin; i < end; ++i) {
      const bool isSlowNow = i > steps / 2;
      const double noise = std::uniform_real_distribution(-2.0, 2.0)(random);
      const double wait = rank == slow ? 1 : isSlowNow ? 31 + noise : 9 + noise;
      const double forward = 20 + (rank == slow && isSlowNow ? 25 : 0) + noise / 2;
      const double spike = i == steps * 812 / 2000 ? 160 : 0;
      const double step = isSlowNow ? 130 : 108;  // of all: they wait for each other
      const double values[] = {
          step + spike, wait, forward, 48 - noise / 2, 6 + spike, 11, step - wait - forward - 65 + noise / 2};
      for (std::size_t q = 0; q < batches.size(); ++q) {
        const bool isNone = rank == ranks / 2 && i > steps * 7 / 10 && i < steps * 3 / 4;
        batches[q].points.push_back({i, TimePoint(std::chrono::milliseconds(100 * i)),
                                     isNone ? std::numeric_limits<double>::quiet_NaN() : values[q]});
      }
    }
    store.add(batches);
  }
  return store.snapshot();
}

inline std::vector<RankNode> nodesOfEight(int ranks) {
  std::vector<RankNode> nodes;
  for (int rank = 0; rank < ranks; ++rank)
    nodes.push_back(
        {Rank(rank), rank < 8 ? QStringLiteral("main") : QStringLiteral("worker_%1").arg(rank / 8 - 1), {}});
  return nodes;
}

}  // namespace lockstep
