// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>

#include "base/clock.h"
#include "rehearsal/state/database.h"

namespace lockstep::rehearsal {

/// Fills a fresh state: tenancy and user always; compartment, project, network, logs and bucket unless
/// `empty`. Does nothing to a state that has a tenancy.
void seedTenancy(Transaction& transaction, bool empty, TimePoint now);

/// The Administrators, their policy, and in a tenancy that has the seeded compartment the groups and policies of
/// the guides. Once per state, also for a state of a former version; what is deleted later stays deleted.
void seedAccess(Transaction& transaction, TimePoint now);

/// The repository of the trainer's image, in a tenancy that has the seeded compartment and not the
/// repository.
void seedRegistry(Transaction& transaction, TimePoint now);

/// Lets the seeded user sign with this key; earlier keys stay.
void addApiKey(Transaction& transaction, const std::string& fingerprint, const std::string& publicPem);

}  // namespace lockstep::rehearsal
