// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>

#include "base/clock.h"
#include "rehearsal/identity/crypto.h"
#include "rehearsal/state/database.h"

namespace lockstep::rehearsal {

/// The well-known names of the rehearsal tenancy, so that a starter train.yaml can have them.
namespace seed {
inline constexpr const char* kTenancy = "ocid1.tenancy.oc1..aaaaaaaalockstep";
inline constexpr const char* kCompartment = "ocid1.compartment.oc1..aaaaaaaalockstep";
inline constexpr const char* kUser = "ocid1.user.oc1..aaaaaaaalockstep";
inline constexpr const char* kProject = "ocid1.datascienceproject.oc1.rehearsal.aaaaaaaalockstep";
inline constexpr const char* kVcn = "ocid1.vcn.oc1.rehearsal.aaaaaaaalockstep";
inline constexpr const char* kSubnet = "ocid1.subnet.oc1.rehearsal.aaaaaaaalockstep";
inline constexpr const char* kLogGroup = "ocid1.loggroup.oc1.rehearsal.aaaaaaaalockstep";
inline constexpr const char* kLog = "ocid1.log.oc1.rehearsal.aaaaaaaalockstep";
inline constexpr const char* kNamespace = "rehearsal";
inline constexpr const char* kBucket = "lockstep";
inline constexpr const char* kWorkDir = "oci://lockstep@rehearsal/runs";
}  // namespace seed

/// Fills a fresh state: tenancy and user always; compartment, project, network, logs and bucket unless
/// `empty`. Does nothing to a state that has a tenancy.
void seedTenancy(Session& session, bool empty, TimePoint now);

/// The Administrators, their policy, and in a tenancy that has the seeded compartment the groups and policies of
/// the guides. Once per state, also for a state of a former version; what is deleted later stays deleted.
void seedAccess(Session& session, TimePoint now);

/// The repository of the trainer's image, in a tenancy that has the seeded compartment and not the
/// repository.
void seedRegistry(Session& session, TimePoint now);

/// Lets the seeded user sign with this key; earlier keys stay.
void addApiKey(Session& session, const std::string& fingerprint, const std::string& publicPem);

}  // namespace lockstep::rehearsal
