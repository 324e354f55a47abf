// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>
#include <vector>

#include "oci/signing/profile.h"

namespace lockstep::oci {

/// One base URL for every service. A name of our own: `endpoint` is, to Oracle's Python SDK, the second-level
/// domain of its hosts, and a URL there breaks each of its clients.
inline constexpr const char* kEndpointKey = "lockstep_endpoint";
/// What rehearsal regions wrote before: read while it is the URL of a server on this machine, which Oracle's
/// meaning of it never is.
inline constexpr const char* kOldEndpointKey = "endpoint";

/// The keys of a config file without which a profile cannot sign in as it says.
[[nodiscard]] std::vector<std::string> missingKeys(const Profile& profile);

/// A profile in which keys may be missing. Blocks on disk.
Result<Profile> loadIncomplete(const ProfileQuery& query, const Environment& environment);

}  // namespace lockstep::oci
