// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <map>
#include <string>
#include <vector>

#include "rehearsal/monitoring/metric_points.h"
#include "rehearsal/monitoring/mql.h"

namespace lockstep::rehearsal {

/// One stream's samples, by time.
struct MetricSeries {
  std::map<std::string, std::string> dimensions;
  std::vector<MetricSample> samples;
};

/// Windows of `width` ms that begin every `spacing` ms, from `begin` (a multiple of spacing) to before `end`.
struct Windows {
  long long begin = 0, end = 0;
  long long width = 0, spacing = 0;
};

/// Carries the steps of a query out: each merges series and turns every window into one value, which is the
/// sample that the next step sees. Windows without samples give none, but for absent().
std::vector<MetricSeries> aggregate(std::vector<MetricSeries> series, const MqlQuery& query,
                                    const Windows& windows);

}  // namespace lockstep::rehearsal
