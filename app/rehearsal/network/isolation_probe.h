// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "base/status.h"
#include "rehearsal/network/namespaces.h"

namespace lockstep::rehearsal {

/// By what right nodes can be isolated on this machine: tries all that isolation needs, in a process of its
/// own that leaves nothing. Takes some 20 ms. Unavailable: why not.
Result<Privilege> probeIsolation();

}  // namespace lockstep::rehearsal
