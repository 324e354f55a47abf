// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <vector>

#include "health/run_health.h"
#include "timeline/run_marks.h"

namespace lockstep {

/// What the heartbeats of a run tell of its past while it is followed: checkpoints that a rank was writing, and what held the
/// run up (findStalls). A heartbeat comes every few seconds and is not kept: what was shorter, or before the following
/// began, is not here. Times are by rank 0's clock.
class HealthMarks {
 public:
  void clear() { marks_.clear(); }
  /// Looks at what is known now. True: a mark came. Cost: ranks + marks.
  bool note(const RunHealth& health, SteadyPoint now);
  /// By time; the newest kMostMarks.
  [[nodiscard]] const std::vector<RunMark>& marks() const { return marks_; }

 private:
  bool noteCheckpoint(const RankHeartbeat& beat);
  bool add(RunMark mark);

  std::vector<RunMark> marks_;
};

}  // namespace lockstep
