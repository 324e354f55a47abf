// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "rehearsal/faults/fault_plan.h"

namespace lockstep::rehearsal {

/// The name of a kind in a fault file: "throttle".
[[nodiscard]] const char* nameOf(FaultKind kind);

}  // namespace lockstep::rehearsal
