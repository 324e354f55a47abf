// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>
#include <string>

#include "rehearsal/front/router.h"
#include "rehearsal/state/database.h"

namespace lockstep::rehearsal {

/// Idempotency of creates (oci-rest-contract 3.1): within 24 hours the same opc-retry-token gives the same
/// answer; with another body it is refused. nullopt: a fresh request, to be carried out.
std::optional<Answer> replayed(Session& session, const Call& call, const std::string& operation);

/// Remembers the answer of a create; in the same transaction as what it created.
void remember(Session& session, const Call& call, const std::string& operation, const Reply& reply);

}  // namespace lockstep::rehearsal
