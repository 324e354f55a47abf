// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/iam/user_store.h"

#include <openssl/crypto.h>

#include "base/digest.h"
#include "base/text/encoding.h"
#include "rehearsal/iam/policy_scanner.h"

namespace lockstep::rehearsal {

nlohmann::json userFields() {
  return {{"isMfaActivated", false},
          {"capabilities",
           {{"canUseConsolePassword", false},
            {"canUseApiKeys", true},
            {"canUseAuthTokens", true},
            {"canUseSmtpCredentials", false},
            {"canUseDbCredentials", false},
            {"canUseCustomerSecretKeys", false},
            {"canUseOAuth2ClientCredentials", false}}}};
}

std::vector<StoredApiKey> apiKeysOf(Transaction& transaction, const std::string& userId) {
  auto& select = transaction.sql(
      "SELECT k.key_id, k.pem, COALESCE(t.created, u.created) FROM api_keys k LEFT JOIN api_key_times t ON "
      "t.key_id = k.key_id JOIN resources u ON u.id = k.user_id WHERE k.user_id = ? ORDER BY 3, 1");
  select.bind(1, userId);
  std::vector<StoredApiKey> keys;
  while (select.executeStep()) {
    StoredApiKey key{select.getColumn(0).getString(), "", select.getColumn(1).getString(),
                     select.getColumn(2).getInt64()};
    key.fingerprint = key.keyId.substr(key.keyId.rfind('/') + 1);
    keys.push_back(std::move(key));
  }
  return keys;
}

bool saveApiKey(Transaction& transaction, const std::string& tenancyId, const std::string& userId,
                const std::string& fingerprint, const std::string& pem, TimePoint now) {
  const std::string keyId = tenancyId + "/" + userId + "/" + fingerprint;
  auto& insert =
      transaction.sql("INSERT OR IGNORE INTO api_keys(key_id, user_id, tenancy_id, pem) VALUES(?,?,?,?)");
  insert.bind(1, keyId);
  insert.bind(2, userId);
  insert.bind(3, tenancyId);
  insert.bind(4, pem);
  if (insert.exec() == 0) return false;
  auto& time = transaction.sql("INSERT OR REPLACE INTO api_key_times(key_id, created) VALUES(?,?)");
  time.bind(1, keyId);
  time.bind(2, static_cast<int64_t>(toMillis(now)));
  time.exec();
  return true;
}

void removeApiKey(Transaction& transaction, const std::string& keyId) {
  for (const char* text :
       {"DELETE FROM api_keys WHERE key_id = ?", "DELETE FROM api_key_times WHERE key_id = ?"}) {
    auto& remove = transaction.sql(text);
    remove.bind(1, keyId);
    remove.exec();
  }
}

void removeUserWhole(Transaction& transaction, const std::string& userId) {
  for (const StoredApiKey& key : apiKeysOf(transaction, userId)) removeApiKey(transaction, key.keyId);
  for (const char* text : {"DELETE FROM resources WHERE kind = 'credential' AND parent = ?",
                           "DELETE FROM resources WHERE kind = 'groupmembership' AND name = ?"}) {
    auto& remove = transaction.sql(text);
    remove.bind(1, userId);
    remove.exec();
  }
  removeResource(transaction, userId);
}

std::string authTokenHash(const std::string& token) {
  return toHex(sha256("lockstep auth token\n" + token));
}

std::optional<AuthTokenHolder> findByAuthToken(Transaction& transaction, const std::string& nameSpace,
                                               const std::string& userName, const std::string& token) {
  constexpr std::string_view domain = "Default/";
  const std::string name =
      sameWord(userName.substr(0, domain.size()), domain) ? userName.substr(domain.size()) : userName;
  const std::string hash = authTokenHash(token);
  auto& select = transaction.sql(
      "SELECT u.id, u.compartment, json_extract(c.hidden, '$.hash'), c.id FROM resources t JOIN resources u "
      "ON "
      "u.kind = "
      "'user' AND u.compartment = t.id AND u.name = ? COLLATE NOCASE JOIN resources c ON c.kind = "
      "'credential' AND "
      "c.parent = u.id WHERE t.kind = 'tenancy' AND json_extract(t.hidden, '$.namespace') = ?");
  select.bind(1, name);
  select.bind(2, nameSpace);
  std::optional<AuthTokenHolder> found;
  while (select.executeStep()) {
    const std::string known = select.getColumn(2).getString();
    if (known.size() != hash.size() || CRYPTO_memcmp(known.data(), hash.data(), hash.size()) != 0) continue;
    AuthTokenHolder& holder = found.emplace();
    holder.user.id = select.getColumn(0).getString();
    holder.user.tenancyId = select.getColumn(1).getString();
    holder.tokenId = select.getColumn(3).getString();
  }
  return found;
}

}  // namespace lockstep::rehearsal
