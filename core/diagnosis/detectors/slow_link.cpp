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
  static constexpr const char* kSlower =
      shownAs("collectives transfer more slowly than before: %1 of a step, once %2");
  static constexpr const char* kSlowAt =
      shownAs("rank %1 transfers more slowly than the others: %2, they %3");
  static constexpr const char* kCause = shownAs("a link between the nodes is slow, lossy or shared");
  static constexpr const char* kRemedy = shownAs(
      "look at the network of the nodes, at the interface that the ranks use (NCCL_SOCKET_IFNAME), and at "
      "what else sends there");
  static constexpr const char* kNow = shownAs("%1: %2 now, %3 before (medians)");
  static constexpr const char* kRate = shownAs("that is %1 a second of what is summed");
  static constexpr const char* kLatency =
      shownAs("when the run began, %1 needed %2 to reach %3, the others %4 (median)");
  static constexpr const char* kAllWait =
      shownAs("which link it is: all ranks take as long as the slowest one");
};

constexpr double kTimesSlower = 1.8;   // than before, or than the others
constexpr double kShareOfStep = 0.12;  // that the transfer takes more than before
constexpr std::size_t kMinHistory = 8;
constexpr double kFarther = 10;  // times the latency of the others
constexpr double kMinLatencyMs = 5;

void addRate(const Observation& seen, double transferMs, RunFinding& finding) {
  const double bytes = seen.recent.median(metric::kReducedBytes);
  if (std::isfinite(bytes) && bytes > 0 && transferMs > 0)
    finding.evidence.push_back({FindingTexts::kRate, {bytesArgument(bytes / transferMs * 1000)}});
}

/// A link that was slow already when the nodes tried all of them.
void addLatency(const Observation& seen, RunFinding& finding) {
  if (seen.health == nullptr) return;
  std::vector<double> all;
  const ReachLink* slowest = nullptr;
  const NodeFindings* from = nullptr;
  for (const NodeFindings& node : seen.health->nodes)
    for (const ReachLink& link : node.peers) {
      if (!link.ms) continue;
      all.push_back(*link.ms);
      if (slowest == nullptr || *link.ms > *slowest->ms) slowest = &link, from = &node;
    }
  const double middle = medianOf(all);
  if (all.size() < 3 || *slowest->ms < std::max(kFarther * middle, kMinLatencyMs)) return;
  finding.evidence.push_back({FindingTexts::kLatency,
                              {plainArgument(from->name), millisecondsArgument(*slowest->ms),
                               plainArgument(slowest->name), millisecondsArgument(middle)}});
}

void complete(const Observation& seen, double transferMs, RunFinding finding,
              std::vector<RunFinding>& found) {
  finding.cause = {FindingTexts::kCause, {}};
  finding.remedy = {FindingTexts::kRemedy, {}};
  addRate(seen, transferMs, finding);
  addLatency(seen, finding);
  found.push_back(std::move(finding));
}

/// Whoever stands out among the ranks: seldom, since most algorithms keep all as slow as the slowest link.
bool findAmongRanks(const Observation& seen, double step, std::vector<RunFinding>& found) {
  const std::vector<double> transfers = seen.recent.medians(metric::kTransferMs);
  const MedianOfOthers others(transfers);
  bool isFound = false;
  for (std::size_t i = 0; i < transfers.size() && others.count() >= 3; ++i) {
    const double rest = others.without(transfers[i]), more = transfers[i] - rest;
    if (!(more >= 0.5 * kShareOfStep * step) || transfers[i] < 0.5 * (1 + kTimesSlower) * rest) continue;
    RunFinding finding = findingAbout(FindingKind::SlowLink, seen, {seen.recent.ranks()[i]});
    finding.metric = metric::kTransferMs;
    if (more < seen.limit(finding, kShareOfStep) * step || transfers[i] < kTimesSlower * rest) continue;
    finding.what = {FindingTexts::kSlowAt,
                    {rankArgument(seen.recent.ranks()[i]), millisecondsArgument(transfers[i]),
                     millisecondsArgument(rest)}};
    finding.confidence = 0.75;
    complete(seen, transfers[i], std::move(finding), found);
    isFound = true;
  }
  return isFound;
}

}  // namespace

void findSlowLink(const Observation& seen, std::vector<RunFinding>& found) {
  const double step = seen.recent.median(metric::kStepMs), now = seen.recent.median(metric::kTransferMs);
  if (!seen.recent.isWarm() || !std::isfinite(step) || !std::isfinite(now)) return;
  if (findAmongRanks(seen, step, found)) return;
  const auto history = seen.history.of(metric::kTransferMs);
  if (history.size() < kMinHistory) return;
  std::vector<double> before;
  for (const auto& entry : history) before.push_back(entry.value);
  const double usual = quantileOf(before, 0.25);
  RunFinding finding = findingAbout(FindingKind::SlowLink, seen);
  finding.metric = metric::kTransferMs;
  if (now < kTimesSlower * usual || now - usual < seen.limit(finding, kShareOfStep) * step) return;
  const auto steps = seen.history.of(metric::kStepMs);
  const double stepBefore = steps.empty() ? step : steps.front().value;
  finding.what = {FindingTexts::kSlower, {shareArgument(now / step), shareArgument(usual / stepBefore)}};
  finding.evidence.push_back(
      {FindingTexts::kNow,
       {metricArgument(metric::kTransferMs), millisecondsArgument(now), millisecondsArgument(usual)}});
  finding.unmeasured.push_back({FindingTexts::kAllWait, {}});
  finding.confidence = 0.7;
  complete(seen, now, std::move(finding), found);
}

}  // namespace lockstep
