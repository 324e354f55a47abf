// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "plan/environment.h"

namespace lockstep {

/// The environment on the job, in the order in which `ads` builds it, before interpolation: of a cluster
/// (ads-contract 2.3), or of a `kind: job` file (5.1).
[[nodiscard]] Environment jobEnvironment(const ClusterSpec& spec);

/// The environment that a job run adds: the role's own variables, OCI__START_ARGS, OCI__MODE and, except for
/// parameter servers, RANK. `index` counts the nodes of the role from 0.
[[nodiscard]] Environment runEnvironment(const ClusterSpec& spec, NodeRole role, long long index);

/// What the file says of a role; nullptr: it says nothing.
[[nodiscard]] const RoleSpec* roleOf(const ClusterSpec& spec, NodeRole role);

/// Joined with one blank and stripped, as Python does it: the text of OCI__START_ARGS.
[[nodiscard]] std::string startArguments(const std::vector<std::string>& options);

}  // namespace lockstep
