// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <sys/types.h>

#include <vector>

namespace lockstep::node {

/// From now on, what our children leave behind when they end becomes our child, as it does of the first
/// process of a container.
void adoptOrphans();

/// Takes the exit of every adopted process that has ended, so that none stays a zombie; `own` are the
/// children that somebody else waits for, as is all that `thread` has started. With `end`, those that still run
/// are killed and waited for. The number of processes that were there.
int reapOrphans(const std::vector<pid_t>& own, bool end, pid_t thread = 0);

}  // namespace lockstep::node
