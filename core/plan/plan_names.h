// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>
#include <string_view>

#include "base/clock.h"
#include "plan/environment.h"

namespace lockstep {

/// The name of the job as the file has it, before substitution: of the cluster, else displayName; empty when
/// the file names neither.
[[nodiscard]] std::string jobNameTemplate(const ClusterSpec& spec);

/// The name of a node's job run, before substitution: main's own or "main", else `<worker>_<index>`.
[[nodiscard]] std::string runNameTemplate(const ClusterSpec& spec, NodeRole role, long long index);

/// "YYYY-MM-DD-HH:MM.SS", as `ads` writes times into names.
[[nodiscard]] std::string timeInName(TimePoint time);

}  // namespace lockstep
