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
  static constexpr const char* kXid = shownAs("the driver reports Xid %1 of the GPU of rank %2");
  static constexpr const char* kEcc = shownAs("the memory of the GPU of rank %1 has %2 uncorrected errors");
  static constexpr const char* kHardware = shownAs("the GPU or its link is failing");
  static constexpr const char* kProgram =
      shownAs("a kernel of the program did what it may not, or the GPU is failing");
  static constexpr const char* kReplace =
      shownAs("do not trust its results: exchange the node, and go on from a checkpoint");
  static constexpr const char* kCheckProgram =
      shownAs("run it with CUDA_LAUNCH_BLOCKING=1 once; where it happens on one GPU only, exchange the node");
  static constexpr const char* kBefore = shownAs("%1: %2 when the samples began");
  static constexpr const char* kClock =
      shownAs("the clock of the GPU of rank %1 is %2 MHz, that of the others %3 (median)");
  static constexpr const char* kHot = shownAs("it is hot, and slows down");
  static constexpr const char* kPower = shownAs("its power is limited, or its hardware slows it down");
  static constexpr const char* kCool = shownAs("look at the cooling of its node, or exchange it");
  static constexpr const char* kAskDriver = shownAs("nvidia-smi -q -d PERFORMANCE on its node says why");
  static constexpr const char* kDegrees = shownAs("its temperature is %1 °C");
  static constexpr const char* kNoDegrees = shownAs("its temperature was not measured");
  static constexpr const char* kBusyAt = shownAs("it is busy for %1 of the time");
  static constexpr const char* kIdleRank =
      shownAs("the GPU of rank %1 is busy for %2 of the time, those of the others for %3");
  static constexpr const char* kIdleAll = shownAs("the GPUs are busy for %1 of the time only");
  static constexpr const char* kWaits = shownAs("it computes less than the others, or on the processor");
  static constexpr const char* kSmall =
      shownAs("batches are too small for the GPUs, or they wait for something else");
  static constexpr const char* kCheckDevice =
      shownAs("look whether its process uses that GPU (CUDA_VISIBLE_DEVICES)");
  static constexpr const char* kLargerBatches =
      shownAs("try larger batches, and look at the other phases of the steps");
  static constexpr const char* kMostTime = shownAs("%1 takes %2 of a step");
  static constexpr const char* kNoPhases = shownAs("the phases of steps were not measured");
};

// What NVIDIA's table of Xids calls errors of the application: 13, 31, 43, 45, 68, 69. The others are of the hardware or driver.
constexpr int kProgramXids[] = {13, 31, 43, 45, 68, 69};
constexpr double kThrottled = 0.15;                                           // below the clock of the others
constexpr double kMinBusy = 50, kHotDegrees = 83;                             // %, °C
constexpr double kIdleRankBelow = 20, kOthersAbove = 50, kIdleAllBelow = 30;  // %

void addXid(const Observation& seen, std::size_t i, double xid, std::vector<RunFinding>& found) {
  const Rank rank = seen.recent.ranks()[i];
  RunFinding finding = findingAbout(FindingKind::GpuError, seen, {rank});
  const bool isProgram = std::ranges::any_of(kProgramXids, [xid](int one) { return one == xid; });
  finding.metric = metric::kGpuXid;
  finding.severity = FindingSeverity::Critical;
  finding.what = {FindingTexts::kXid, {numberArgument(xid), rankArgument(rank)}};
  finding.cause = {isProgram ? FindingTexts::kProgram : FindingTexts::kHardware, {}};
  finding.remedy = {isProgram ? FindingTexts::kCheckProgram : FindingTexts::kReplace, {}};
  finding.confidence = 0.95;
  found.push_back(std::move(finding));
}

void addEcc(const Observation& seen, std::size_t i, double errors, std::vector<RunFinding>& found) {
  const Rank rank = seen.recent.ranks()[i];
  RunFinding finding = findingAbout(FindingKind::GpuError, seen, {rank});
  const auto first = seen.timeline.samples().nearest(metric::kGpuEccErrors, rank, 0);
  const bool isRising = first && errors > first->value;
  finding.metric = metric::kGpuEccErrors;
  finding.severity = isRising ? FindingSeverity::Critical : FindingSeverity::Warning;
  finding.what = {FindingTexts::kEcc, {rankArgument(rank), numberArgument(errors)}};
  finding.cause = {FindingTexts::kHardware, {}};
  finding.remedy = {FindingTexts::kReplace, {}};
  if (first)
    finding.evidence.push_back(
        {FindingTexts::kBefore, {metricArgument(metric::kGpuEccErrors), numberArgument(first->value)}});
  finding.confidence = isRising ? 0.95 : 0.7;
  found.push_back(std::move(finding));
}

void addHeat(const Observation& seen, std::size_t i, RunFinding& finding) {
  const std::vector<double> degrees = seen.recent.medians(metric::kGpuTemperatureCelsius);
  const bool isMeasured = i < degrees.size() && std::isfinite(degrees[i]);
  const bool isHot = isMeasured && degrees[i] >= kHotDegrees;
  if (isMeasured)
    finding.evidence.push_back({FindingTexts::kDegrees, {numberArgument(degrees[i])}});
  else
    finding.unmeasured.push_back({FindingTexts::kNoDegrees, {}});
  finding.cause = {isHot ? FindingTexts::kHot : FindingTexts::kPower, {}};
  finding.remedy = {isHot ? FindingTexts::kCool : FindingTexts::kAskDriver, {}};
  finding.confidence = isHot ? 0.9 : 0.7;
}

void addLargestPhase(const Observation& seen, RunFinding& finding) {
  const double step = seen.recent.median(metric::kStepMs);
  std::string_view largest;
  double most = 0;
  for (const std::string_view phase :
       {metric::kDataMs, metric::kHostToDeviceMs, metric::kForwardMs, metric::kBackwardMs, metric::kWaitMs,
        metric::kTransferMs, metric::kOptimizerMs, metric::kOtherMs})
    if (const double value = seen.recent.median(phase); value > most) largest = phase, most = value;
  if (largest.empty() || !std::isfinite(step))
    return finding.unmeasured.push_back({FindingTexts::kNoPhases, {}});
  finding.evidence.push_back(
      {FindingTexts::kMostTime, {metricArgument(largest), shareArgument(most / step)}});
}

void addIdleRanks(const Observation& seen, const std::vector<double>& busy, std::vector<RunFinding>& found) {
  const MedianOfOthers others(busy);
  for (std::size_t i = 0; i < busy.size(); ++i) {
    const double rest = others.without(busy[i]);
    RunFinding finding = findingAbout(FindingKind::IdleGpu, seen, {seen.recent.ranks()[i]});
    finding.metric = metric::kGpuPercent;
    if (!(busy[i] < kIdleRankBelow && rest > seen.limit(finding, kOthersAbove))) continue;
    finding.what = {
        FindingTexts::kIdleRank,
        {rankArgument(seen.recent.ranks()[i]), shareArgument(busy[i] / 100), shareArgument(rest / 100)}};
    finding.cause = {FindingTexts::kWaits, {}};
    finding.remedy = {FindingTexts::kCheckDevice, {}};
    finding.confidence = 0.8;
    found.push_back(std::move(finding));
  }
}

}  // namespace

void findGpuErrors(const Observation& seen, std::vector<RunFinding>& found) {
  const auto xids = seen.recent.of(metric::kGpuXid), errors = seen.recent.of(metric::kGpuEccErrors);
  for (std::size_t i = 0; i < xids.size(); ++i)
    if (xids[i].count > 0 && xids[i].last > 0) addXid(seen, i, xids[i].last, found);
  for (std::size_t i = 0; i < errors.size(); ++i)
    if (errors[i].count > 0 && errors[i].last > 0) addEcc(seen, i, errors[i].last, found);
}

void findThrottledGpus(const Observation& seen, std::vector<RunFinding>& found) {
  const std::vector<double> clocks = seen.recent.medians(metric::kGpuSmClockMhz);
  const std::vector<double> busy = seen.recent.medians(metric::kGpuPercent);
  const MedianOfOthers others(clocks);
  if (!seen.recent.isWarm() || others.count() < 2 || busy.size() != clocks.size()) return;
  for (std::size_t i = 0; i < clocks.size(); ++i) {
    const double rest = others.without(clocks[i]);
    RunFinding finding = findingAbout(FindingKind::ThrottledGpu, seen, {seen.recent.ranks()[i]});
    finding.metric = metric::kGpuSmClockMhz;
    if (!(busy[i] >= kMinBusy && clocks[i] < (1 - seen.limit(finding, kThrottled)) * rest)) continue;
    finding.what = {FindingTexts::kClock,
                    {rankArgument(seen.recent.ranks()[i]), numberArgument(clocks[i]), numberArgument(rest)}};
    finding.evidence.push_back({FindingTexts::kBusyAt, {shareArgument(busy[i] / 100)}});
    addHeat(seen, i, finding);
    found.push_back(std::move(finding));
  }
}

void findIdleGpus(const Observation& seen, std::vector<RunFinding>& found) {
  const std::vector<double> busy = seen.recent.medians(metric::kGpuPercent);
  if (!seen.recent.isWarm() || busy.empty()) return;
  const double all = seen.recent.median(metric::kGpuPercent);
  RunFinding finding = findingAbout(FindingKind::IdleGpu, seen);
  finding.metric = metric::kGpuPercent;
  if (!(all < kIdleAllBelow)) return addIdleRanks(seen, busy, found);
  finding.severity = FindingSeverity::Notice;
  finding.what = {FindingTexts::kIdleAll, {shareArgument(all / 100)}};
  finding.cause = {FindingTexts::kSmall, {}};
  finding.remedy = {FindingTexts::kLargerBatches, {}};
  addLargestPhase(seen, finding);
  finding.confidence = 0.75;
  found.push_back(std::move(finding));
}

}  // namespace lockstep
