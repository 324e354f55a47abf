// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <vector>

#include "plan/environment.h"
#include "plan/node_details.h"

namespace lockstep {

/// The ports of one node, from what its container is told (ads-contract 4.3 and 4.4).
[[nodiscard]] std::vector<NodePort> portsOf(const ClusterSpec& spec, NodeRole role,
                                            const Environment& environment);

}  // namespace lockstep
