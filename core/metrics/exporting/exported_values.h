// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "metrics/metric_store.h"

namespace lockstep {

/// The newest value of one quantity.
struct ExportedValue {
  double value = 0;
  TimePoint time{};
};

/// What is known of one rank now.
struct ExportedRank {
  Rank rank;
  std::string node, jobRun;                                  // empty: not known
  std::optional<Step> step;                                  // the last that it has reported
  std::optional<TimePoint> newest;                           // of its last sample
  std::map<std::string, ExportedValue, std::less<>> values;  // by quantity
};

/// What exporters send: the newest values of a run, or of one of its nodes.
struct ExportedRun {
  std::string run;  // what the run is called there
  std::vector<ExportedRank> ranks;
};

/// The newest values of a rank in a store; `node` and `jobRun` are left empty.
[[nodiscard]] ExportedRank exportedRank(const MetricStore& metrics, Rank rank);

}  // namespace lockstep
