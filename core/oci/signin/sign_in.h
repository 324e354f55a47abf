// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <map>
#include <memory>
#include <string>

#include "base/clock.h"
#include "base/error.h"
#include "http/http_client.h"
#include "oci/signing/call_audit.h"
#include "oci/signing/credentials.h"
#include "oci/signing/profile.h"

namespace lockstep::oci {

/// What signing in needs besides the profile.
struct SigningIn {
  std::shared_ptr<HttpClient> http;  // null: nothing is sent, so no session is renewed and no instance
                                     // principal can be had
  std::shared_ptr<Clock> clock;      // null: the system's
  std::shared_ptr<CallAudit> audit;  // may be null
  Environment environment;           // OCI_RESOURCE_PRINCIPAL_*, OCI_METADATA_BASE_URL
};

/// As the profile's signIn says. A session is renewed by the service when few minutes of it are left, and its
/// token file replaced. Explains a missing file, a pass phrase that is needed or wrong, and a key of a wrong kind. A
/// fingerprint that does not match the key is no failure here (it appears in doubts() and explainProfile()), since
/// only the service knows which keys it has.
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

}  // namespace lockstep::oci
