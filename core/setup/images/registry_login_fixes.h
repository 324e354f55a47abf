// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "setup/images/registry_login.h"
#include "setup/images/registry_user.h"
#include "setup/step/setup_context.h"
#include "setup/step/setup_step.h"

namespace lockstep {

/// What the step "ocir-login" has found out, and its fixes go by.
struct LoginSituation {
  RegistryAddress place;
  std::string nameSpace;
  std::optional<RegistryUser> user;  // nothing: nobody knows
  std::string userId;                // of the profile; empty for sessions and principals
  std::optional<ContainerEngine> engine;
  EngineLogin login;  // of that engine
  std::optional<bool> loginWorks;
  bool canExchange = false;                // the profile itself gets a token for about an hour
  bool hasKeptToken = false;               // an auth token is in the secret store
  std::optional<RegistryUser> acceptedAs;  // with the token that is kept
  [[nodiscard]] bool isLoggedIn() const { return login.isThere && loginWorks.value_or(true); }
  /// Under which an auth token is kept: the same whatever form the user's name takes.
  [[nodiscard]] std::string secretName() const;
};

/// Ways to a login, the one that --yes takes first. The step's context must have working services.
[[nodiscard]] std::vector<ProposedFix> loginFixes(const SetupContextPtr& context,
                                                  const LoginSituation& situation);
/// Of any of them.
Result<void> takeLoginBack(const SetupContext& context, const AppliedChange& change,
                           const std::stop_token& stop);

}  // namespace lockstep
