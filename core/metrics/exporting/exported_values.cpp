// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/exporting/exported_values.h"

#include <algorithm>

namespace lockstep {

ExportedRank exportedRank(const MetricStore& metrics, Rank rank) {
  ExportedRank exported;
  exported.rank = rank;
  for (const std::string& name : metrics.names()) {
    const auto last = metrics.last(name, rank);
    if (!last) continue;
    exported.values[name] = {last->value, last->time};
    if (exported.newest && *exported.newest >= last->time) continue;
    exported.newest = last->time;
    exported.step = last->step;
  }
  return exported;
}

}  // namespace lockstep
