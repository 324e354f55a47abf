// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <chrono>
#include <optional>
#include <string>

#include "trainer/node/liveness/node_liveness.h"
#include "trainer/node/processes/rank_group.h"

namespace lockstep::node {

/// describeEnd() with the rank, the node and, where it ended by itself, the last thing it said.
[[nodiscard]] std::string failureText(const RankEnd& end, const std::string& node,
                                      const std::optional<long long>& killsBefore);
[[nodiscard]] std::string lossText(const NodeLoss& loss);

/// How long to wait for the word of another node before this end is held for the first of the run: a rank
/// that lost its peers ends with an error too, often before the node of the one that broke has written it
/// down.
[[nodiscard]] std::chrono::seconds reportDelayFor(const ProcessExit& exit);
/// Wrong arguments, data or a diverging loss would be there again.
[[nodiscard]] bool wouldFailAgain(const ProcessExit& exit);

}  // namespace lockstep::node
