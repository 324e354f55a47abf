// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "rehearsal/api/router.h"
#include "rehearsal/state/database.h"

namespace lockstep::rehearsal {

class KeyDirectory;

/// The operations of Identity, added to the router (oci-rest-contract 4.1). `keys` forgets what is removed; it and the
/// database outlive the router.
void addIdentity(Router& router, Database& database, KeyDirectory& keys);

}  // namespace lockstep::rehearsal
