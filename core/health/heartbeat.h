// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "base/ids.h"
#include "workdir/rank_phase.h"

namespace lockstep {

/// Where a rank was when rank 0 heard of it last.
struct RankHeartbeat {
  Rank rank;
  RankPhase phase = RankPhase::Other;
  std::string word;                // the phase as it was published
  Step step = -1;                  // -1: before the first
  long long collectives = 0;       // begun so far: it is in, or was last in, the one of this number
  std::string host;                // may be empty
  int pid = 0;                     // 0: unknown
  std::optional<TimePoint> since;  // phase, step and collectives are these since then; by rank 0's clock
};

/// What rank 0 publishes of all ranks every few seconds (layout::heartbeatFile).
struct Heartbeat {
  TimePoint time{};                  // by rank 0's clock
  std::vector<RankHeartbeat> ranks;  // in their order, each once
  std::vector<Rank> waitingFor;      // who has begun fewer collectives than others
};

inline constexpr std::size_t kMaxHeartbeatBytes = 4 << 20;

/// Reads what anybody may have written: entries that are no ranks are left out. DataLoss: no such document.
[[nodiscard]] Result<Heartbeat> parseHeartbeat(std::string_view text);

}  // namespace lockstep
