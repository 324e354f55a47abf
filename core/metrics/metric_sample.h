// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/ids.h"
#include "metrics/metric_catalogue.h"
#include "metrics/store/segment_span.h"

namespace lockstep {

/// One value and the name of its quantity.
using NamedValue = std::pair<std::string_view, double>;

struct MetricPoint {
  Step step = 0;
  TimePoint time{};
  double value = 0;
};

/// New points of one quantity of one rank, in step order.
struct MetricSeriesBatch {
  std::string name;
  Rank rank;
  std::vector<MetricPoint> points;
  SegmentSpan segments = {};  // where they can be read again
};

}  // namespace lockstep
