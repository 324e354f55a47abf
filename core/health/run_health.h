// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>
#include <vector>

#include "base/error.h"
#include "health/heartbeat.h"
#include "health/reach_findings.h"

namespace lockstep {

/// What the ranks and nodes of a run have published beside metrics, as far as it has been read.
struct RunHealth {
  std::optional<Heartbeat> heartbeat;  // absent: none was published
  SteadyPoint heard{};                 // when the heartbeat was new, by the reader's clock
  std::vector<NodeFindings> nodes;     // by node
  std::vector<Error> unreadable;       // objects that are there and make no sense
};

}  // namespace lockstep
