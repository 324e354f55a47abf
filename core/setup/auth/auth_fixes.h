// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "base/issue.h"
#include "oci/signing/profile.h"
#include "setup/step/setup_context.h"
#include "setup/step/setup_step.h"

namespace lockstep {

/// What the step "auth" knows when it proposes fixes.
struct AuthSituation {
  SetupContextPtr context;
  oci::ProfileQuery query;              // resolved
  std::optional<oci::Profile> profile;  // keys may be missing; nothing: it is not there or cannot be read
  std::vector<Issue> issues;            // of explainProfile()
  [[nodiscard]] bool has(const std::string& code) const;
};

/// A change that a fix of this step made.
[[nodiscard]] AppliedChange authChange(const AuthSituation& situation, std::string kind, std::string title,
                                       nlohmann::json undo);
/// Writes values into the profile's own section; the change remembers what they were. FailedPrecondition when
/// the section is no longer as it was `shown`.
Result<AppliedChange> setProfileValues(const AuthSituation& situation, const std::string& shown,
                                       const std::vector<std::pair<std::string, std::string>>& values,
                                       const std::string& title);

/// Modes of config, key and token; the fingerprint of the key; the key of the fingerprint; a session that
/// ends soon.
[[nodiscard]] std::vector<ProposedFix> profileFixes(const AuthSituation& situation);

}  // namespace lockstep
