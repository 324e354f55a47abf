// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "oci/calls/service_client.h"
#include "setup/auth/auth_fixes.h"

namespace lockstep {

/// Another profile of the same tenancy and config file that may see the API keys of our user.
struct KeyKeeper {
  std::string profile;
  std::shared_ptr<oci::ServiceClient> services;
  std::vector<std::string> fingerprints;  // of the keys that the user has now
};
/// Asks each profile that could be one, three at most, with one call each; nobody is asked for a pass phrase.
[[nodiscard]] std::optional<KeyKeeper> findKeyKeeper(const AuthSituation& situation,
                                                     const std::string& tenancy, const std::string& user,
                                                     const std::stop_token& stop);

/// "create-profile": the profile with what the choices say and a fresh key pair, which is uploaded as well
/// when there is somebody who may; nothing when choices are missing.
[[nodiscard]] std::optional<ProposedFix> createProfileFix(const AuthSituation& situation,
                                                          const std::stop_token& stop);
/// "new-key": another key pair for a profile whose key is lost or cannot be used; asked for by its id only.
[[nodiscard]] std::optional<ProposedFix> newKeyFix(const AuthSituation& situation);
/// For a key that the service does not know: "upload-key" when there is a keeper, else "write-public-key",
/// whose preview is what has to be pasted into the console.
[[nodiscard]] std::optional<ProposedFix> publishKeyFix(const AuthSituation& situation,
                                                       const std::optional<KeyKeeper>& keeper);

/// Of every change of the step "auth".
Result<void> takeAuthBack(const SetupContext& context, const AppliedChange& change,
                          const std::stop_token& stop);

}  // namespace lockstep
