// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>
#include <vector>

#include "oci/profile.h"

namespace lockstep::oci {

/// The keys of a config file without which a profile cannot sign in as it says.
[[nodiscard]] std::vector<std::string> missingKeys(const Profile& profile);

/// A profile in which keys may be missing. Blocks on disk.
Result<Profile> loadIncomplete(const ProfileQuery& query, const Environment& environment);

}  // namespace lockstep::oci
