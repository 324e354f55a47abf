// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "rehearsal/objects/object_store.h"

namespace lockstep::rehearsal {

/// Preauthenticated requests: links that work without a signature, with the rights of who made them, until
/// they expire or are deleted (oci-rest-contract 4.3). Of the secret in the link only a hash is kept.
constexpr const char* kPreauthenticatedSchema = R"sql(
CREATE TABLE IF NOT EXISTS preauthenticated_requests(
  id TEXT PRIMARY KEY, bucket INTEGER NOT NULL, secret_hash TEXT NOT NULL UNIQUE, expires INTEGER NOT NULL,
  principal TEXT NOT NULL, body TEXT NOT NULL) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS preauthenticated_by_bucket ON preauthenticated_requests(bucket, id);
)sql";

}  // namespace lockstep::rehearsal
