// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/iam/key_directory.h"

#include <mutex>

#include "rehearsal/state/resources.h"

namespace lockstep::rehearsal {

std::optional<KnownKey> KeyDirectory::find(const std::string& keyId, TimePoint now) {
  if (keyId.starts_with("ST$")) return readToken(keyId.substr(3), now);
  if (keyId.find("/fed-x509") != std::string::npos) return instances_.find(keyId, now);
  if (auto known = remembered(keyId)) return known;
  return findApiKey(keyId);
}

std::optional<KnownKey> KeyDirectory::findApiKey(const std::string& keyId) {
  const std::uint64_t age = age_;
  std::string pem;
  Principal principal;
  {
    Transaction transaction(database_);
    auto& select = transaction.sql("SELECT user_id, tenancy_id, pem FROM api_keys WHERE key_id = ?");
    select.bind(1, keyId);
    if (!select.executeStep()) return std::nullopt;
    principal = {Principal::Kind::User, select.getColumn(0).getString(), select.getColumn(1).getString(), ""};
    pem = select.getColumn(2).getString();
  }
  const auto key = readPublicPem(pem);
  if (!key) return std::nullopt;
  KnownKey known{*key, principal};
  remember(keyId, known, age);
  return known;
}

// Whom a token speaks for. Its user or instance may be gone before it expires.
std::optional<Principal> KeyDirectory::principalOf(const nlohmann::json& claims) {
  const std::string type = claims.value("ptype", "");
  if (claims.value("res_type", "") == kind::kJobRun)
    return Principal{Principal::Kind::JobRun, claims.value("res_id", ""), claims.value("res_tenant", ""),
                     claims.value("res_compartment", "")};
  const std::string id = claims.value("sub", "");
  const bool isUser = type == "user";
  if (!isUser && type != "instance") return std::nullopt;
  Transaction transaction(database_);
  const auto holder = findResource(transaction, isUser ? kind::kUser : kind::kInstance, id);
  if (!holder) return std::nullopt;
  if (isUser) return Principal{Principal::Kind::User, id, holder->compartment, ""};
  return Principal{Principal::Kind::Instance, id, claims.value("res_tenant", ""), holder->compartment};
}

// The token is checked at every request, since it expires; only its parsed key is remembered.
std::optional<KnownKey> KeyDirectory::readToken(const std::string& token, TimePoint now) {
  const std::uint64_t age = age_;
  const auto claims = tokens_.read(token, now);
  if (!claims) return std::nullopt;
  const auto principal = principalOf(*claims);
  if (!principal) return std::nullopt;
  const std::string pem = claims->value("session_key", "");
  if (auto known = remembered(pem)) return KnownKey{known->publicKey, *principal};
  const auto key = readPublicPem(pem);
  if (!key) return std::nullopt;
  KnownKey known{*key, *principal};
  remember(pem, known, age);
  return known;
}

void KeyDirectory::forgetAll() {
  const std::unique_lock lock(mutex_);
  ++age_;
  known_.clear();
}

std::optional<KnownKey> KeyDirectory::remembered(const std::string& keyId) {
  const std::shared_lock lock(mutex_);
  const auto found = known_.find(keyId);
  if (found == known_.end()) return std::nullopt;
  return found->second;
}

void KeyDirectory::remember(const std::string& keyId, const KnownKey& key, std::uint64_t age) {
  const std::unique_lock lock(mutex_);
  if (age != age_) return;
  if (known_.size() >= kMaxRemembered) known_.clear();
  known_[keyId] = key;
}

}  // namespace lockstep::rehearsal
