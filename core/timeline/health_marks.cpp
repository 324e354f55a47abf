// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/health_marks.h"

#include <algorithm>

#include "health/health_text.h"

namespace lockstep {
namespace {

// Heartbeats say since when something lasts, each with some seconds of doubt; ranks save one after another.
constexpr std::chrono::seconds kSameAlert{20};
constexpr std::chrono::minutes kSameCheckpoint{1};

bool isSame(const RunMark& one, const RunMark& other) {
  if (one.kind != other.kind) return false;
  const auto apart = std::chrono::abs(one.time - other.time);
  if (one.kind == RunMark::Kind::Checkpoint) return one.step == other.step && apart <= kSameCheckpoint;
  return one.rank == other.rank && one.code == other.code && apart <= kSameAlert;
}

RunMark alertOf(const Stall& stall, const Heartbeat& heartbeat) {
  // Of a silent rank 0 the last that was heard is the beginning.
  const auto lasting = stall.kind == Stall::Kind::NoHeartbeat ? std::chrono::nanoseconds(0) : stall.lasting;
  RunMark mark{RunMark::Kind::Alert, heartbeat.time - lasting, {}, stall.beat.rank, 0, 0,
               findingOf(stall).code};
  if (stall.beat.step >= 0) mark.step = stall.beat.step;
  return mark;
}

}  // namespace

bool HealthMarks::note(const RunHealth& health, std::span<const Stall> stalls) {
  if (!health.heartbeat) return false;
  bool isNew = false;
  for (const RankHeartbeat& beat : health.heartbeat->ranks)
    if (noteCheckpoint(beat)) isNew = true;
  for (const Stall& stall : stalls)
    if (add(alertOf(stall, *health.heartbeat))) isNew = true;
  return isNew;
}

bool HealthMarks::noteCheckpoint(const RankHeartbeat& beat) {
  if (beat.phase != RankPhase::Saving || !beat.since) return false;
  RunMark mark{RunMark::Kind::Checkpoint, *beat.since, {}, {}, 0, 0, {}};
  if (beat.step >= 0) mark.step = beat.step;
  return add(std::move(mark));
}

bool HealthMarks::add(RunMark mark) {
  const auto known = [&mark](const RunMark& other) { return isSame(mark, other); };
  if (std::ranges::any_of(marks_, known)) return false;
  const auto place = std::ranges::upper_bound(marks_, mark.time, {}, &RunMark::time);
  marks_.insert(place, std::move(mark));
  if (marks_.size() > kMaxMarks) marks_.erase(marks_.begin());
  return true;
}

}  // namespace lockstep
