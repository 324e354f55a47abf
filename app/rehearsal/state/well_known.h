// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace lockstep::rehearsal {

/// The regionKey of this region.
inline constexpr const char* kRegionKey = "RHS";

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

}  // namespace lockstep::rehearsal
