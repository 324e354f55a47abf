// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/rank_spread.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lockstep {
namespace {

/// What was gathered of one column.
struct Column {
  ValueSummary all;
  Step last = 0;
  std::vector<double> means;  // one for each rank
  int newestRank = -1;        // whose mean is the last one
};

void add(Column& column, const PixelPart& part, int rank) {
  column.last = column.all.isEmpty() ? part.last : std::max(column.last, part.last);
  column.all.append(part.values);
  if (part.values.finite == 0) return;
  if (column.newestRank == rank) column.means.pop_back();
  column.newestRank = rank;
  column.means.push_back(part.values.mean());
}

/// The value that a share of all lies below, between its neighbours. Leaves smaller ones before it and larger ones behind
/// it; `sorted`: how many at the front are known to be smaller, from a call for a smaller share.
double quantile(std::vector<double>& values, double share, std::size_t sorted = 0) {
  const double place = share * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(below);
  std::nth_element(values.begin() + static_cast<std::ptrdiff_t>(std::min(sorted, below)), at, values.end());
  const double rest = place - static_cast<double>(below);
  if (!(rest > 0)) return *at;
  const double above = *std::min_element(at + 1, values.end());
  return *at * (1 - rest) + above * rest;
}

std::size_t placeOf(double share, std::size_t count) {
  return static_cast<std::size_t>(share * static_cast<double>(count - 1));
}

RankSpread spreadOf(Column& column) {
  constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
  RankSpread spread{static_cast<double>(column.last), kNothing, kNothing, kNothing, kNothing, kNothing};
  spread.ranks = static_cast<int>(column.means.size());
  spread.hasGap = column.all.notFinite > 0;
  if (column.means.empty()) return spread;
  spread.min = column.all.min;
  spread.max = column.all.max;
  spread.p10 = quantile(column.means, 0.1);
  spread.median = quantile(column.means, 0.5, placeOf(0.1, column.means.size()));
  spread.p90 = quantile(column.means, 0.9, placeOf(0.5, column.means.size()));
  return spread;
}

}  // namespace

std::vector<RankSpread> spreadOverRanks(const MetricStore& metrics, std::string_view name,
                                        std::span<const Rank> ranks, const PixelGrid& grid,
                                        std::span<const int> attempts) {
  std::vector<RankSpread> spreads;
  if (grid.isEmpty()) return spreads;
  std::vector<Column> columns(static_cast<std::size_t>(grid.pixels) + 3);
  for (Column& column : columns) column.means.reserve(ranks.size());
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    const int count = attempts.empty() ? std::numeric_limits<int>::max() : attempts[i];
    metrics.forEachPixel(name, ranks[i], grid, [&](const PixelPart& part) {
      if (part.attempt < count) add(columns[static_cast<std::size_t>(part.pixel + 1)], part, ranks[i].value);
    });
  }
  for (Column& column : columns)
    if (!column.all.isEmpty()) spreads.push_back(spreadOf(column));
  return spreads;
}

std::vector<Rank> outlyingRanks(std::span<const Rank> ranks,
                                const std::function<std::optional<double>(Rank)>& valueOf, std::size_t most) {
  constexpr double kApart = 1.5;
  std::vector<std::pair<double, Rank>> newest;
  std::vector<double> values;
  for (const Rank rank : ranks) {
    const auto value = valueOf(rank);
    if (!value || !std::isfinite(*value)) continue;
    newest.emplace_back(*value, rank);
    values.push_back(*value);
  }
  if (values.empty()) return {};
  const double width = quantile(values, 0.9) - quantile(values, 0.1);
  const double median = quantile(values, 0.5);
  for (auto& [value, rank] : newest) value = std::fabs(value - median);
  std::erase_if(newest, [&](const auto& one) { return !(one.first > kApart * width); });
  std::stable_sort(newest.begin(), newest.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<Rank> outlying;
  for (std::size_t i = 0; i < std::min(most, newest.size()); ++i) outlying.push_back(newest[i].second);
  return outlying;
}

std::vector<Rank> outlyingRanks(const MetricStore& metrics, std::string_view name,
                                std::span<const Rank> ranks, std::size_t most) {
  const auto newest = [&](Rank rank) {
    const auto last = metrics.last(name, rank);
    return last ? std::optional(last->value) : std::nullopt;
  };
  return outlyingRanks(ranks, newest, most);
}

}  // namespace lockstep
