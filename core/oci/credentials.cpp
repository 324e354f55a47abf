// SPDX-License-Identifier: GPL-3.0-or-later
#include "oci/credentials.h"

#include <fmt/format.h>

#include <mutex>

#include "base/atomic_file.h"
#include "base/digest.h"
#include "base/time_text.h"
#include "oci/private_key.h"
#include "oci/session_token.h"

namespace lockstep::oci {
namespace {

constexpr std::uint64_t kMaxTokenBytes = 1 << 20;

Result<std::shared_ptr<EVP_PKEY>> keyOf(const Profile& profile) {
  if (!profile.keyContent.empty()) {
    return parsePrivateKey(profile.keyContent.reveal(), profile.passPhrase, "in OCI_CLI_KEY_CONTENT");
  }
  return readPrivateKey(profile.keyFile.string(), profile.passPhrase);
}

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

/// The token and its key lie in files that another program renews at any time.
class SessionToken final : public Credentials {
 public:
  explicit SessionToken(Profile profile) : profile_(std::move(profile)) {}

  Result<SigningIdentity> current() override {
    auto text = readFile(profile_.securityTokenFile, kMaxTokenBytes);
    if (!text) {
      Status status = text.error();
      status.what = fmt::format("cannot read the session token '{}'", profile_.securityTokenFile.string());
      status.remedy = logIn();
      return failure(std::move(status));
    }
    const std::string token = trimmedToken(*text);
    if (token.empty()) return ended("the file is empty");
    const auto expiry = expiryOfToken(token);
    if (expiry && *expiry < SystemClock().now()) return ended("it ended at " + toRfc3339(*expiry));
    const std::lock_guard lock(mutex_);
    const std::string digest = sha256(token);
    if (key_ == nullptr || digest != tokenDigest_) {  // a new log-in comes with a new key
      auto key = keyOf(profile_);
      if (!key) return failure(key.error());
      key_ = *key;
      tokenDigest_ = digest;
    }
    return SigningIdentity{"ST$" + token, key_};
  }

  bool refresh(const std::string& refusedKeyId) override {
    {
      const std::lock_guard lock(mutex_);
      key_.reset();
    }
    const auto identity = current();
    return identity && identity->keyId != refusedKeyId;
  }

  [[nodiscard]] std::string doubts() const override { return "the session may have been ended: " + logIn(); }

 private:
  [[nodiscard]] std::string logIn() const {
    return fmt::format("log in again with: oci session authenticate --profile-name {}", profile_.name);
  }
  [[nodiscard]] tl::unexpected<Status> ended(const std::string& cause) const {
    return failure(StatusCode::Unauthenticated,
                   fmt::format("the session token '{}' cannot be used", profile_.securityTokenFile.string()),
                   cause, logIn());
  }

  const Profile profile_;
  std::mutex mutex_;
  std::shared_ptr<EVP_PKEY> key_;
  std::string tokenDigest_;
};

}  // namespace

Result<std::shared_ptr<Credentials>> credentialsFor(const Profile& profile) {
  if (!profile.securityTokenFile.empty()) {
    auto credentials = std::make_shared<SessionToken>(profile);
    if (auto identity = credentials->current(); !identity) return failure(identity.error());
    return credentials;
  }
  auto key = keyOf(profile);
  if (!key) {
    Status status = key.error();
    status.where = fmt::format("{} [{}]", profile.configFile.string(), profile.name);
    return failure(std::move(status));
  }
  return std::make_shared<ApiKey>(profile, *key);
}

}  // namespace lockstep::oci
