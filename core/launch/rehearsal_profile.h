// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>

#include "launch/rehearsal_control.h"
#include "oci/signing/profile.h"

namespace lockstep {

/// The profile that a rehearsal region writes for its user.
inline constexpr const char* kRehearsalProfile = "REHEARSAL";

/// The region on this machine that a profile belongs to, with the profile's config file: the one whose state
/// folder holds the profile's key, or the usual one while the profile is not there yet. Nothing for a profile
/// of another name, and for one with an endpoint that no region on this machine has written: starting ours
/// would take its place. Blocks on disk.
[[nodiscard]] std::optional<RehearsalOptions> rehearsalOf(const oci::ProfileQuery& query);

/// The region that a rehearsal asked for with this profile uses: the profile's own; else that of the profile
/// REHEARSAL in the same config file, so that there is one region for a profile; else the usual one. Blocks
/// on disk.
[[nodiscard]] RehearsalOptions rehearsalFor(const oci::ProfileQuery& query);

}  // namespace lockstep
