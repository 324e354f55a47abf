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
  /// Re-reads what can be re-read after a service refused us; true when current() gives something else than
  /// `refused`.
  virtual bool refresh(const std::string& refusedKeyId) {
    (void)refusedKeyId;
    return false;
  }
  /// What is suspicious about these credentials, as a sentence for a "not authenticated" message; empty:
  /// nothing.
  [[nodiscard]] virtual std::string doubts() const { return {}; }
};

/// API key, or session token when the profile has a security_token_file. Explains a missing file, a pass
/// phrase that is needed or wrong, and a key of a wrong kind. A fingerprint that does not match the key is no
/// failure here (it appears in doubts() and explainProfile()), since only the service knows which keys it
/// has.
Result<std::shared_ptr<Credentials>> credentialsFor(const Profile& profile);

/// Resource principal 2.2 from OCI_RESOURCE_PRINCIPAL_* (oci-rest-contract 1.6): what runs inside a job run
/// uses it. Values that are files are read again five minutes before the token ends, and when a service
/// refuses the token.
Result<std::shared_ptr<Credentials>> resourcePrincipal(const std::map<std::string, std::string>& environment,
                                                       std::shared_ptr<Clock> clock);

}  // namespace lockstep::oci
