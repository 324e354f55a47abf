// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <span>
#include <vector>

#include "diagnosis/detectors/observation.h"

namespace lockstep {

/// Looks for one kind of finding, or a few that come of the same thought. Pure: what it says follows from what it is given.
using Detect = void (*)(const Observation& seen, std::vector<RunFinding>& found);

/// A detector and when it is believed.
struct Detector {
  FindingKind kind{};
  Detect detect = nullptr;
  bool (*isMeasured)(const Observation& seen) = nullptr;  // false: it has nothing to go by
  /// So many looks one after another, each with new samples, have to find the same.
  int looks = 1;
  /// Looks count even when no sample is new: it is about silence, or not about samples.
  bool countsSilence = false;
  /// It goes on when the run has ended: it says why.
  bool outlivesRun = false;
};

/// All of them. A further detector is a file and one row.
[[nodiscard]] std::span<const Detector> detectors();

void findFirstFailure(const Observation& seen, std::vector<RunFinding>& found);
void findStall(const Observation& seen, std::vector<RunFinding>& found);
void findSilentRanks(const Observation& seen, std::vector<RunFinding>& found);
void findNotANumber(const Observation& seen, std::vector<RunFinding>& found);
void findGpuErrors(const Observation& seen, std::vector<RunFinding>& found);
void findStragglers(const Observation& seen, std::vector<RunFinding>& found);
void findUnbalancedData(const Observation& seen, std::vector<RunFinding>& found);
void findStarvedLoader(const Observation& seen, std::vector<RunFinding>& found);
void findSlowLink(const Observation& seen, std::vector<RunFinding>& found);
void findMemoryRunsOut(const Observation& seen, std::vector<RunFinding>& found);
void findDiskRunsFull(const Observation& seen, std::vector<RunFinding>& found);
void findThrottledGpus(const Observation& seen, std::vector<RunFinding>& found);
void findIdleGpus(const Observation& seen, std::vector<RunFinding>& found);
void findThroughputDrop(const Observation& seen, std::vector<RunFinding>& found);
void findLossRise(const Observation& seen, std::vector<RunFinding>& found);
void findLossSpikes(const Observation& seen, std::vector<RunFinding>& found);
void findPlateau(const Observation& seen, std::vector<RunFinding>& found);
void findClockSkew(const Observation& seen, std::vector<RunFinding>& found);
void findSettings(const Observation& seen, std::vector<RunFinding>& found);

/// The finding about these ranks, since the samples that count begin.
[[nodiscard]] RunFinding findingAbout(FindingKind kind, const Observation& seen,
                                      std::vector<Rank> ranks = {});

}  // namespace lockstep
