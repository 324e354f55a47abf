// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>
#include <string>

#include "base/child_process.h"

namespace lockstep::node {

/// How many processes of this container the kernel has killed for want of memory so far: "oom_kill" of the
/// text of the control group's memory.events. nullopt when the text has none.
[[nodiscard]] std::optional<long long> memoryKillsIn(const std::string& memoryEvents);

/// The same of the control group that this process is in; nullopt where it cannot be read.
[[nodiscard]] std::optional<long long> memoryKills();

/// "ended with exit code 3", "was killed by signal 9 (Killed), for want of memory…". `killsBefore`: what
/// memoryKills() said when the process was started.
[[nodiscard]] std::string describeEnd(const ProcessExit& exit, std::optional<long long> killsBefore);

}  // namespace lockstep::node
