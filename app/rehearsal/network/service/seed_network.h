// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "base/clock.h"
#include "rehearsal/state/database.h"

namespace lockstep::rehearsal {

/// The network of a tenancy that has the seeded compartment: a VCN with a private subnet in which nodes may
/// open any TCP connection to each other, as PyTorch's guide needs it, and whose routes lead to the services.
/// Once per state; the network of a state of the former version, which was the machine's loopback, is
/// replaced under the same OCIDs. What is changed or deleted later stays so.
void seedNetwork(Transaction& transaction, TimePoint now);

}  // namespace lockstep::rehearsal
