// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "rehearsal/api/router.h"
#include "rehearsal/state/database.h"

namespace lockstep::rehearsal {

class VcnNetwork;

/// The operations of the virtual network service, added to the router (oci-rest-contract 4.2). Database and `network`
/// outlive it.
void addNetwork(Router& router, Database& database, VcnNetwork& network);
/// What is in force of the network, and who reaches whom: below /rehearsal/network.
void addNetworkAdmin(Router& admin, Database& database, VcnNetwork& network);

}  // namespace lockstep::rehearsal
