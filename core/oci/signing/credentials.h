// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <openssl/evp.h>

#include <memory>
#include <string>

#include "base/clock.h"
#include "base/error.h"
#include "http/http_client.h"
#include "oci/signing/call_audit.h"
#include "oci/signing/profile.h"

namespace lockstep::oci {

/// What signs a request now: the keyId parameter and the private key.
struct SigningIdentity {
  std::string keyId;
  std::shared_ptr<EVP_PKEY> key;
  HttpHeaders headers{};  // that every request carries, and signs: opc-obo-token
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
  /// What to do when a service goes on refusing them; empty: what helps with an API key.
  [[nodiscard]] virtual std::string wayOut() const { return {}; }
  /// The region where they were made, for a profile that names none; empty: they do not know.
  [[nodiscard]] virtual std::string region() const { return {}; }
};

/// What signing in needs besides the profile.
struct SigningIn {
  std::shared_ptr<HttpClient> http;  // null: nothing is sent, so no session is renewed and no instance
                                     // principal can be had
  std::shared_ptr<Clock> clock;      // null: the system's
  std::shared_ptr<CallAudit> audit;  // may be null
  Environment environment;           // OCI_RESOURCE_PRINCIPAL_*, OCI_METADATA_BASE_URL
};

/// As the profile's signIn says. A session is renewed by the service when few minutes of it are left, and its
/// token file replaced. Explains a missing file, a pass
/// phrase that is needed or wrong, and a key of a wrong kind. A fingerprint that does not match the key is no
/// failure here (it appears in doubts() and explainProfile()), since only the service knows which keys it
/// has.
Result<std::shared_ptr<Credentials>> credentialsFor(const Profile& profile, const SigningIn& in = {});

/// Resource principal 2.2 from OCI_RESOURCE_PRINCIPAL_* (oci-rest-contract 1.6): what runs inside a job run
/// uses it. Values that are files are read again five minutes before the token ends, and when a service
/// refuses the token.
Result<std::shared_ptr<Credentials>> resourcePrincipal(const std::map<std::string, std::string>& environment,
                                                       std::shared_ptr<Clock> clock);

/// Session token (oci-rest-contract 1.5): the token file is read again before each signing.
Result<std::shared_ptr<Credentials>> sessionToken(const Profile& profile, const SigningIn& in);

/// Instance principal (oci-rest-contract 1.7): this compute instance itself. Asks the instance's metadata
/// service for its certificate and the authentication service for a token, once here and again five minutes
/// before the token ends. `profile.region` empty: the instance's own. Only `in.http` is required.
Result<std::shared_ptr<Credentials>> instancePrincipal(const Profile& profile, const SigningIn& in);

/// `inner` on behalf of a user: every request carries the token of `tokenFile`, read again each time.
Result<std::shared_ptr<Credentials>> delegated(std::shared_ptr<Credentials> inner,
                                               const std::filesystem::path& tokenFile);

}  // namespace lockstep::oci
