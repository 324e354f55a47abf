// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <sys/types.h>

#include <string>
#include <vector>

#include "rehearsal/support/run_folder.h"

namespace lockstep::rehearsal {

/// Every living process below `root`, without it. Zombies do not count.
[[nodiscard]] std::vector<ProcessMark> descendantsOf(pid_t root);

/// Every living process of this user whose environment says JOB_RUN_OCID=<runId>: what is left of a run whose
/// supervisor was killed.
[[nodiscard]] std::vector<ProcessMark> processesOfRun(const std::string& runId);
/// The same of one node: those whose environment has `mark` ("NAME=value") besides.
[[nodiscard]] std::vector<ProcessMark> processesOfRun(const std::string& runId, const std::string& mark);

void signalEach(const std::vector<ProcessMark>& processes, int signal);

}  // namespace lockstep::rehearsal
