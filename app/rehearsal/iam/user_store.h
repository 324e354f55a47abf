// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "rehearsal/api/principal.h"
#include "rehearsal/crypto/crypto.h"
#include "rehearsal/state/resources.h"

namespace lockstep::rehearsal {

/// The keys of users, and when they were uploaded.
inline constexpr const char* kApiKeysSchema = R"sql(
CREATE TABLE IF NOT EXISTS api_keys(
  key_id TEXT PRIMARY KEY, user_id TEXT NOT NULL, tenancy_id TEXT NOT NULL, pem TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS api_key_times(key_id TEXT PRIMARY KEY, created INTEGER NOT NULL) WITHOUT ROWID;
)sql";

/// What every user shows besides the fields of all identity resources.
[[nodiscard]] nlohmann::json userFields();

struct StoredApiKey {
  std::string keyId, fingerprint, pem;
  long long created = 0;  // ms
};
std::vector<StoredApiKey> apiKeysOf(Transaction& transaction, const std::string& userId);
/// False when the tenancy's user has that key already.
bool saveApiKey(Transaction& transaction, const std::string& tenancyId, const std::string& userId,
                const std::string& fingerprint, const std::string& pem, TimePoint now);
void removeApiKey(Transaction& transaction, const std::string& keyId);

/// The user with its keys, tokens and memberships.
void removeUserWhole(Transaction& transaction, const std::string& userId);

struct AuthTokenHolder {
  Principal user;
  std::string tokenId;
};
/// The user to whom an auth token belongs, and which it is: the registry's log-in as `<namespace>/<user name>` with the token
/// as password (oci-rest-contract 5). Also with `Default/` before the name.
std::optional<AuthTokenHolder> findByAuthToken(Transaction& transaction, const std::string& nameSpace,
                                               const std::string& userName, const std::string& token);
/// What is kept of an auth token.
[[nodiscard]] std::string authTokenHash(const std::string& token);

}  // namespace lockstep::rehearsal
