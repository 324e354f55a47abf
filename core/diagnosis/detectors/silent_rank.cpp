// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "diagnosis/detectors/detectors.h"
#include "diagnosis/findings/number_texts.h"
#include "timeline/stale_ranks.h"

namespace lockstep {
namespace {

constexpr const char* shownAs(const char* english) {
  return english;
}

struct FindingTexts {
  static constexpr const char* kSilent = shownAs("nothing has come from rank %1 for %2, while others go on");
  static constexpr const char* kEnded = shownAs("its process has ended or is stopped, or its node is lost");
  static constexpr const char* kNotWritten =
      shownAs("it goes on, as its heartbeat says, but its samples do not reach the work dir");
  static constexpr const char* kRemedy = shownAs("look at its log and at its node");
  static constexpr const char* kNotWrittenRemedy =
      shownAs("look at the network of its node, and at the permissions of the work dir");
  static constexpr const char* kLast = shownAs("its last sample is of step %1");
  static constexpr const char* kBeat = shownAs("its heartbeat says: step %1");
  static constexpr const char* kNoBeat = shownAs("whether its process lives: it publishes no heartbeat");
};

const RankHeartbeat* beatOf(const Observation& seen, Rank rank) {
  if (seen.health == nullptr || !seen.health->heartbeat) return nullptr;
  const auto& beats = seen.health->heartbeat->ranks;
  const auto found = std::ranges::find(beats, rank, &RankHeartbeat::rank);
  return found == beats.end() ? nullptr : &*found;
}

}  // namespace

void findSilentRanks(const Observation& seen, std::vector<RunFinding>& found) {
  if (!seen.isLive || seen.facts.stage != RunStage::Running) return;
  for (const StaleRank& stale : staleRanks(seen.timeline)) {
    RunFinding finding = findingAbout(FindingKind::SilentRank, seen, {stale.rank});
    const RankHeartbeat* beat = beatOf(seen, stale.rank);
    const bool goesOn = beat != nullptr && beat->step - 1 > stale.lastStep;
    finding.severity = goesOn ? FindingSeverity::Warning : FindingSeverity::Critical;
    finding.since = stale.since;
    finding.step = stale.lastStep;
    finding.what = {FindingTexts::kSilent, {rankArgument(stale.rank), lastingArgument(stale.behind)}};
    finding.cause = {goesOn ? FindingTexts::kNotWritten : FindingTexts::kEnded, {}};
    finding.remedy = {goesOn ? FindingTexts::kNotWrittenRemedy : FindingTexts::kRemedy, {}};
    finding.evidence.push_back({FindingTexts::kLast, {stepArgument(stale.lastStep)}});
    if (beat != nullptr)
      finding.evidence.push_back({FindingTexts::kBeat, {stepArgument(beat->step)}});
    else
      finding.unmeasured.push_back({FindingTexts::kNoBeat, {}});
    finding.confidence = beat != nullptr ? 0.9 : 0.75;
    found.push_back(std::move(finding));
  }
}

}  // namespace lockstep
