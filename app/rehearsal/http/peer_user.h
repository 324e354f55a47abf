// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <sys/types.h>

#include <optional>

namespace lockstep::rehearsal {

/// The user who owns the other end of a connection within this machine, as the kernel's table of connections
/// says it. None: that end is not here, or is being closed (a closed end belongs to nobody, and is listed as
/// root's).
[[nodiscard]] std::optional<uid_t> userAtOtherEnd(int socket);

}  // namespace lockstep::rehearsal
