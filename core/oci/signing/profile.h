// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <openssl/evp.h>

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/secret.h"
#include "oci/signing/pass_phrase_source.h"

namespace lockstep::oci {

/// Which profile: explicit values win, then OCI_CLI_CONFIG_FILE / OCI_CONFIG_FILE and OCI_CLI_PROFILE, then
/// `default_profile` of ~/.oci/oci_cli_rc, then ~/.oci/config and DEFAULT (oci-rest-contract 1.4).
struct ProfileQuery {
  std::string configFile;
  std::string profile;
  std::shared_ptr<PassPhraseSource> passPhrases{};  // of encrypted keys; null: nobody is asked
};

/// How a profile signs in: `authentication_type` or OCI_CLI_AUTH.
enum class SignInKind {
  ApiKey,              // api_key
  SecurityToken,       // security_token: `oci session authenticate`
  InstancePrincipal,   // instance_principal: this machine is a compute instance
  ResourcePrincipal,   // resource_principal: we run inside a job run
  InstanceDelegation,  // instance_obo_user: an instance, for a user who gave it a token
};
[[nodiscard]] const char* toString(SignInKind kind);  // "api_key"

/// One profile of an OCI config file, DEFAULT inherited, `~` expanded, OCI_CLI_* applied over the file.
struct Profile {
  std::string name;
  std::filesystem::path configFile;
  SignInKind signIn = SignInKind::ApiKey;
  std::string tenancy, user, fingerprint;
  std::string region;  // id or short code; may be empty for instance and resource principals, which know it
  std::filesystem::path keyFile;
  std::filesystem::path securityTokenFile;    // empty unless signIn is SecurityToken
  std::filesystem::path delegationTokenFile;  // of InstanceDelegation
  std::string endpoint;  // one base URL for every service (a rehearsal region), no '/' at its end; empty: the
                         // region's own hosts
  std::string federationEndpoint;  // OCI_CLI_FEDERATION_ENDPOINT: where instance principals sign in
  Secret passPhrase;
  std::shared_ptr<PassPhraseSource> passPhrases;  // when the key is encrypted and passPhrase is empty
  Secret keyContent;                              // OCI_CLI_KEY_CONTENT; wins over keyFile
  std::string certificateBundle;                  // OCI_CLI_CERT_BUNDLE; empty: the system's authorities
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

/// The private key of a profile, opened with its pass phrase or, when it is encrypted and has none, with what
/// its PassPhraseSource says; asked three times at most. Blocks on disk and on people.
Result<std::shared_ptr<EVP_PKEY>> openPrivateKey(const Profile& profile);

}  // namespace lockstep::oci
