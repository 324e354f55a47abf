// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/layouts/built_in_layouts.h"

#include <algorithm>
#include <initializer_list>

namespace lockstep {
namespace {

// Marks a text for those who translate (metrics/metric_catalogue.cpp says how).
constexpr const char* shownAs(const char* english) {
  return english;
}

struct LayoutTexts {
  static constexpr const char* kOverview = shownAs("Overview");
  static constexpr const char* kLearning = shownAs("Learning");
  static constexpr const char* kSpeed = shownAs("Speed");
  static constexpr const char* kGpus = shownAs("GPUs");
  static constexpr const char* kNetwork = shownAs("Network");
  static constexpr const char* kStraggler = shownAs("Hunt the straggler");
};

DashboardCard chartOf(std::initializer_list<std::string_view> names, int columns = 1) {
  DashboardCard card;
  for (const std::string_view name : names) card.quantities.push_back({std::string(name), CardAxis::Left});
  card.columns = columns;
  return card;
}

DashboardCard whereMeasured(DashboardCard card) {
  card.onlyWhereMeasured = true;
  return card;
}

DashboardCard viewOf(CardKind kind, int columns, int rows) {
  DashboardCard card;
  card.kind = kind;
  card.columns = columns;
  card.rows = rows;
  return card;
}

/// What each rank measures of a group, a chart each.
std::vector<DashboardCard> chartsOf(MetricGroup group) {
  std::vector<DashboardCard> cards;
  for (const MetricInfo& metric : metricCatalogue())
    if (metric.group == group && metric.source == MetricSource::Rank) cards.push_back(chartOf({metric.name}));
  return cards;
}

DashboardLayout overview() {
  return {LayoutTexts::kOverview,
          {},
          {chartOf({metric::kLoss}), chartOf({metric::kSamplesPerSecond}), chartOf({metric::kCpuPercent}),
           whereMeasured(chartOf({metric::kGpuPercent}))}};
}

DashboardLayout learning() {
  return {LayoutTexts::kLearning,
          {.smoothing = CurveSmoothing::Debiased},
          {chartOf({metric::kLoss}, 2), chartOf({metric::kMeanLoss}), chartOf({metric::kAccuracy}),
           chartOf({metric::kLearningRate}), chartOf({metric::kGradientNorm}),
           whereMeasured(chartOf({metric::kEpoch}))}};
}

DashboardLayout speed() {
  return {LayoutTexts::kSpeed,
          {},
          {chartOf({metric::kSamplesPerSecond}, 2), whereMeasured(chartOf({metric::kTokensPerSecond})),
           whereMeasured(chartOf({metric::kModelFlopsPercent})), chartOf({metric::kStepMs}),
           viewOf(CardKind::StepTime, 1, 2), chartOf({metric::kDataMs}), chartOf({metric::kForwardMs}),
           chartOf({metric::kBackwardMs}), chartOf({metric::kWaitMs}), chartOf({metric::kOptimizerMs})}};
}

DashboardLayout gpus() {
  DashboardLayout layout{LayoutTexts::kGpus, {}, chartsOf(MetricGroup::Gpu)};
  layout.cards.insert(layout.cards.begin(), viewOf(CardKind::Tiles, 2, 2));
  return layout;
}

DashboardLayout network() {
  DashboardLayout layout{LayoutTexts::kNetwork, {}, chartsOf(MetricGroup::Network)};
  // Few nodes have one.
  for (DashboardCard& card : layout.cards)
    card.onlyWhereMeasured = card.quantities.front().name == metric::kRdmaInBytesPerSecond ||
                             card.quantities.front().name == metric::kRdmaOutBytesPerSecond;
  for (const std::string_view name : {metric::kTransferMs, metric::kWaitMs, metric::kReducedBytes,
                                      metric::kDiskReadBytesPerSecond, metric::kDiskWriteBytesPerSecond})
    layout.cards.push_back(chartOf({name}));
  return layout;
}

DashboardLayout straggler() {
  DashboardCard waits = viewOf(CardKind::HeatMap, 1, 2);
  waits.quantities.push_back({std::string(metric::kWaitMs), CardAxis::Left});
  return {LayoutTexts::kStraggler,
          {},
          {waits, viewOf(CardKind::StepTime, 1, 2), chartOf({metric::kWaitMs}), chartOf({metric::kStepMs}),
           chartOf({metric::kDataMs}), chartOf({metric::kForwardMs}), chartOf({metric::kBackwardMs})}};
}

}  // namespace

std::span<const DashboardLayout> builtInLayouts() {
  static const std::vector<DashboardLayout> kAll{overview(), learning(), speed(),
                                                 gpus(),     network(),  straggler()};
  return kAll;
}

const DashboardLayout* findBuiltIn(std::string_view name) {
  const auto all = builtInLayouts();
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.name == name; });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace lockstep
