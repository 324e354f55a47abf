// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <chrono>
#include <optional>
#include <vector>

#include "health/run_health.h"

namespace lockstep {

/// How old the heartbeat is; zero without one.
[[nodiscard]] std::chrono::nanoseconds heartbeatAge(const RunHealth& health, SteadyPoint now);
/// For how long the rank had been where it is when rank 0 wrote so; absent where it is not published. The
/// trainer looks every few seconds, so it may be that much longer.
[[nodiscard]] std::optional<std::chrono::nanoseconds> standingFor(const RunHealth& health,
                                                                  const RankHeartbeat& beat);

/// Something that keeps a run from going on.
struct Stall {
  enum class Kind {
    NoHeartbeat,  // rank 0 has fallen silent
    RankBehind,   // one rank has not come to the collective in which others wait
    NobodyBehind  // all are in the same collective, and it does not end
  };
  Kind kind = Kind::RankBehind;
  RankHeartbeat beat;                  // rank 0's, the one's that is behind, or the first one's
  int waiting = 0;                     // ranks that wait in a collective
  long long collective = 0;            // in which they wait
  std::chrono::nanoseconds lasting{};  // for so long
};

inline constexpr std::chrono::seconds kOldHeartbeat{25};  // five beats
inline constexpr std::chrono::seconds kLongStanding{15};

/// What holds a running run up now, the worst first; empty when it goes on, or nothing is published.
[[nodiscard]] std::vector<Stall> findStalls(const RunHealth& health, SteadyPoint now);
/// What held a run up when its ranks were heard of last: where it failed, who it waited for until it gave up.
[[nodiscard]] std::vector<Stall> findStallsAtEnd(const RunHealth& health);

}  // namespace lockstep
