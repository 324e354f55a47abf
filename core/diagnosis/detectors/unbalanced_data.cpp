// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#include "diagnosis/detectors/detectors.h"
#include "diagnosis/detectors/rank_load.h"
#include "diagnosis/detectors/robust.h"
#include "diagnosis/findings/number_texts.h"

namespace lockstep {
namespace {

constexpr const char* shownAs(const char* english) {
  return english;
}

struct FindingTexts {
  static constexpr const char* kMore =
      shownAs("rank %1 has %2 more data in each step than the others, and they wait for it");
  static constexpr const char* kCause =
      shownAs("its batches are larger or its samples longer: the data are not shared out evenly");
  static constexpr const char* kRemedy =
      shownAs("shard the data by their length, or put samples of like length into a batch");
  static constexpr const char* kLoad = shownAs("%1 in a step: rank %2 %3, the others %4 (median)");
};

/// Samples or tokens in a step: what it is per second times how long a step is. Empty: not measured.
std::vector<double> perStep(const Observation& seen, std::string_view rate) {
  std::vector<double> loads = seen.recent.medians(rate);
  const std::vector<double> steps = seen.recent.medians(metric::kStepMs);
  if (loads.empty() || steps.empty()) return {};
  for (std::size_t i = 0; i < loads.size(); ++i) loads[i] *= steps[i] / 1000;
  return loads;
}

struct Load {
  double mine = 0, others = 0;
  [[nodiscard]] double ratio() const { return others > 0 && std::isfinite(mine) ? mine / others : 1; }
};

Load loadOf(const std::vector<double>& loads, std::size_t rank) {
  if (loads.empty()) return {};
  return {loads[rank], MedianOfOthers(loads).without(loads[rank])};
}

constexpr std::string_view kRates[] = {metric::kTokensPerSecond, metric::kSamplesPerSecond};

}  // namespace

double loadOf(const Observation& seen, std::size_t rank) {
  double most = 1;
  for (const std::string_view rate : kRates) most = std::max(most, loadOf(perStep(seen, rate), rank).ratio());
  return most;
}

bool hasMoreData(const Observation& seen, std::size_t rank) {
  return loadOf(seen, rank) >= 1 + kUnbalanced;
}

void findUnbalancedData(const Observation& seen, std::vector<RunFinding>& found) {
  const auto& ranks = seen.recent.ranks();
  if (!seen.recent.isWarm() || ranks.size() < 2) return;
  for (const std::string_view rate : kRates) {
    const std::vector<double> loads = perStep(seen, rate);
    const MedianOfOthers others(loads);
    for (std::size_t i = 0; i < loads.size(); ++i) {
      const Load load{loads[i], others.without(loads[i])};
      if (load.ratio() < 1 + kUnbalanced * 0.7) continue;
      RunFinding finding = findingAbout(FindingKind::UnbalancedData, seen, {ranks[i]});
      if (load.ratio() < 1 + seen.limit(finding, kUnbalanced)) continue;
      finding.what = {FindingTexts::kMore, {rankArgument(ranks[i]), shareArgument(load.ratio() - 1)}};
      finding.cause = {FindingTexts::kCause, {}};
      finding.remedy = {FindingTexts::kRemedy, {}};
      finding.evidence.push_back({FindingTexts::kLoad,
                                  {metricArgument(rate), rankArgument(ranks[i]), numberArgument(load.mine),
                                   numberArgument(load.others)}});
      finding.confidence = 0.85;
      found.push_back(std::move(finding));
    }
    if (!found.empty() && found.back().kind == FindingKind::UnbalancedData)
      return;  // tokens say more than samples
  }
}

}  // namespace lockstep
