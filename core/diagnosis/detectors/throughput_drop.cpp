// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>

#include "diagnosis/detectors/detectors.h"
#include "diagnosis/detectors/robust.h"
#include "diagnosis/findings/number_texts.h"

namespace lockstep {
namespace {

constexpr const char* shownAs(const char* english) {
  return english;
}

struct FindingTexts {
  static constexpr const char* kSlower = shownAs("steps take %1 now, and took %2 before");
  static constexpr const char* kCause = shownAs("all ranks have become slower together");
  static constexpr const char* kRemedy = shownAs(
      "look what began then: other work on the nodes, longer samples, throttled GPUs, or a slower place to "
      "read from");
  static constexpr const char* kMost = shownAs("most of a step is %1: %2");
  static constexpr const char* kNoPhases = shownAs("the phases of steps were not measured");
};

constexpr double kTimesSlower = 0.35;  // longer than it usually took
constexpr double kDeviations = 5;      // of what it differed from look to look
constexpr std::size_t kMinHistory = 12;
constexpr FindingKind kExplanations[] = {FindingKind::Straggler, FindingKind::UnbalancedData,
                                         FindingKind::StarvedLoader, FindingKind::SlowLink};

bool isExplained(const std::vector<RunFinding>& found) {
  return std::ranges::any_of(found, [](const RunFinding& one) {
    return std::ranges::find(kExplanations, one.kind) != std::end(kExplanations);
  });
}

void addPhases(const Observation& seen, RunFinding& finding) {
  constexpr std::string_view kPhases[] = {metric::kDataMs,     metric::kHostToDeviceMs, metric::kForwardMs,
                                          metric::kBackwardMs, metric::kOptimizerMs,    metric::kTransferMs,
                                          metric::kOtherMs};
  std::string_view largest;
  double most = 0;
  for (const std::string_view phase : kPhases)
    if (const double value = seen.recent.median(phase); value > most) largest = phase, most = value;
  if (largest.empty()) return finding.unmeasured.push_back({FindingTexts::kNoPhases, {}});
  finding.evidence.push_back({FindingTexts::kMost, {metricArgument(largest), millisecondsArgument(most)}});
}

}  // namespace

void findThroughputDrop(const Observation& seen, std::vector<RunFinding>& found) {
  const auto history = seen.history.of(metric::kStepMs);
  const double now = seen.recent.median(metric::kStepMs);
  if (!seen.recent.isWarm() || history.size() < kMinHistory || !std::isfinite(now) || isExplained(found))
    return;
  std::vector<double> before;
  for (const auto& entry : history) before.push_back(entry.value);
  const double usual = quantileOf(before, 0.25);
  RunFinding finding = findingAbout(FindingKind::ThroughputDrop, seen);
  finding.metric = metric::kStepMs;
  if (now < (1 + seen.limit(finding, kTimesSlower)) * usual) return;
  if (now - usual < kDeviations * spreadAround(before, usual) && !seen.known.contains(finding.key())) return;
  finding.what = {FindingTexts::kSlower, {millisecondsArgument(now), millisecondsArgument(usual)}};
  finding.cause = {FindingTexts::kCause, {}};
  finding.remedy = {FindingTexts::kRemedy, {}};
  addPhases(seen, finding);
  finding.confidence = 0.6;
  found.push_back(std::move(finding));
}

}  // namespace lockstep
