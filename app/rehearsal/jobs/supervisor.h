// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <filesystem>

namespace lockstep::rehearsal {

/// `lockstep-rehearsal supervise FOLDER`: executes one node of a job run and stays with it, so that the
/// region's death costs a run nothing. It is the reaper of every descendant, captures stdout and stderr line
/// by line with the time, ends the whole tree on SIGTERM or at the maximum runtime (SIGTERM, grace, SIGKILL),
/// and when the last process is gone and the last line written it writes ended.json. Returns the exit status
/// for main.
int supervise(const std::filesystem::path& folder);

}  // namespace lockstep::rehearsal
