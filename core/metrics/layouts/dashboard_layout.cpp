// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/layouts/dashboard_layout.h"

#include <algorithm>

#include "metrics/grid/step_times.h"
#include "metrics/layouts/card_choices.h"

namespace lockstep {

bool showSame(const DashboardCard& one, const DashboardCard& other) {
  return one.kind == other.kind && one.quantities == other.quantities && one.title == other.title &&
         one.overTime == other.overTime;
}

bool canBecome(const DashboardCard& one, const DashboardCard& other) {
  return one.kind == other.kind && (one.kind == CardKind::HeatMap || one.kind == CardKind::StepTime);
}

bool isMeasured(const DashboardCard& card, const MetricStore& metrics) {
  const auto isThere = [&](std::string_view name) { return metrics.steps(name).has_value(); };
  switch (card.kind) {
    case CardKind::HeatMap:
      if (card.quantities.empty()) return !metrics.ranks().empty();
      [[fallthrough]];
    case CardKind::Chart:
      return std::any_of(card.quantities.begin(), card.quantities.end(),
                         [&](const CardQuantity& one) { return isThere(one.name); });
    case CardKind::StepTime:
      return isThere(metric::kStepMs) || std::any_of(kStepParts.begin(), kStepParts.end(), isThere);
    case CardKind::Tiles:
      return std::any_of(kNodeQuantities.begin(), kNodeQuantities.end(), isThere) ||
             std::any_of(kGpuQuantities.begin(), kGpuQuantities.end(), isThere);
  }
  return false;
}

}  // namespace lockstep
