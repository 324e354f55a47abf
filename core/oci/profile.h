// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "base/secret.h"
#include "base/status.h"

namespace lockstep::oci {

/// Which profile: explicit values win, then OCI_CLI_CONFIG_FILE / OCI_CONFIG_FILE and OCI_CLI_PROFILE, then
/// ~/.oci/config and DEFAULT (oci-rest-contract 1.4).
struct ProfileQuery {
  std::string configFile;
  std::string profile;
};

/// One profile of an OCI config file, DEFAULT inherited, `~` expanded.
struct Profile {
  std::string name;
  std::filesystem::path configFile;
  std::string tenancy, user, fingerprint, region;
  std::filesystem::path keyFile;
  std::filesystem::path securityTokenFile;
  std::string endpoint;  // one base URL for every service (a rehearsal region); empty: the region's own hosts
  Secret passPhrase;
};

[[nodiscard]] ProfileQuery resolved(const ProfileQuery& query);
Result<Profile> loadProfile(const ProfileQuery& query);
/// Whether the resolved config file has any profile at all.
[[nodiscard]] bool hasAnyProfile(const ProfileQuery& query);

}  // namespace lockstep::oci
