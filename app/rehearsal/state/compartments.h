// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>

#include "rehearsal/api/principal.h"
#include "rehearsal/state/resources.h"

namespace lockstep::rehearsal {

/// Whether a compartment is that ancestor or lies below it.
bool isWithin(Transaction& transaction, const std::string& compartmentId, const std::string& ancestorId);

/// The namespace of the principal's tenancy; empty when there is no such tenancy.
[[nodiscard]] std::string namespaceOf(Transaction& transaction, const Principal& principal);

}  // namespace lockstep::rehearsal
