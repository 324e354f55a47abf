// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <atomic>
#include <map>
#include <shared_mutex>

#include "rehearsal/api/principal.h"
#include "rehearsal/iam/instance_identities.h"
#include "rehearsal/iam/tokens.h"
#include "rehearsal/state/database.h"

namespace lockstep::rehearsal {

/// The keys that the region knows: API keys of its users, the session keys inside the tokens that it issued,
/// and the certificates of its instances (oci-rest-contract 1.2). Parsed keys are kept, since parsing costs
/// more than verifying. Thread-safe.
class KeyDirectory final : public KeyFinder {
 public:
  KeyDirectory(Database& database, const TokenIssuer& tokens, const InstanceIdentities& instances)
      : database_(database), tokens_(tokens), instances_(instances) {}
  std::optional<KnownKey> find(const std::string& keyId, TimePoint now) override;

  /// To be called after a key or a user was removed: from then on nothing signed with it is accepted.
  void forgetAll();

 private:
  std::optional<KnownKey> findApiKey(const std::string& keyId);
  std::optional<KnownKey> readToken(const std::string& token, TimePoint now);
  [[nodiscard]] std::optional<Principal> principalOf(const nlohmann::json& claims);
  std::optional<KnownKey> remembered(const std::string& keyId);
  void remember(const std::string& keyId, const KnownKey& key, std::uint64_t age);

  static constexpr std::size_t kMaxRemembered = 4096;
  Database& database_;
  const TokenIssuer& tokens_;
  const InstanceIdentities& instances_;
  std::shared_mutex mutex_;
  std::map<std::string, KnownKey> known_;
  std::atomic<std::uint64_t> age_{
      0};  // how often all was forgotten: a key read before that is not kept after it
};

}  // namespace lockstep::rehearsal
