// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>

#include "diagnosis/detectors/detectors.h"
#include "diagnosis/findings/number_texts.h"

namespace lockstep {
namespace {

constexpr const char* shownAs(const char* english) {
  return english;
}

struct FindingTexts {
  static constexpr const char* kOne = shownAs("%1 of rank %2 is no number since step %3");
  static constexpr const char* kSeveral = shownAs("%1 of the ranks %2 is no number since step %3");
  static constexpr const char* kCause =
      shownAs("a learning rate that is too large, a number too large for 16 bits, or damaged data");
  static constexpr const char* kRemedy = shownAs(
      "go on from the last good checkpoint with a smaller learning rate, clip the gradients, and look at the "
      "data of that step");
  static constexpr const char* kRate = shownAs("%1 was %2");
  static constexpr const char* kBefore = shownAs("%1 was %2 before (median over the ranks)");
  static constexpr const char* kNoNorm = shownAs("the gradient norm was not measured");
};

struct Broken {
  Rank rank;
  Step step = 0;
  TimePoint time{};
};

/// The ranks whose last values are none, of `metric`.
std::vector<Broken> brokenRanks(const Observation& seen, std::string_view metric) {
  std::vector<Broken> broken;
  const auto column = seen.recent.of(metric);
  const MetricStore& samples = seen.timeline.samples();
  for (std::size_t i = 0; i < column.size(); ++i) {
    const Rank rank = seen.recent.ranks()[i];
    if (!column[i].isFinite && !std::isfinite(column[i].last)) {
      broken.push_back({rank, column[i].firstNotFinite, column[i].lastTime});
    } else if (seen.isLive) {
      // Of the rank that ends with it, beyond what the others have reached.
      const auto last = samples.last(metric, rank, seen.recent.reached()[i]);
      if (last && !std::isfinite(last->value)) broken.push_back({rank, last->step, last->time});
    }
  }
  return broken;
}

void addContext(const Observation& seen, std::string_view metric, RunFinding& finding) {
  if (const double before = seen.recent.median(metric); std::isfinite(before))
    finding.evidence.push_back({FindingTexts::kBefore, {metricArgument(metric), numberArgument(before)}});
  for (const Rank rank : finding.ranks)
    if (const auto rate = seen.timeline.samples().last(metric::kLearningRate, rank)) {
      finding.evidence.push_back(
          {FindingTexts::kRate, {metricArgument(metric::kLearningRate), numberArgument(rate->value)}});
      break;
    }
  if (!seen.recent.has(metric::kGradientNorm)) finding.unmeasured.push_back({FindingTexts::kNoNorm, {}});
}

}  // namespace

void findNotANumber(const Observation& seen, std::vector<RunFinding>& found) {
  // The loss names the rank; the norm is that of the mean gradient, which all ranks share.
  for (const std::string_view metric : {metric::kLoss, metric::kGradientNorm}) {
    const std::vector<Broken> broken = brokenRanks(seen, metric);
    if (broken.empty()) continue;
    const Step first = std::ranges::min_element(broken, {}, &Broken::step)->step;
    RunFinding finding = findingAbout(FindingKind::NotANumber, seen);
    for (const Broken& one : broken)
      if (one.step == first) finding.ranks.push_back(one.rank), finding.since = one.time;
    finding.metric = metric;
    finding.severity = FindingSeverity::Critical;
    finding.step = first;
    finding.what = {finding.ranks.size() == 1 ? FindingTexts::kOne : FindingTexts::kSeveral,
                    {metricArgument(metric), ranksArgument(finding.ranks), stepArgument(first)}};
    finding.cause = {FindingTexts::kCause, {}};
    finding.remedy = {FindingTexts::kRemedy, {}};
    addContext(seen, metric, finding);
    finding.confidence = 1;
    found.push_back(std::move(finding));
    return;
  }
}

}  // namespace lockstep
