// SPDX-License-Identifier: GPL-3.0-or-later
#include "diagnosis/detectors/detectors.h"

namespace lockstep {
namespace {

template <const std::string_view&... kMetrics>
bool hasAll(const Observation& seen) {
  return (seen.recent.has(kMetrics) && ...);
}
template <const std::string_view&... kMetrics>
bool hasAny(const Observation& seen) {
  return (seen.recent.has(kMetrics) || ...);
}
bool hasSeveralRanks(const Observation& seen) {
  return seen.recent.ranks().size() > 1;
}
bool hasPhases(const Observation& seen) {
  return hasSeveralRanks(seen) && hasAll<metric::kStepMs>(seen) &&
         hasAny<metric::kDataMs, metric::kHostToDeviceMs, metric::kForwardMs, metric::kBackwardMs,
                metric::kOptimizerMs, metric::kOtherMs>(seen);
}
bool hasLoads(const Observation& seen) {
  return hasSeveralRanks(seen) && hasAll<metric::kStepMs>(seen) &&
         hasAny<metric::kSamplesPerSecond, metric::kTokensPerSecond>(seen);
}
bool hasClocks(const Observation& seen) {
  return hasSeveralRanks(seen) && hasAll<metric::kGpuSmClockMhz, metric::kGpuPercent>(seen);
}
bool hasSteps(const Observation& seen) {
  return hasAny<metric::kStepMs, metric::kLoss>(seen) || (seen.health != nullptr && seen.health->heartbeat);
}
bool hasFailures(const Observation& seen) {
  return seen.lines.hasLines() || !seen.facts.failure.empty();
}
bool hasEnvironment(const Observation& seen) {
  return seen.facts.isEnvironmentKnown;
}

// In the order in which they are asked: what explains others goes first (throughput_drop.cpp).
constexpr Detector kDetectors[] = {
    {FindingKind::FirstFailure, findFirstFailure, hasFailures, 1, true, true},
    {FindingKind::Stall, findStall, hasSteps, 1, true, true},
    {FindingKind::SilentRank, findSilentRanks, hasSeveralRanks, 2, true},
    {FindingKind::NotANumber, findNotANumber, hasAny<metric::kLoss, metric::kGradientNorm>, 1, true, true},
    {FindingKind::GpuError, findGpuErrors, hasAny<metric::kGpuXid, metric::kGpuEccErrors>, 1, false, true},
    {FindingKind::UnbalancedData, findUnbalancedData, hasLoads, 3},
    {FindingKind::Straggler, findStragglers, hasPhases, 3},
    {FindingKind::StarvedLoader, findStarvedLoader, hasAll<metric::kStepMs, metric::kDataMs>, 3},
    {FindingKind::SlowLink, findSlowLink, hasAll<metric::kTransferMs>, 3},
    {FindingKind::MemoryRunsOut, findMemoryRunsOut, hasAny<metric::kNodeMemoryPercent, metric::kMemoryBytes>,
     2},
    {FindingKind::DiskRunsFull, findDiskRunsFull, hasAll<metric::kNodeDiskPercent>, 2},
    {FindingKind::ThrottledGpu, findThrottledGpus, hasClocks, 3},
    {FindingKind::IdleGpu, findIdleGpus, hasAll<metric::kGpuPercent>, 5},
    {FindingKind::ThroughputDrop, findThroughputDrop, hasAll<metric::kStepMs>, 4},
    {FindingKind::LossRise, findLossRise, hasAll<metric::kLoss>, 2},
    {FindingKind::LossSpike, findLossSpikes, hasAll<metric::kLoss>, 2},
    {FindingKind::Plateau, findPlateau, hasAll<metric::kLoss>, 5},
    {FindingKind::ClockSkew, findClockSkew, hasSeveralRanks, 2},
    {FindingKind::Settings, findSettings, hasEnvironment, 1, true},
};

}  // namespace

std::span<const Detector> detectors() {
  return kDetectors;
}

RunFinding findingAbout(FindingKind kind, const Observation& seen, std::vector<Rank> ranks) {
  RunFinding finding;
  finding.kind = kind;
  finding.ranks = std::move(ranks);
  finding.since = seen.recent.begin();
  if (!seen.recent.ranks().empty()) finding.step = seen.recent.beginStep();
  return finding;
}

}  // namespace lockstep
