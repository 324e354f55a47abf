// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>
#include <stop_token>
#include <string>

#include "launch/rehearsal_control.h"
#include "oci/signing/profile.h"

namespace lockstep {

/// What the user says about where requests shall go. Empty: nothing.
struct TargetRequest {
  oci::ProfileQuery query;
  std::string on;      // "oci" or "rehearsal"
  std::string region;  // "rehearsal", or a region of OCI
};

/// Where requests go: a profile, and the region of this machine when the profile is that one's. Nothing has
/// been started yet.
struct LaunchTarget {
  oci::ProfileQuery query;                    // resolved
  std::optional<RehearsalOptions> rehearsal;  // the region, which startTarget() starts
  bool lacksProfile = false;  // the config file has no profile of the user's own: the region's stands in
};

/// The target that a wish stands for: what it says, else the machine's own profile, else the rehearsal region
/// of the profile REHEARSAL. A launch decides by it, before anything is started, whether placeholders matter.
/// Blocks on disk.
[[nodiscard]] LaunchTarget chosenTarget(const TargetRequest& wish);

/// A target that requests can be sent to.
struct StartedTarget {
  oci::ProfileQuery query;
  std::optional<RehearsalInfo> rehearsal;
};

/// Starts the rehearsal region where the target is one and it does not run. Blocks.
Result<StartedTarget> startTarget(const LaunchTarget& target, const std::stop_token& stop);

}  // namespace lockstep
