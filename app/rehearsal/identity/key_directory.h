// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <map>
#include <shared_mutex>

#include "rehearsal/identity/signature_verifier.h"
#include "rehearsal/identity/tokens.h"
#include "rehearsal/state/database.h"

namespace lockstep::rehearsal {

/// The keys that the region knows: API keys of its users, and the session keys inside the tokens that it
/// issued. Parsed keys are kept, since parsing costs more than verifying.
class KeyDirectory final : public KeyFinder {
 public:
  KeyDirectory(Database& database, const TokenIssuer& tokens) : database_(database), tokens_(tokens) {}
  std::optional<KnownKey> find(const std::string& keyId, TimePoint now) override;

 private:
  std::optional<KnownKey> findApiKey(const std::string& keyId);
  std::optional<KnownKey> readToken(const std::string& token, TimePoint now);
  std::optional<KnownKey> remembered(const std::string& keyId);
  void remember(const std::string& keyId, const KnownKey& key);

  static constexpr std::size_t kMostRemembered = 4096;
  Database& database_;
  const TokenIssuer& tokens_;
  std::shared_mutex mutex_;
  std::map<std::string, KnownKey> known_;
};

}  // namespace lockstep::rehearsal
