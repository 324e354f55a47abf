// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <span>
#include <vector>

#include "health/run_health.h"
#include "health/stall.h"
#include "timeline/run_marks.h"

namespace lockstep {

/// What the heartbeats of a run tell of its past while it is followed: checkpoints that a rank was writing, and what held the
/// run up (findStalls). A heartbeat comes every few seconds and is not kept: what was shorter, or before the following
/// began, is not here. Times are by rank 0's clock.
class HealthMarks {
 public:
  void clear() { marks_.clear(); }
  /// Looks at what is known now; `stalls`: what holds it up (findStalls), or did when it failed (findStallsAtEnd). True: a mark
  /// came. Cost: ranks + stalls x marks.
  bool note(const RunHealth& health, std::span<const Stall> stalls);
  /// By time; the newest kMaxMarks.
  [[nodiscard]] const std::vector<RunMark>& marks() const { return marks_; }

 private:
  bool noteCheckpoint(const RankHeartbeat& beat);
  bool add(RunMark mark);

  std::vector<RunMark> marks_;
};

}  // namespace lockstep
