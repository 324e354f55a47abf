// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>
#include <vector>

#include "health/stall.h"

namespace lockstep {

// What the health of a run says, in English, for command lines and logs: what is seen. Why, and what to do, is in
// health_advice.h, for the desktop, too.

/// "waiting for peers in collective 118", "backward at step 17"
[[nodiscard]] std::string describe(const RankHeartbeat& beat);
/// "rank 3 (host vm-2, pid 47)"
[[nodiscard]] std::string whoIs(const RankHeartbeat& beat);
/// "12 s", "3 min 5 s", "2 h 4 min": the same in every language.
[[nodiscard]] std::string lastingText(std::chrono::nanoseconds lasting);

/// Something about a run that somebody should know, as what, why and what to do.
struct HealthFinding {
  std::string
      code;  // "rank-behind" "nobody-behind" "no-heartbeat" "node-unreachable" "node-silent" "unreadable"
  std::string key;  // the same as long as it is the same finding, whatever its numbers
  std::string what, cause, remedy;
};
[[nodiscard]] HealthFinding findingOf(const Stall& stall);
[[nodiscard]] HealthFinding findingOf(const ReachMatrix& matrix, const ReachMatrix::Gap& gap);
enum class RunStage { Running, Failed, Over };
/// Stalls, where the run goes on, or those in which it failed; then closed ways between nodes, nodes that
/// took no part, and what cannot be read.
[[nodiscard]] std::vector<HealthFinding> findingsIn(const RunHealth& health, RunStage stage, SteadyPoint now);
/// "what: cause; remedy", on one line.
[[nodiscard]] std::string oneLineOf(const HealthFinding& finding);
/// "node 2", or its name.
[[nodiscard]] std::string labelOf(const ReachNode& node);

}  // namespace lockstep
