// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "diagnosis/detectors/detectors.h"
#include "diagnosis/findings/number_texts.h"

namespace lockstep {
namespace {

using namespace std::chrono_literals;

constexpr const char* shownAs(const char* english) {
  return english;
}

struct FindingTexts {
  static constexpr const char* kOne = shownAs("the clock of rank %1 is %2 off");
  static constexpr const char* kSeveral = shownAs("the clocks of the ranks %1 are up to %2 off");
  static constexpr const char* kCause = shownAs("the clock of its node is not set by a time server");
  static constexpr const char* kRemedy =
      shownAs("start chronyd or systemd-timesyncd on the node; charts and logs here are put right already");
  static constexpr const char* kAgainst = shownAs("beside rank %1, over the same steps");
};

constexpr auto kWorthTelling = 1s;

}  // namespace

void findClockSkew(const Observation& seen, std::vector<RunFinding>& found) {
  if (!seen.isLive || seen.recent.ranks().empty()) return;
  RunFinding finding = findingAbout(FindingKind::ClockSkew, seen);
  std::chrono::nanoseconds most{};
  for (const auto& [rank, clock] : seen.timeline.clocks().newest()) {
    if (std::chrono::abs(clock.offset) < kWorthTelling) continue;
    finding.ranks.push_back(rank);
    most = std::max(most, std::chrono::nanoseconds(std::chrono::abs(clock.offset)));
  }
  if (finding.ranks.empty()) return;
  finding.severity = FindingSeverity::Notice;
  finding.what = {finding.ranks.size() == 1 ? FindingTexts::kOne : FindingTexts::kSeveral,
                  {ranksArgument(finding.ranks), lastingArgument(most)}};
  finding.cause = {FindingTexts::kCause, {}};
  finding.remedy = {FindingTexts::kRemedy, {}};
  finding.evidence.push_back({FindingTexts::kAgainst, {rankArgument(seen.recent.ranks().front())}});
  finding.confidence = 0.85;
  found.push_back(std::move(finding));
}

}  // namespace lockstep
