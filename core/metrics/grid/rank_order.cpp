// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/grid/rank_order.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "metrics/grid/rank_cells.h"

namespace lockstep {
namespace {

/// What rows are sorted by: ascending.
using Place = std::pair<double, Rank>;

std::map<Rank, Place> placesOf(std::span<const OrderedRank> rows, RankOrder order,
                               const MetricStore& metrics) {
  std::map<Rank, Place> places;
  const auto steps = stepsOf(metrics, metric::kStepMs);
  for (const OrderedRank& row : rows) {
    Place place{0, row.rank};
    if (order == RankOrder::SlowestFirst && steps) {
      const auto own = ownStepMs(metrics, row.rank, steps->first, steps->second);
      place.first = own ? -*own : std::numeric_limits<double>::infinity();
    }
    places.emplace(row.rank, place);
  }
  return places;
}

}  // namespace

std::optional<double> ownStepMs(const MetricStore& metrics, Rank rank, Step from, Step to) {
  const ValueSummary step = summaryBetween(metrics, metric::kStepMs, rank, from, to);
  if (step.finite == 0) return std::nullopt;
  const double own = step.mean() - summaryBetween(metrics, metric::kWaitMs, rank, from, to).mean();
  return std::isfinite(own) ? std::optional(own) : std::nullopt;
}

std::vector<OrderedRank> inOrder(std::vector<OrderedRank> rows, RankOrder order, const MetricStore& metrics) {
  const auto places = placesOf(rows, order, metrics);
  std::map<int, Place> nodes;  // the first place of each
  for (const OrderedRank& row : rows) {
    const auto [node, isNew] = nodes.emplace(row.node, places.at(row.rank));
    if (!isNew) node->second = std::min(node->second, places.at(row.rank));
  }
  std::ranges::stable_sort(
      rows, {}, [&](const OrderedRank& row) { return std::pair(nodes.at(row.node), places.at(row.rank)); });
  return rows;
}

std::vector<Rank> slowestRanks(const MetricStore& metrics, std::size_t most) {
  const auto steps = stepsOf(metrics, metric::kStepMs);
  if (!steps) return {};
  std::vector<Place> places;
  for (const Rank rank : metrics.ranks(metric::kStepMs))
    if (const auto own = ownStepMs(metrics, rank, steps->first, steps->second))
      places.emplace_back(-*own, rank);
  std::ranges::sort(places);
  places.resize(std::min(places.size(), most));
  std::vector<Rank> ranks;
  for (const Place& place : places) ranks.push_back(place.second);
  return ranks;
}

}  // namespace lockstep
