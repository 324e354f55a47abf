// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/identity/key_directory.h"

#include <mutex>

namespace lockstep::rehearsal {

std::optional<KnownKey> KeyDirectory::find(const std::string& keyId, TimePoint now) {
  if (keyId.starts_with("ST$")) return readToken(keyId.substr(3), now);
  if (auto known = remembered(keyId)) return known;
  return findApiKey(keyId);
}

std::optional<KnownKey> KeyDirectory::findApiKey(const std::string& keyId) {
  std::string pem;
  Principal principal;
  {
    Session session(database_);
    auto& select = session.sql("SELECT user_id, tenancy_id, pem FROM api_keys WHERE key_id = ?");
    select.bind(1, keyId);
    if (!select.executeStep()) return std::nullopt;
    principal = {Principal::Kind::User, select.getColumn(0).getString(), select.getColumn(1).getString(), ""};
    pem = select.getColumn(2).getString();
  }
  const auto key = readPublicPem(pem);
  if (!key) return std::nullopt;
  KnownKey known{*key, principal};
  remember(keyId, known);
  return known;
}

// The token is checked at every request, since it expires; only its parsed key is remembered.
std::optional<KnownKey> KeyDirectory::readToken(const std::string& token, TimePoint now) {
  const auto claims = tokens_.read(token, now);
  if (!claims || claims->value("res_type", "") != "datasciencejobrun") return std::nullopt;
  const std::string pem = claims->value("session_key", "");
  Principal principal{Principal::Kind::JobRun, claims->value("res_id", ""), claims->value("res_tenant", ""),
                      claims->value("res_compartment", "")};
  if (auto known = remembered(pem)) return KnownKey{known->publicKey, principal};
  const auto key = readPublicPem(pem);
  if (!key) return std::nullopt;
  KnownKey known{*key, principal};
  remember(pem, known);
  return known;
}

std::optional<KnownKey> KeyDirectory::remembered(const std::string& keyId) {
  const std::shared_lock lock(mutex_);
  const auto found = known_.find(keyId);
  if (found == known_.end()) return std::nullopt;
  return found->second;
}

void KeyDirectory::remember(const std::string& keyId, const KnownKey& key) {
  const std::unique_lock lock(mutex_);
  if (known_.size() >= kMostRemembered) known_.clear();
  known_[keyId] = key;
}

}  // namespace lockstep::rehearsal
