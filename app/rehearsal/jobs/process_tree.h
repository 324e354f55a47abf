// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <sys/types.h>

#include <string>
#include <vector>

namespace lockstep::rehearsal {

/// Every living process below `root`, without it. Zombies do not count.
[[nodiscard]] std::vector<pid_t> descendantsOf(pid_t root);

/// Every living process of this user whose environment says JOB_RUN_OCID=<runId>: what is left of a run whose
/// supervisor was killed.
[[nodiscard]] std::vector<pid_t> processesOfRun(const std::string& runId);
/// The same of one node: those whose environment has `mark` ("NAME=value") besides.
[[nodiscard]] std::vector<pid_t> processesOfRun(const std::string& runId, const std::string& mark);

void signalEach(const std::vector<pid_t>& processes, int signal);

}  // namespace lockstep::rehearsal
