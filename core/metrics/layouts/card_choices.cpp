// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/layouts/card_choices.h"

#include <set>

namespace lockstep {
namespace {

void addTo(std::vector<QuantityGroup>& groups, std::size_t begin, const MetricInfo& metric, bool isMeasured) {
  const bool goesOn = groups.size() > begin && groups.back().first->group == metric.group;
  if (!goesOn) groups.push_back({&metric, isMeasured, {}});
  groups.back().names.emplace_back(metric.name);
}

}  // namespace

std::vector<QuantityGroup> quantitiesToChoose(const MetricStore& metrics) {
  const std::vector<std::string> names = metrics.names();
  const std::set<std::string_view> measured(names.begin(), names.end());
  std::vector<QuantityGroup> groups;
  for (const MetricInfo& metric : metricCatalogue())
    if (measured.contains(metric.name)) addTo(groups, 0, metric, true);
  QuantityGroup own{nullptr, true, {}};
  for (const std::string& name : names)
    if (findMetric(name) == nullptr) own.names.push_back(name);
  if (!own.names.empty()) groups.push_back(std::move(own));
  const std::size_t rest = groups.size();
  for (const MetricInfo& metric : metricCatalogue())
    if (!measured.contains(metric.name) && metric.source == MetricSource::Rank)
      addTo(groups, rest, metric, false);
  return groups;
}

}  // namespace lockstep
