// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <vector>

#include "metrics/metric_store.h"

namespace lockstep {

/// A quantity that tables of ranks show beside rank, node, state and step. How a value is written follows from its row of
/// the catalogue.
struct RankMetricColumn {
  std::string_view metric;
  int inWindow = 0;                // its place among these columns, from 1; 0: not there
  int inTerminal = 0;              // likewise
  int decimals = 0;                // in a terminal
  bool onlyWhereMeasured = false;  // a window hides the column until a rank has such a value
};

/// All of them. A further column is one row of this table.
[[nodiscard]] std::span<const RankMetricColumn> rankColumns();
/// Those that have a place there, in their order: `rankColumnsIn(&RankMetricColumn::inWindow)`.
[[nodiscard]] std::vector<RankMetricColumn> rankColumnsIn(int RankMetricColumn::*view);

/// The newest samples of one rank. Absent: not measured (yet).
struct RankValues {
  std::optional<Step> step;                     // the last one that it has finished, from 0
  std::optional<TimePoint> newest;              // when the newest of all these was taken, by the rank's clock
  std::map<std::string_view, double> measured;  // by the metrics of rankColumns()

  [[nodiscard]] std::optional<double> value(std::string_view metric) const;
};

[[nodiscard]] RankValues rankValues(const MetricStore& metrics, Rank rank);
/// Every rank that has a sample of anything.
[[nodiscard]] std::set<Rank> ranksIn(const MetricStore& metrics);

}  // namespace lockstep
