// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "rehearsal/api/router.h"
#include "rehearsal/state/database.h"

namespace lockstep::rehearsal {

/// The operations of Logging, of its search and of its ingestion, added to the router (oci-rest-contract 4.6 to 4.8).
/// The database outlives it.
void addLogging(Router& router, Database& database);
void addLogSearch(Router& router, Database& database);
void addLogIngestion(Router& router, Database& database);

}  // namespace lockstep::rehearsal
