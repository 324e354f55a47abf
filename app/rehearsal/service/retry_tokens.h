// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>
#include <string>

#include "rehearsal/api/router.h"
#include "rehearsal/state/database.h"

namespace lockstep::rehearsal {

inline constexpr const char* kRetryTokensSchema = R"sql(
CREATE TABLE IF NOT EXISTS retry_tokens(
  token TEXT NOT NULL, scope TEXT NOT NULL, body_hash TEXT NOT NULL, created INTEGER NOT NULL, reply TEXT NOT NULL,
  PRIMARY KEY(scope, token)) WITHOUT ROWID;
)sql";

/// Idempotency of creates (oci-rest-contract 3.1): within 24 hours the same opc-retry-token gives the same
/// answer; with another body it is refused. nullopt: a fresh request, to be carried out.
std::optional<OperationResult> replayed(Transaction& transaction, const Call& call,
                                        const std::string& operation);

/// Remembers the answer of a create; in the same transaction as what it created.
void remember(Transaction& transaction, const Call& call, const std::string& operation,
              const Response& response);

}  // namespace lockstep::rehearsal
