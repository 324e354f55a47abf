// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <chrono>
#include <nlohmann/json.hpp>
#include <string>

#include "rehearsal/api/router.h"
#include "rehearsal/iam/instance_identities.h"
#include "rehearsal/iam/tokens.h"
#include "rehearsal/state/database.h"

namespace lockstep::rehearsal {

/// A session of a user, as `oci session authenticate` begins one (oci-rest-contract 1.5).
struct UserSession {
  std::string userId, tenancyId;
  std::string publicPem;
  TimePoint began;                    // renewable for a day from here
  std::chrono::minutes lifetime{60};  // of each token
};
Result<std::string> issueSessionToken(const TokenIssuer& tokens, const UserSession& session, TimePoint now);

/// What is kept of the secret in an instance's metadata path.
[[nodiscard]] std::string metadataHash(const std::string& secret);

/// The auth service: POST /v1/authentication/refresh, POST /v1/x509 (oci-rest-contract 1.5, 1.7) and
/// POST /v1/token/upst/actions/GenerateUpst, by which `oci session authenticate --no-browser` turns an API
/// key into a session (oci-rest-contract 1.5.1).
void addSignIn(Router& router, const TokenIssuer& tokens, const InstanceIdentities& instances);

/// The metadata service of instances (oci-rest-contract 1.7), unsigned: below /metadata/<secret>/opc/v2, whose
/// secret is told to whoever makes the instance, and below /opc/v2 for the instance that was made last. There
/// its certificate and key are given to processes of the region's own user only. `regionInfo` is what
/// /instance/regionInfo answers.
void addInstanceMetadata(Router& open, Database& database, InstanceIdentities& instances,
                         const nlohmann::json& regionInfo);

}  // namespace lockstep::rehearsal
