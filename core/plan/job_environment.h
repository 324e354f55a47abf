// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <nlohmann/json.hpp>
#include <vector>

#include "cluster/cluster_spec.h"

namespace lockstep {

/// The environment on the job, in the order in which `ads` builds it, before interpolation
/// (ads-contract 2.3).
[[nodiscard]] nlohmann::ordered_json jobEnvironment(const ClusterSpec& spec);

/// The environment that a job run adds: the role's own variables, OCI__START_ARGS, OCI__MODE and, except for
/// parameter servers, RANK. `index` counts the nodes of the role from 0.
[[nodiscard]] nlohmann::ordered_json runEnvironment(const ClusterSpec& spec, NodeRole role, long long index);

}  // namespace lockstep
