// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>

#include "diagnosis/detectors/detectors.h"
#include "diagnosis/detectors/robust.h"
#include "diagnosis/findings/number_texts.h"

namespace lockstep {
namespace {

using namespace std::chrono_literals;

constexpr const char* shownAs(const char* english) {
  return english;
}

struct FindingTexts {
  static constexpr const char* kRise =
      shownAs("the loss has risen to %1, after %2 before (medians over the ranks)");
  static constexpr const char* kRiseCause =
      shownAs("a learning rate that is too large, or data that differ from before");
  static constexpr const char* kRiseRemedy = shownAs(
      "look at the gradient norm and the learning rate; go on from an earlier checkpoint where it does not "
      "come back");
  static constexpr const char* kNorm = shownAs("%1 is %2 (median over the ranks)");
  static constexpr const char* kNoNorm = shownAs("the gradient norm was not measured");
  static constexpr const char* kSpike = shownAs("the loss jumped to %1 at step %2, from about %3");
  static constexpr const char* kSpikeOfRanks =
      shownAs("the loss of rank %1 jumped to %2 at step %3, from about %4");
  static constexpr const char* kSpikeCause =
      shownAs("a batch of unusual samples, or a step of the optimizer that was too large");
  static constexpr const char* kSpikeRemedy = shownAs(
      "look at the samples of that step; if it comes again, clip the gradient norm or lower the learning "
      "rate");
  static constexpr const char* kHighestNorm = shownAs("%1 was %2 at most, usually %3");
  static constexpr const char* kPlateau = shownAs("the loss has not become smaller for %1, over %2 steps");
  static constexpr const char* kPlateauCause =
      shownAs("the training has learned what it can with this learning rate, or has got stuck");
  static constexpr const char* kPlateauRemedy =
      shownAs("look at an evaluation, and lower the learning rate or stop");
  static constexpr const char* kThirds =
      shownAs("median of the loss: %1 in the last third, %2 in the one before");
};

constexpr std::size_t kRiseHistory = 10, kRiseReach = 20;
constexpr double kRise = 0.5;  // more than before
constexpr double kDeviations = 6;
constexpr int kSpikeSamples = 16;
constexpr double kSpike = 4;             // times what is usual
constexpr double kSpikeDeviations = 12;  // and so many of them
constexpr double kNearZero = 0.05;       // of the largest loss: single samples weigh more there
constexpr std::size_t kPlateauHistory = 60;
constexpr auto kPlateauTime = 20min;
constexpr double kPlateauSteps = 1000;
constexpr double kImprovement = 0.002;  // of the loss from third to third
constexpr double kNearEnd = 0.8;        // of all steps: learning rates fade out there

std::vector<double> valuesOf(std::span<const ValueTrail::Entry> entries) {
  std::vector<double> values;
  for (const auto& entry : entries) values.push_back(entry.value);
  return values;
}

void addNorm(const Observation& seen, RunFinding& finding) {
  const double norm = seen.recent.median(metric::kGradientNorm);
  if (std::isfinite(norm))
    finding.evidence.push_back(
        {FindingTexts::kNorm, {metricArgument(metric::kGradientNorm), numberArgument(norm)}});
  else
    finding.unmeasured.push_back({FindingTexts::kNoNorm, {}});
}

bool isNearEnd(const Observation& seen) {
  const MetricStore& samples = seen.timeline.samples();
  const auto ranks = samples.ranks(metric::kTotalSteps);
  const auto total = ranks.empty() ? std::nullopt : samples.last(metric::kTotalSteps, ranks.front());
  return total && static_cast<double>(seen.recent.step()) > kNearEnd * total->value;
}

/// One value far above all others, which say that the loss is as it was.
bool hasSpike(const RecentValues& loss, double floor) {
  return loss.count >= kSpikeSamples && loss.isFinite && loss.median > floor &&
         loss.largest > kSpike * loss.median && loss.largest - loss.median > kSpikeDeviations * loss.spread;
}

double largestIn(std::span<const ValueTrail::Entry> history) {
  double largest = 0;
  for (const auto& entry : history) largest = std::max(largest, entry.value);
  return largest;
}

void addHighestNorm(const Observation& seen, const std::vector<std::size_t>& indices, RunFinding& finding) {
  const auto norms = seen.recent.of(metric::kGradientNorm);
  if (norms.empty()) return finding.unmeasured.push_back({FindingTexts::kNoNorm, {}});
  const RecentValues* highest = nullptr;
  for (const std::size_t i : indices)
    if (norms[i].count > 0 && (highest == nullptr || norms[i].largest > highest->largest))
      highest = &norms[i];
  if (highest == nullptr) return finding.unmeasured.push_back({FindingTexts::kNoNorm, {}});
  finding.evidence.push_back({FindingTexts::kHighestNorm,
                              {metricArgument(metric::kGradientNorm), numberArgument(highest->largest),
                               numberArgument(highest->median)}});
}

}  // namespace

void findLossSpikes(const Observation& seen, std::vector<RunFinding>& found) {
  const auto history = seen.history.of(metric::kLoss);
  const auto losses = seen.recent.of(metric::kLoss);
  if (!seen.recent.isWarm() || history.size() < kRiseHistory) return;
  const double floor = kNearZero * largestIn(history);
  std::vector<std::size_t> indices;
  for (std::size_t i = 0; i < losses.size(); ++i)
    if (hasSpike(losses[i], floor)) indices.push_back(i);
  if (indices.empty()) return;
  const bool isOfAll = indices.size() == losses.size();
  std::vector<Rank> ranks;
  for (const std::size_t i : indices) ranks.push_back(seen.recent.ranks()[i]);
  const RecentValues& worst = losses[*std::max_element(
      indices.begin(), indices.end(), [&](auto a, auto b) { return losses[a].largest < losses[b].largest; })];
  std::vector<FindingArgument> numbers{numberArgument(worst.largest), stepArgument(worst.largestStep),
                                       numberArgument(worst.median)};
  if (!isOfAll) numbers.insert(numbers.begin(), ranksArgument(ranks));
  RunFinding finding = findingAbout(FindingKind::LossSpike, seen, isOfAll ? std::vector<Rank>() : ranks);
  finding.metric = metric::kLoss;
  finding.severity = FindingSeverity::Notice;
  finding.since = worst.largestTime;
  finding.step = worst.largestStep;
  finding.what = {isOfAll ? FindingTexts::kSpike : FindingTexts::kSpikeOfRanks, std::move(numbers)};
  finding.cause = {FindingTexts::kSpikeCause, {}};
  finding.remedy = {FindingTexts::kSpikeRemedy, {}};
  addHighestNorm(seen, indices, finding);
  finding.confidence = 0.6;
  found.push_back(std::move(finding));
}

void findLossRise(const Observation& seen, std::vector<RunFinding>& found) {
  auto history = seen.history.of(metric::kLoss);
  const double now = seen.recent.median(metric::kLoss);
  if (!seen.recent.isWarm() || history.size() < kRiseHistory || !std::isfinite(now)) return;
  history = history.last(std::min(history.size(), kRiseReach));
  const std::vector<double> before = valuesOf(history);
  const double usual = medianOf(before);
  RunFinding finding = findingAbout(FindingKind::LossRise, seen);
  finding.metric = metric::kLoss;
  if (usual <= 0 || now < (1 + seen.limit(finding, kRise)) * usual) return;
  if (now - usual < kDeviations * spreadAround(before, usual) && !seen.known.contains(finding.key())) return;
  finding.what = {FindingTexts::kRise, {numberArgument(now), numberArgument(usual)}};
  finding.cause = {FindingTexts::kRiseCause, {}};
  finding.remedy = {FindingTexts::kRiseRemedy, {}};
  addNorm(seen, finding);
  finding.confidence = 0.7;
  found.push_back(std::move(finding));
}

void findPlateau(const Observation& seen, std::vector<RunFinding>& found) {
  const auto history = seen.history.of(metric::kLoss);
  if (history.size() < kPlateauHistory || isNearEnd(seen)) return;
  const auto last = history.last(history.size() / 3);
  const auto middle = history.subspan(history.size() / 3, history.size() / 3);
  const auto lasting = last.back().time - middle.front().time;
  const double steps = static_cast<double>(last.back().step) - static_cast<double>(middle.front().step);
  if (lasting < kPlateauTime || steps < kPlateauSteps) return;
  const double now = medianOf(valuesOf(last)), before = medianOf(valuesOf(middle));
  if (!std::isfinite(now) || !std::isfinite(before) || before <= 0) return;
  // More than the noise of two medians hides is no plateau that anybody could tell from a slow descent.
  const double spread =
      spreadAround(valuesOf(middle), before) / std::sqrt(static_cast<double>(middle.size()));
  RunFinding finding = findingAbout(FindingKind::Plateau, seen);
  finding.metric = metric::kLoss;
  if (before - now > std::max(kImprovement * before, 2 * spread) || spread > kImprovement * before) return;
  finding.severity = FindingSeverity::Notice;
  finding.since = middle.front().time;
  finding.step = middle.front().step;
  finding.what = {FindingTexts::kPlateau, {lastingArgument(lasting), numberArgument(steps)}};
  finding.cause = {FindingTexts::kPlateauCause, {}};
  finding.remedy = {FindingTexts::kPlateauRemedy, {}};
  finding.evidence.push_back({FindingTexts::kThirds, {numberArgument(now), numberArgument(before)}});
  finding.confidence = 0.6;
  found.push_back(std::move(finding));
}

}  // namespace lockstep
