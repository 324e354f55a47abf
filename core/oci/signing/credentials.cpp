// SPDX-License-Identifier: GPL-3.0-or-later
#include "oci/credentials.h"

#include <fmt/format.h>

#include "base/atomic_file.h"
#include "base/child_process.h"
#include "oci/private_key.h"
#include "oci/session_token.h"

namespace lockstep::oci {
namespace {

constexpr std::uint64_t kMaxTokenBytes = 1 << 20;

class ApiKey final : public Credentials {
 public:
  ApiKey(const Profile& profile, std::shared_ptr<EVP_PKEY> key)
      : identity_{fmt::format("{}/{}/{}", profile.tenancy, profile.user, profile.fingerprint),
                  std::move(key)} {
    const std::string actual = fingerprintOf(identity_.key.get());
    if (actual == profile.fingerprint) return;
    doubts_ = fmt::format("the profile '{}' says fingerprint {}, but the key '{}' has {}", profile.name,
                          profile.fingerprint, profile.keyFile.string(), actual);
  }
  Result<SigningIdentity> current() override { return identity_; }
  [[nodiscard]] std::string doubts() const override { return doubts_; }

 private:
  const SigningIdentity identity_;
  std::string doubts_;
};

/// The delegation token lies in a file that another program renews at any time.
class Delegated final : public Credentials {
 public:
  Delegated(std::shared_ptr<Credentials> inner, std::filesystem::path tokenFile)
      : inner_(std::move(inner)), tokenFile_(std::move(tokenFile)) {}

  Result<SigningIdentity> current() override {
    auto text = readFile(tokenFile_, kMaxTokenBytes);
    if (!text) {
      Status status = text.error();
      status.what = fmt::format("cannot read the delegation token '{}'", tokenFile_.string());
      status.remedy = "correct delegation_token_file in the profile";
      return failure(std::move(status));
    }
    auto identity = inner_->current();
    if (identity) identity->headers.emplace_back("opc-obo-token", trimmedToken(*text));
    return identity;
  }
  bool refresh(const std::string& refusedKeyId) override { return inner_->refresh(refusedKeyId); }
  [[nodiscard]] std::string doubts() const override {
    return "the delegation token may have ended; " + inner_->doubts();
  }
  [[nodiscard]] std::string wayOut() const override {
    return fmt::format("renew the delegation token '{}'", tokenFile_.string());
  }
  [[nodiscard]] std::string region() const override { return inner_->region(); }

 private:
  const std::shared_ptr<Credentials> inner_;
  const std::filesystem::path tokenFile_;
};

Result<std::shared_ptr<Credentials>> apiKey(const Profile& profile) {
  auto key = openPrivateKey(profile);
  if (!key) {
    Status status = key.error();
    status.where = fmt::format("{} [{}]", profile.configFile.string(), profile.name);
    return failure(std::move(status));
  }
  return std::make_shared<ApiKey>(profile, *key);
}

}  // namespace

Result<std::shared_ptr<Credentials>> delegated(std::shared_ptr<Credentials> inner,
                                               const std::filesystem::path& tokenFile) {
  auto credentials = std::make_shared<Delegated>(std::move(inner), tokenFile);
  if (auto identity = credentials->current(); !identity) return failure(identity.error());
  return credentials;
}

Result<std::shared_ptr<Credentials>> credentialsFor(const Profile& profile, const SigningIn& in) {
  SigningIn filled = in;
  if (filled.clock == nullptr) filled.clock = std::make_shared<SystemClock>();
  if (filled.environment.empty()) filled.environment = currentEnvironment();
  switch (profile.signIn) {
    case SignInKind::SecurityToken:
      return sessionToken(profile, filled);
    case SignInKind::ResourcePrincipal:
      return resourcePrincipal(filled.environment, filled.clock);
    case SignInKind::InstancePrincipal:
      return instancePrincipal(profile, filled);
    case SignInKind::InstanceDelegation: {
      auto instance = instancePrincipal(profile, filled);
      return instance ? delegated(*std::move(instance), profile.delegationTokenFile) : instance;
    }
    case SignInKind::ApiKey:
      break;
  }
  return apiKey(profile);
}

}  // namespace lockstep::oci
