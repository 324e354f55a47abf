// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <vector>

#include "timeline/clock_offsets.h"

namespace lockstep {

/// What the ranks of a run did between two restarts, by the reference's clock.
struct RunAttempt {
  TimePoint begin{}, end{};          // the first and the last row of any rank
  Step firstStep = 0, lastStep = 0;  // the smallest and the largest step that was trained in it
  int ranks = 0;                     // that took part
};

/// The attempts of a run, one after another: attempts of its ranks are one of the run where they run at the same time, or
/// begin within a minute. A restart is where the steps of a rank go back; where they do not, nothing tells of it, and it is
/// none. A rank that has fewer attempts than others may so be in one of them with what it did in several.
[[nodiscard]] std::vector<RunAttempt> attemptsOf(const MetricStore& samples, const ClockOffsets& clocks);

}  // namespace lockstep
