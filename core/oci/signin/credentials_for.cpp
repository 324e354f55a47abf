// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/child_process.h"
#include "oci/signin/sign_in.h"
#include "oci/signing/api_key_credentials.h"
#include "oci/signing/credentials.h"

namespace lockstep::oci {

Result<std::shared_ptr<Credentials>> credentialsFor(const Profile& profile, const SigningIn& in) {
  SigningIn filled = in;
  if (filled.clock == nullptr) filled.clock = std::make_shared<SystemClock>();
  if (filled.environment.empty()) filled.environment = currentEnvironment();
  switch (profile.signIn) {
    case SignInKind::SecurityToken:
      return sessionToken(profile, filled);
    case SignInKind::ResourcePrincipal:
      return resourcePrincipal(filled.environment, filled.clock);
    case SignInKind::InstancePrincipal:
      return instancePrincipal(profile, filled);
    case SignInKind::InstanceDelegation: {
      auto instance = instancePrincipal(profile, filled);
      return instance ? delegated(*std::move(instance), profile.delegationTokenFile) : instance;
    }
    case SignInKind::ApiKey:
      break;
  }
  return apiKeyCredentials(profile);
}

}  // namespace lockstep::oci
