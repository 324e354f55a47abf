// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <vector>

#include "base/issue.h"
#include "oci/signing/profile.h"

namespace lockstep::oci {

/// What is wrong or odd about a profile, without asking any service: missing key, modes, pass phrase,
/// fingerprint that does not match the key, expired token, unknown region. Errors prevent requests, warnings
/// do not. Nobody is asked for a pass phrase. Blocks on disk.
[[nodiscard]] std::vector<Issue> explainProfile(const Profile& profile);
/// The same for a profile that perhaps cannot even be loaded: everything that is missing, each on its own.
[[nodiscard]] std::vector<Issue> explainProfile(const ProfileQuery& query, const Environment& environment);

}  // namespace lockstep::oci
