// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "timeline/run_timeline.h"

namespace lockstep {

/// Something that happened to a run at one time, for a chart or a bar of the time.
struct RunMark {
  enum class Kind { Checkpoint, Restart, Evaluation, Alert };
  Kind kind = Kind::Restart;
  TimePoint time{};          // by the clock of the reference (RunTimeline)
  std::optional<Step> step;  // absent: not known
  std::optional<Rank> rank;  // that it is about
  int attempt = 0;           // Restart: the one that begins, from 1
  double value = 0;          // Evaluation: the accuracy, %
  std::string code;          // Alert: what holds the run up (HealthFinding::code)
  bool operator==(const RunMark&) const = default;
};

inline constexpr std::size_t kMaxMarks = 1024;  // of a kind; of more, the newest are marks

/// Where an attempt began that was not the first.
[[nodiscard]] std::vector<RunMark> restartsIn(const RunTimeline& timeline);
/// Where the accuracy was measured, by the lowest rank that measured it. What is measured in every fourth step or more often
/// is a curve, and no marks. Where the store is coarse, the last one of each bucket.
[[nodiscard]] std::vector<RunMark> evaluationsIn(const RunTimeline& timeline);
/// Where checkpoints were stored (metric::kCheckpointStep): the step that each is of, and when it was there, by the lowest
/// rank that wrote it down. Where the store is coarse, likewise.
[[nodiscard]] std::vector<RunMark> checkpointsIn(const RunTimeline& timeline);
/// All of them, by time.
[[nodiscard]] std::vector<RunMark> marksIn(const RunTimeline& timeline);

}  // namespace lockstep
