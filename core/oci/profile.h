// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/issue.h"
#include "base/secret.h"
#include "base/status.h"

namespace lockstep::oci {

/// Which profile: explicit values win, then OCI_CLI_CONFIG_FILE / OCI_CONFIG_FILE and OCI_CLI_PROFILE, then
/// `default_profile` of ~/.oci/oci_cli_rc, then ~/.oci/config and DEFAULT (oci-rest-contract 1.4).
struct ProfileQuery {
  std::string configFile;
  std::string profile;
};

/// One profile of an OCI config file, DEFAULT inherited, `~` expanded, OCI_CLI_* applied over the file.
struct Profile {
  std::string name;
  std::filesystem::path configFile;
  std::string tenancy, user, fingerprint, region;
  std::filesystem::path keyFile;
  std::filesystem::path securityTokenFile;
  std::string endpoint;  // one base URL for every service (a rehearsal region), no '/' at its end; empty: the
                         // region's own hosts
  Secret passPhrase;
  Secret keyContent;              // OCI_CLI_KEY_CONTENT; wins over keyFile
  std::string certificateBundle;  // OCI_CLI_CERT_BUNDLE; empty: the system's authorities
};

using Environment = std::map<std::string, std::string>;

/// The environment is this process's unless one is given.
[[nodiscard]] ProfileQuery resolved(const ProfileQuery& query);
[[nodiscard]] ProfileQuery resolved(const ProfileQuery& query, const Environment& environment);
/// Errors name the file, the profile and what is missing. Blocks on disk.
Result<Profile> loadProfile(const ProfileQuery& query);
Result<Profile> loadProfile(const ProfileQuery& query, const Environment& environment);
/// Whether the resolved config file has any profile at all.
[[nodiscard]] bool hasAnyProfile(const ProfileQuery& query);
/// The names of the profiles of the resolved config file, in its order; empty when there is no such file.
Result<std::vector<std::string>> profileNames(const ProfileQuery& query);

/// What is wrong or odd about a profile, without asking any service: missing key, modes, pass phrase,
/// fingerprint that does not match the key, expired token, unknown region. Errors prevent requests, warnings
/// do not. Blocks on disk.
[[nodiscard]] std::vector<Issue> explainProfile(const Profile& profile);

}  // namespace lockstep::oci
