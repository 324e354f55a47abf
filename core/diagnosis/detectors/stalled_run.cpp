// SPDX-License-Identifier: GPL-3.0-or-later
// Who waits for whom is in the heartbeat (health/stall.h). Of trainings that publish none there are their steps, and what their
// processes use meanwhile.
#include <algorithm>
#include <cmath>

#include "diagnosis/detectors/detectors.h"
#include "diagnosis/detectors/robust.h"
#include "diagnosis/findings/number_texts.h"
#include "health/health_advice.h"
#include "health/stall.h"
#include "metrics/run_progress.h"

namespace lockstep {
namespace {

using namespace std::chrono_literals;
using std::chrono::nanoseconds;

constexpr const char* shownAs(const char* english) {
  return english;
}

struct FindingTexts {
  static constexpr const char* kBehind = shownAs("rank %1 keeps %2 others waiting in collective %3, for %4");
  static constexpr const char* kNobody =
      shownAs("all %1 ranks have been in collective %2 for %3, and none is behind");
  static constexpr const char* kNoHeartbeat = shownAs("no heartbeat has come for %1: rank %2 writes it");
  static constexpr const char* kDoes = shownAs("rank %1 is in this phase: %2, at step %3");
  static constexpr const char* kProcess = shownAs("its process: host %1, pid %2");
  static constexpr const char* kStands = shownAs("no rank has finished a step for %1; a step takes %2");
  static constexpr const char* kFewer = shownAs("rank %1 is at step %2, the others are further");
  static constexpr const char* kUses = shownAs("%1: rank %2 %3, the others %4 (median)");
  static constexpr const char* kOthersWait = shownAs(
      "it does something else than the others, which wait for it: its process is stopped, or busy elsewhere");
  static constexpr const char* kUnknown =
      shownAs("a collective that does not end, or a long pause of the training");
  static constexpr const char* kLook = shownAs(
      "ask it where it is: lockstep stacks with --rank, which uses py-spy or gdb where the image "
      "has them");
  static constexpr const char* kLookAtAll =
      shownAs("look at the logs of the ranks, and at the stacks of their processes");
  static constexpr const char* kNoBeats = shownAs("who waits for whom: the ranks publish no heartbeat");
  static constexpr const char* kNotUsed = shownAs("%1 was not measured");
};

constexpr auto kShortest = 20s;  // that a run without a heartbeat stands still, with a rank that differs
constexpr auto kShortestUnknown = 90s;  // and without
constexpr int kSteps = 10;
constexpr double kIdle = 5, kBusy = 30;  // % of a core

std::vector<Rank> ranksOf(const Stall& stall) {
  return stall.kind == Stall::Kind::NobodyBehind ? std::vector<Rank>() : std::vector{stall.beat.rank};
}

FindingText textOf(const Stall& stall) {
  const FindingArgument rank = rankArgument(stall.beat.rank), lasting = lastingArgument(stall.lasting);
  const FindingArgument waiting = plainArgument(std::to_string(stall.waiting));
  const FindingArgument collective = plainArgument(std::to_string(stall.collective));
  switch (stall.kind) {
    case Stall::Kind::NoHeartbeat:
      return {FindingTexts::kNoHeartbeat, {lasting, rank}};
    case Stall::Kind::NobodyBehind:
      return {FindingTexts::kNobody, {waiting, collective, lasting}};
    case Stall::Kind::RankBehind:
      break;
  }
  return {FindingTexts::kBehind, {rank, waiting, collective, lasting}};
}

/// What the rank and the others use of a quantity; what is not measured is said.
void addUse(const Observation& seen, std::size_t rank, std::string_view metric, RunFinding& finding) {
  const std::vector<double> values = seen.recent.medians(metric);
  if (rank >= values.size() || !std::isfinite(values[rank]))
    return finding.unmeasured.push_back({FindingTexts::kNotUsed, {metricArgument(metric)}});
  const double others = MedianOfOthers(values).without(values[rank]);
  finding.evidence.push_back({FindingTexts::kUses,
                              {metricArgument(metric), rankArgument(seen.recent.ranks()[rank]),
                               numberArgument(values[rank]), numberArgument(others)}});
}

void addUses(const Observation& seen, Rank rank, RunFinding& finding) {
  const auto& ranks = seen.recent.ranks();
  const auto index = static_cast<std::size_t>(std::ranges::find(ranks, rank) - ranks.begin());
  for (const std::string_view metric :
       {metric::kCpuPercent, metric::kGpuPercent, metric::kNetworkOutBytesPerSecond})
    addUse(seen, index, metric, finding);
}

RunFinding findingOf(const Observation& seen, const Stall& stall) {
  constexpr const char* kDetails[] = {"no-heartbeat", "rank-behind", "nobody-behind"};
  RunFinding finding = findingAbout(FindingKind::Stall, seen, ranksOf(stall));
  finding.detail = kDetails[static_cast<std::size_t>(stall.kind)];
  finding.severity = FindingSeverity::Critical;
  finding.since = seen.now - stall.lasting;
  finding.step = stall.beat.step >= 0 ? std::optional(stall.beat.step) : std::nullopt;
  const HealthAdvice advice = adviceFor(stall);
  finding.what = textOf(stall);
  finding.cause = {advice.cause, {}};
  finding.remedy = {advice.remedy, {}};
  finding.evidence.push_back({FindingTexts::kDoes,
                              {rankArgument(stall.beat.rank),
                               {toString(stall.beat.phase), FindingArgument::Kind::Phase},
                               stepArgument(stall.beat.step)}});
  if (!stall.beat.host.empty())
    finding.evidence.push_back(
        {FindingTexts::kProcess,
         {plainArgument(stall.beat.host), plainArgument(std::to_string(stall.beat.pid))}});
  addUses(seen, stall.beat.rank, finding);
  finding.confidence = stall.kind == Stall::Kind::RankBehind ? 0.95 : 0.8;
  return finding;
}

bool isPausing(const RunHealth& health) {
  return health.heartbeat && std::ranges::any_of(health.heartbeat->ranks, [](const RankHeartbeat& beat) {
           return beat.phase == RankPhase::Evaluating || beat.phase == RankPhase::Saving ||
                  beat.phase == RankPhase::Ending;
         });
}

/// For how long nobody has finished a step, by the newest sample of anything; zero: steps are made, or there are none.
nanoseconds standingStill(const Observation& seen) {
  TimePoint last{};
  for (const std::string_view metric : {metric::kStepMs, metric::kLoss})
    for (const RecentValues& values : seen.recent.of(metric))
      if (values.count > 0) last = std::max(last, values.lastTime);
  if (last == TimePoint()) return {};
  // Where nothing is measured between steps, the clock of who looks has to do, which need not be that of the ranks.
  const auto byOthers = seen.recent.newest() - last;
  return byOthers > 0s || !seen.isLive ? byOthers : seen.now - last - kShortestUnknown;
}

/// The one that is behind, or that uses its processor as no other does.
std::optional<std::size_t> oddRank(const Observation& seen) {
  const auto reached = seen.recent.reached();
  if (reached.size() < 2) return std::nullopt;
  const auto least = std::ranges::min_element(reached, {}, &MetricStore::Reached::step);
  const auto most = std::ranges::max_element(reached, {}, &MetricStore::Reached::step);
  if (most->step > least->step && std::ranges::count(reached, least->step, &MetricStore::Reached::step) == 1)
    return static_cast<std::size_t>(least - reached.begin());
  const std::vector<double> cpu = seen.recent.medians(metric::kCpuPercent);
  const MedianOfOthers others(cpu);
  std::optional<std::size_t> odd;
  for (std::size_t i = 0; i < cpu.size(); ++i) {
    const double rest = others.without(cpu[i]);
    if (!(cpu[i] < kIdle && rest > kBusy) && !(cpu[i] > kBusy && rest < kIdle)) continue;
    if (odd) return std::nullopt;
    odd = i;
  }
  return odd;
}

bool isFinished(const Observation& seen) {
  const auto total = seen.timeline.samples().ranks(metric::kTotalSteps);
  if (total.empty()) return false;
  const auto last = seen.timeline.samples().last(metric::kTotalSteps, total.front());
  return last && static_cast<double>(seen.recent.step()) + 1 >= last->value;
}

void findWithoutHeartbeat(const Observation& seen, std::vector<RunFinding>& found) {
  const nanoseconds lasting = standingStill(seen);
  const double step = seen.recent.median(metric::kStepMs);
  const nanoseconds usual(std::isfinite(step) ? static_cast<std::int64_t>(std::min(step, 1e7) * 1e6 * kSteps)
                                              : 0);
  if (lasting < std::max<nanoseconds>(kShortest, usual) || isFinished(seen)) return;
  const auto odd = oddRank(seen);
  if (!odd && lasting < kShortestUnknown) return;
  RunFinding finding = findingAbout(FindingKind::Stall, seen);
  if (odd) finding.ranks = {seen.recent.ranks()[*odd]};
  finding.detail = "no-step";
  // Where no rank differs from the others, a long evaluation or checkpoint looks the same.
  finding.severity = odd ? FindingSeverity::Critical : FindingSeverity::Notice;
  finding.since = seen.recent.newest() - std::max(lasting, nanoseconds(0));
  finding.step = seen.recent.step();
  finding.what = {FindingTexts::kStands,
                  {lastingArgument(lasting), millisecondsArgument(std::isfinite(step) ? step : 0)}};
  finding.cause = {odd ? FindingTexts::kOthersWait : FindingTexts::kUnknown, {}};
  finding.remedy = {odd ? FindingTexts::kLook : FindingTexts::kLookAtAll, {}};
  if (odd) {
    if (seen.recent.reached()[*odd].step < seen.recent.reached()[*odd == 0 ? 1 : 0].step)
      finding.evidence.push_back(
          {FindingTexts::kFewer,
           {rankArgument(finding.ranks.front()), stepArgument(seen.recent.reached()[*odd].step)}});
    addUses(seen, finding.ranks.front(), finding);
  }
  finding.unmeasured.push_back({FindingTexts::kNoBeats, {}});
  finding.confidence = odd ? 0.6 : 0.4;
  found.push_back(std::move(finding));
}

}  // namespace

void findStall(const Observation& seen, std::vector<RunFinding>& found) {
  if (seen.facts.stage == RunStage::Over) return;
  const bool hasHeartbeat = seen.health != nullptr && seen.health->heartbeat;
  if (hasHeartbeat) {
    const bool failed = seen.facts.stage == RunStage::Failed;
    const auto stalls = failed ? findStallsAtEnd(*seen.health) : findStalls(*seen.health, seen.steady);
    for (const Stall& stall : stalls) found.push_back(findingOf(seen, stall));
    if (!stalls.empty() || isPausing(*seen.health)) return;
  }
  if (seen.facts.stage == RunStage::Running && !hasHeartbeat) findWithoutHeartbeat(seen, found);
}

}  // namespace lockstep
