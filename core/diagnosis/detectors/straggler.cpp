// SPDX-License-Identifier: GPL-3.0-or-later
// In synchronous training every step takes all ranks equally long: who is slow is told by what it does while the others wait. So
// the rank is named that does more of its own work than the others and waits less, by the tenth of a step that TraceML's
// published rule warns at, or what takes its place; without phases nothing is said.
#include <algorithm>
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
  static constexpr const char* kSlow =
      shownAs("rank %1 is slow: %2 takes it %3 longer than the others, and all wait for it in every step");
  static constexpr const char* kData = shownAs("its data come slowly");
  static constexpr const char* kCopying = shownAs("its batches are larger, or its bus is slow or shared");
  static constexpr const char* kComputing = shownAs(
      "it computes more slowly than the others: its GPU or its cores are slower, hot, or used by others");
  static constexpr const char* kOptimizing = shownAs("its optimizer is slower than that of the others");
  static constexpr const char* kElsewhere = shownAs("it does something between the phases of its steps");
  static constexpr const char* kDataRemedy =
      shownAs("look at the disk or bucket that it reads from, and give it more loader processes");
  static constexpr const char* kComputingRemedy =
      shownAs("look at its GPU and at what else runs on its host, or exchange the node");
  static constexpr const char* kElsewhereRemedy =
      shownAs("look for what only this rank does: logging, saving, collecting garbage");
  static constexpr const char* kPhase = shownAs("%1: rank %2 %3, the others %4 (median)");
  static constexpr const char* kShare = shownAs("that is %1 of a step of %2");
  static constexpr const char* kNoWaiting = shownAs("waiting for peers was not measured");
};

constexpr double kLimit = 0.08;     // of a step, that a rank works longer than the others
constexpr double kCritical = 0.2;   // TraceML's
constexpr double kWaitsLess = 0.5;  // of that, at least, it waits less than they do
constexpr double kDeviations = 4;   // of what the ranks differ anyway, and of what the medians may be off
/// Beside a rank that takes much longer than this one, what this one takes longer is waiting that nobody has measured.
constexpr double kBesideWorst = 0.8;
constexpr std::string_view kOwnWork[] = {metric::kDataMs,     metric::kHostToDeviceMs, metric::kForwardMs,
                                         metric::kBackwardMs, metric::kOptimizerMs,    metric::kOtherMs};

/// One phase of all ranks.
struct Phase {
  std::string_view metric;
  std::span<const RecentValues> values;
  std::vector<double> medians;
  MedianOfOthers others;
  double spread = 0;  // between the ranks
};

Phase phaseOf(const Observation& seen, std::string_view metric) {
  std::vector<double> medians = seen.recent.medians(metric);
  std::vector<double> finite;
  std::ranges::copy_if(medians, std::back_inserter(finite), [](double one) { return std::isfinite(one); });
  const double middle = medianOf(finite);
  const double spread = finite.size() >= 5 ? spreadAround(finite, middle) : 0;
  MedianOfOthers others(medians);
  return {metric, seen.recent.of(metric), std::move(medians), std::move(others), spread};
}

/// How much longer this rank takes in that phase; 0: not measured, or within what it may be off.
double excessOf(const Phase& phase, std::size_t rank) {
  const double mine = phase.medians[rank];
  const double excess = mine - phase.others.without(mine);
  if (!std::isfinite(excess)) return 0;
  const RecentValues& values = phase.values[rank];
  const double unsure = 1.25 * values.spread / std::sqrt(static_cast<double>(std::max(values.count, 1)));
  return std::fabs(excess) > kDeviations * std::max(phase.spread, unsure) ? excess : 0;
}

struct Slow {
  std::size_t rank = 0, phase = 0;
  double excess = 0, share = 0;
};

class Stragglers {
 public:
  explicit Stragglers(const Observation& seen) : seen_(seen), step_(seen.recent.median(metric::kStepMs)) {
    for (const std::string_view metric : kOwnWork)
      if (seen.recent.has(metric)) phases_.push_back(phaseOf(seen, metric));
    if (seen.recent.has(metric::kWaitMs)) wait_ = phaseOf(seen, metric::kWaitMs);
  }

  [[nodiscard]] std::optional<Slow> look(std::size_t rank) const {
    Slow slow{rank, 0, 0, 0};
    double total = 0, least = 0, elsewhere = 0;
    for (std::size_t i = 0; i < phases_.size(); ++i) {
      const double excess = excessOf(phases_[i], rank);
      total += excess;
      elsewhere += std::max(0.0, -excess);
      if (excess > least && (wait_ || !mayBeWaiting(phases_[i].metric))) slow.phase = i, least = excess;
    }
    // Where nobody measures the waiting, it is in the phases of those that wait, so only the one phase says something.
    slow.excess = wait_ ? total : least;
    slow.share = slow.excess / step_;
    const double waitsLess = wait_ ? -excessOf(*wait_, rank) : std::max(elsewhere, restLess(rank));
    const bool isWaitedFor = waitsLess >= kWaitsLess * slow.excess;
    return least > 0 && isWaitedFor ? std::optional(slow) : std::nullopt;
  }

  [[nodiscard]] RunFinding finding(const Slow& slow) const {
    const Phase& phase = phases_[slow.phase];
    const Rank rank = seen_.recent.ranks()[slow.rank];
    RunFinding finding = findingAbout(FindingKind::Straggler, seen_, {rank});
    finding.metric = phase.metric;
    finding.severity = slow.share >= kCritical ? FindingSeverity::Critical : FindingSeverity::Warning;
    finding.what = {FindingTexts::kSlow,
                    {rankArgument(rank), metricArgument(phase.metric), millisecondsArgument(slow.excess)}};
    addAdvice(finding);
    finding.evidence.push_back(comparison(phase, slow.rank));
    if (wait_) finding.evidence.push_back(comparison(*wait_, slow.rank));
    finding.evidence.push_back(
        {FindingTexts::kShare, {shareArgument(slow.share), millisecondsArgument(step_)}});
    if (!wait_) finding.unmeasured.push_back({FindingTexts::kNoWaiting, {}});
    const double clear = std::clamp(slow.share / kLimit - 1, 0.0, 1.0);
    finding.confidence = (wait_ ? 0.75 : 0.55) + 0.2 * clear;
    return finding;
  }

 private:
  /// Collectives run in these.
  static bool mayBeWaiting(std::string_view phase) {
    return phase == metric::kBackwardMs || phase == metric::kOtherMs;
  }

  /// How much less this rank has left of its steps than the others, once all measured phases are taken off.
  [[nodiscard]] double restLess(std::size_t rank) const {
    if (seen_.recent.has(metric::kOtherMs)) return 0;
    std::vector<double> rests = seen_.recent.medians(metric::kStepMs);
    for (const Phase& phase : phases_)
      for (std::size_t i = 0; i < rests.size(); ++i)
        if (std::isfinite(phase.medians[i])) rests[i] -= phase.medians[i];
    const double others = MedianOfOthers(rests).without(rests[rank]);
    return std::isfinite(others) && std::isfinite(rests[rank]) ? others - rests[rank] : 0;
  }

  [[nodiscard]] FindingText comparison(const Phase& phase, std::size_t rank) const {
    const double mine = phase.medians[rank];
    return {FindingTexts::kPhase,
            {metricArgument(phase.metric), rankArgument(seen_.recent.ranks()[rank]),
             millisecondsArgument(mine), millisecondsArgument(phase.others.without(mine))}};
  }

  static void addAdvice(RunFinding& finding) {
    const std::string_view phase = finding.metric;
    if (phase == metric::kDataMs) {
      finding.cause = {FindingTexts::kData, {}};
      finding.remedy = {FindingTexts::kDataRemedy, {}};
    } else if (phase == metric::kOtherMs) {
      finding.cause = {FindingTexts::kElsewhere, {}};
      finding.remedy = {FindingTexts::kElsewhereRemedy, {}};
    } else {
      const bool isCopying = phase == metric::kHostToDeviceMs;
      const bool isOptimizing = phase == metric::kOptimizerMs;
      finding.cause = {isCopying      ? FindingTexts::kCopying
                       : isOptimizing ? FindingTexts::kOptimizing
                                      : FindingTexts::kComputing,
                       {}};
      finding.remedy = {FindingTexts::kComputingRemedy, {}};
    }
  }

  const Observation& seen_;
  double step_;
  std::vector<Phase> phases_;
  std::optional<Phase> wait_;
};

}  // namespace

void findStragglers(const Observation& seen, std::vector<RunFinding>& found) {
  if (!seen.recent.isWarm() || seen.recent.ranks().size() < 2) return;
  const Stragglers stragglers(seen);
  std::vector<Slow> slow;
  double worst = 0;
  for (std::size_t rank = 0; rank < seen.recent.ranks().size(); ++rank) {
    const auto one = stragglers.look(rank);
    if (!one) continue;
    slow.push_back(*one);
    worst = std::max(worst, one->share);
  }
  const bool isWaitMeasured = seen.recent.has(metric::kWaitMs);
  for (const Slow& one : slow) {
    RunFinding finding = stragglers.finding(one);
    if (one.share < seen.limit(finding, kLimit) || hasMoreData(seen, one.rank)) continue;
    if (isWaitMeasured || one.share >= kBesideWorst * worst) found.push_back(std::move(finding));
  }
}

}  // namespace lockstep
