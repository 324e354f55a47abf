// SPDX-License-Identifier: GPL-3.0-or-later
#include "oci/signing/credentials.h"

#include <fmt/format.h>

#include "base/atomic_file.h"
#include "base/child_process.h"
#include "base/text/trimmed.h"
#include "oci/signing/api_key_credentials.h"
#include "oci/signing/private_key.h"
#include "oci/signing/session_token.h"

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
      Error error = text.error();
      error.what = fmt::format("cannot read the delegation token '{}'", tokenFile_.string());
      error.remedy = "correct delegation_token_file in the profile";
      return failure(std::move(error));
    }
    auto identity = inner_->current();
    if (identity) identity->headers.emplace_back("opc-obo-token", trimmed(*text));
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

}  // namespace

Result<std::shared_ptr<Credentials>> apiKeyCredentials(const Profile& profile) {
  auto key = openPrivateKey(profile);
  if (!key) {
    Error error = key.error();
    error.where = fmt::format("{} [{}]", profile.configFile.string(), profile.name);
    return failure(std::move(error));
  }
  return std::make_shared<ApiKey>(profile, *key);
}

Result<std::shared_ptr<Credentials>> delegated(std::shared_ptr<Credentials> inner,
                                               const std::filesystem::path& tokenFile) {
  auto credentials = std::make_shared<Delegated>(std::move(inner), tokenFile);
  if (auto identity = credentials->current(); !identity) return failure(identity.error());
  return credentials;
}

}  // namespace lockstep::oci
