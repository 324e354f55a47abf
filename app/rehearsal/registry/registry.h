// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "rehearsal/api/router.h"
#include "rehearsal/iam/tokens.h"
#include "rehearsal/state/blobs.h"
#include "rehearsal/state/database.h"

namespace lockstep::rehearsal {

/// Management of repositories and images (oci-rest-contract 4.4).
void addRegistry(Router& router, Database& database, Blobs& blobs);

/// The registry's log-in (oci-rest-contract 5): /20180419/docker/token for signed callers (`services`) and
/// for user:auth-token, BEARER_TOKEN:token or nobody (`open`).
void addRegistryTokens(Router& services, Router& open, Database& database, const TokenIssuer& tokens);

/// The registry itself, /v2/…: push and pull by the Docker and OCI distribution protocol. Who may do what is
/// asked of the policies at every request, as PullImage and PushImage, with target.repo.name.
void addDistribution(Router& open, Database& database, Blobs& blobs, const TokenIssuer& tokens);

/// Who a registry token was issued to, while what it was issued for is there: the user, the auth token or API
/// key, the instance, the job run that goes on. An id that is empty is nobody, who may pull what is public.
std::optional<Principal> readRegistryToken(Database& database, const TokenIssuer& tokens,
                                           std::string_view token, TimePoint now);

}  // namespace lockstep::rehearsal
