// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>

#include "rehearsal/state/resources.h"

namespace lockstep::rehearsal {

/// Whether a compartment is that ancestor or lies below it.
bool isWithin(Session& session, const std::string& compartmentId, const std::string& ancestorId);

}  // namespace lockstep::rehearsal
