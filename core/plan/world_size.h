// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>

#include "plan/environment.h"

namespace lockstep {

/// Ranks that a node of this role runs: processes of PyTorch (one per GPU), slots of Horovod (ads-contract
/// 4.3); nullopt where the shape does not tell, for roles without ranks, and for Dask, Ray and TensorFlow,
/// which have none.
[[nodiscard]] std::optional<int> ranksOnNode(const ClusterSpec& spec, NodeRole role);

/// A variable as the nodes of a role see it; empty: it is not set.
[[nodiscard]] std::string variableOf(const ClusterSpec& spec, NodeRole role, const char* name);

}  // namespace lockstep
