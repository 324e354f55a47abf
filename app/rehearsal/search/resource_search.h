// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "rehearsal/api/router.h"
#include "rehearsal/state/database.h"

namespace lockstep::rehearsal {

/// Resource Search, which `oci search` and the job monitor ask (oci-rest-contract 4.12), added to the router. The
/// database outlives it.
void addResourceSearch(Router& router, Database& database);

}  // namespace lockstep::rehearsal
