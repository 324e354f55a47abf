// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "rehearsal/api/router.h"
#include "rehearsal/state/database.h"

namespace lockstep::rehearsal {

/// The operations of Limits, added to the router (oci-rest-contract 4.10). The database outlives it.
void addLimits(Router& router, Database& database);
/// Sets a limit: PUT /rehearsal/limits/{name}.
void addLimitsAdmin(Router& admin, Database& database);

}  // namespace lockstep::rehearsal
