// SPDX-License-Identifier: GPL-3.0-or-later
#include "comparison/compared_run.h"

#include <algorithm>
#include <map>
#include <set>

namespace lockstep {

std::vector<std::string> labelsOf(const std::vector<ComparedRun>& runs) {
  std::map<std::string, int> names;
  for (const ComparedRun& run : runs) ++names[run.run.name];
  std::vector<std::string> labels;
  for (const ComparedRun& run : runs)
    labels.push_back(run.run.name.empty() || names[run.run.name] > 1 ? run.run.id.value : run.run.name);
  return labels;
}

std::vector<std::string> metricsOf(const std::vector<ComparedRun>& runs) {
  std::set<std::string> there;
  for (const ComparedRun& run : runs)
    for (const RunResult& result : run.results) there.insert(result.metric);
  std::vector<std::string> metrics;
  for (const MetricInfo& info : metricCatalogue())
    if (const auto at = there.find(std::string(info.name)); at != there.end()) {
      metrics.push_back(*at);
      there.erase(at);
    }
  metrics.insert(metrics.end(), there.begin(), there.end());
  return metrics;
}

std::string mainMetricOf(const std::vector<ComparedRun>& runs) {
  std::string best;
  std::ptrdiff_t most = 0;
  for (const std::string_view metric : {metric::kLoss, metric::kMeanLoss, metric::kAccuracy}) {
    const auto count = std::count_if(runs.begin(), runs.end(), [&](const ComparedRun& run) {
      return resultNamed(run.results, metric) != nullptr;
    });
    if (count <= most) continue;
    most = count;
    best = metric;
  }
  if (most > 0) return best;
  const auto metrics = metricsOf(runs);
  return metrics.empty() ? std::string() : metrics.front();
}

}  // namespace lockstep
