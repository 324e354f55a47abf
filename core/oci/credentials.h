// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <openssl/evp.h>

#include <memory>
#include <string>

#include "base/clock.h"
#include "base/status.h"
#include "oci/profile.h"

namespace lockstep::oci {

/// What signs a request now: the keyId parameter and the private key.
struct SigningIdentity {
  std::string keyId;
  std::shared_ptr<EVP_PKEY> key;
};

/// Who we are to the services. current() may re-read files (rotated tokens). Thread-safe.
class Credentials {
 public:
  virtual ~Credentials() = default;
  virtual Result<SigningIdentity> current() = 0;
};

/// API key, or session token when the profile has a security_token_file. Explains a missing file, a wrong mode, a pass
/// phrase that is needed, and a fingerprint that does not match the key.
Result<std::shared_ptr<Credentials>> credentialsFor(const Profile& profile);

/// Resource principal 2.2 from OCI_RESOURCE_PRINCIPAL_* (oci-rest-contract 1.6): what runs inside a job run uses it.
Result<std::shared_ptr<Credentials>> resourcePrincipal(const std::map<std::string, std::string>& environment,
                                                       std::shared_ptr<Clock> clock);

}  // namespace lockstep::oci
