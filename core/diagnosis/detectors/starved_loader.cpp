// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#include "diagnosis/detectors/detectors.h"
#include "diagnosis/findings/number_texts.h"

namespace lockstep {
namespace {

constexpr const char* shownAs(const char* english) {
  return english;
}

struct FindingTexts {
  static constexpr const char* kStarved = shownAs("the ranks wait for data for %1 of their time");
  static constexpr const char* kCause =
      shownAs("batches are not read and prepared as fast as they are trained on");
  static constexpr const char* kRemedy = shownAs(
      "give the loader more processes, keep the data on a disk of the node, or prepare them before the "
      "training");
  static constexpr const char* kWaiting =
      shownAs("waiting for data: %1 of a step of %2 (medians over the ranks)");
  static constexpr const char* kRanks = shownAs("%1 of %2 ranks wait so");
  static constexpr const char* kCores =
      shownAs("the processors of the nodes are busy for %1: the loader wants more cores");
  static constexpr const char* kIdle =
      shownAs("the processors of the nodes are busy for %1 only: it is the disk or the network");
  static constexpr const char* kNoCores = shownAs("how busy the nodes are was not measured");
};

constexpr double kStarved = 0.25, kCritical = 0.5;  // of a step
constexpr double kBusy = 85;                        // % of the processors

void addCores(const Observation& seen, RunFinding& finding) {
  const double busy = seen.recent.median(metric::kNodeCpuPercent);
  if (!std::isfinite(busy)) return finding.unmeasured.push_back({FindingTexts::kNoCores, {}});
  finding.evidence.push_back(
      {busy >= kBusy ? FindingTexts::kCores : FindingTexts::kIdle, {shareArgument(busy / 100)}});
}

}  // namespace

void findStarvedLoader(const Observation& seen, std::vector<RunFinding>& found) {
  const auto steps = seen.recent.of(metric::kStepMs), data = seen.recent.of(metric::kDataMs);
  if (!seen.recent.isWarm() || steps.empty() || data.empty()) return;
  RunFinding finding = findingAbout(FindingKind::StarvedLoader, seen);
  finding.metric = metric::kDataMs;
  const double limit = seen.limit(finding, kStarved);
  std::size_t measured = 0, starved = 0;
  for (std::size_t i = 0; i < data.size(); ++i) {
    if (data[i].count == 0 || steps[i].count == 0) continue;
    ++measured;
    if (data[i].median >= limit * steps[i].median) ++starved;
  }
  if (2 * starved <= measured) return;  // a few ranks: those are slow
  const double wait = seen.recent.median(metric::kDataMs), step = seen.recent.median(metric::kStepMs);
  finding.metric = metric::kDataMs;
  finding.severity = wait >= kCritical * step ? FindingSeverity::Critical : FindingSeverity::Warning;
  finding.what = {FindingTexts::kStarved, {shareArgument(wait / step)}};
  finding.cause = {FindingTexts::kCause, {}};
  finding.remedy = {FindingTexts::kRemedy, {}};
  finding.evidence.push_back(
      {FindingTexts::kWaiting, {shareArgument(wait / step), millisecondsArgument(step)}});
  finding.evidence.push_back(
      {FindingTexts::kRanks,
       {plainArgument(std::to_string(starved)), plainArgument(std::to_string(measured))}});
  addCores(seen, finding);
  finding.confidence = 0.9;
  found.push_back(std::move(finding));
}

}  // namespace lockstep
