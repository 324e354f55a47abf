// SPDX-License-Identifier: GPL-3.0-or-later
// Session tokens of `oci session authenticate` (oci-rest-contract 1.5).
#include <fmt/format.h>

#include <mutex>
#include <nlohmann/json.hpp>

#include "base/atomic_file.h"
#include "base/digest.h"
#include "base/text/trimmed.h"
#include "base/time_text.h"
#include "oci/signin/auth_service.h"
#include "oci/signin/sign_in.h"
#include "oci/signing/credentials.h"
#include "oci/signing/request_signer.h"
#include "oci/signing/session_token.h"

namespace lockstep::oci {
namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t kMaxTokenBytes = 1 << 20;
constexpr auto kRenewBefore = 5min;
constexpr auto kTryAgainAfter = 60s;  // when a renewal did not come about
constexpr const char* kRenewal = "RefreshSessionToken";

/// The token and its key lie in files that another program renews at any time.
class SessionToken final : public Credentials {
 public:
  SessionToken(Profile profile, SigningIn in) : profile_(std::move(profile)), in_(std::move(in)) {}

  Result<SigningIdentity> current() override {
    auto identity = read();
    if (!identity || in_.http == nullptr) return identity;
    const auto expiry = expiryOfToken(identity->keyId);
    if (!expiry || *expiry - in_.clock->now() > kRenewBefore) return identity;
    // One thread renews; the others go on with what is good for some minutes yet.
    const std::unique_lock renewing(renewal_, std::try_to_lock);
    if (!renewing.owns_lock() || in_.clock->steady() < nextRenewal_) return identity;
    nextRenewal_ = in_.clock->steady() + kTryAgainAfter;
    return renew(*identity) ? read() : identity;
  }

  bool refresh(const std::string& refusedKeyId) override {
    {
      const std::lock_guard lock(mutex_);
      key_.reset();
    }
    const auto identity = read();
    return identity && identity->keyId != refusedKeyId;
  }

  [[nodiscard]] std::string doubts() const override {
    const std::lock_guard lock(mutex_);
    const std::string session = fmt::format("the session of the profile '{}' ", profile_.name);
    return session + (notRenewed_.empty() ? "is no longer accepted" : "was not renewed: " + notRenewed_);
  }
  [[nodiscard]] std::string wayOut() const override { return logIn(); }

 private:
  Result<SigningIdentity> read() {
    auto text = readFile(profile_.securityTokenFile, kMaxTokenBytes);
    if (!text) {
      Error error = text.error();
      error.what = fmt::format("cannot read the session token '{}'", profile_.securityTokenFile.string());
      error.remedy = logIn();
      return failure(std::move(error));
    }
    const std::string token(trimmed(*text));
    if (token.empty()) return ended("the file is empty");
    const auto expiry = expiryOfToken(token);
    if (expiry && *expiry < in_.clock->now()) return ended("it ended at " + toRfc3339(*expiry));
    const std::lock_guard lock(mutex_);
    const std::string digest = sha256(token);
    if (key_ == nullptr || digest != tokenDigest_) {  // a new log-in comes with a new key
      auto key = openPrivateKey(profile_);
      if (!key) return failure(key.error());
      key_ = *key;
      tokenDigest_ = digest;
    }
    return SigningIdentity{"ST$" + token, key_};
  }

  // True when the file has a new token.
  bool renew(const SigningIdentity& identity) {
    const std::string url = authUrl(profile_, regionFor(profile_.region, in_.environment));
    HttpRequest request{"POST", url + "/v1/authentication/refresh", {}, {}};
    request.body = nlohmann::json{{"currentToken", identity.keyId.substr(3)}}.dump();
    request.timeout = 20s;
    auto done = signRequest(request, identity, in_.clock->now(), BodySigning::Signed);
    if (!done) return notRenewed(done.error());
    const auto answer = askForToken(in_, request, kRenewal);
    if (!answer) return notRenewed(answer.error());
    if (answer->status == 401) return notRenewed("the service renews it no more");
    const auto token = tokenOf(*answer, kRenewal);
    if (!token) return notRenewed(token.error());
    done = writeFileAtomically(profile_.securityTokenFile, *token, 0600);
    if (!done) return notRenewed(done.error());
    const std::lock_guard lock(mutex_);
    notRenewed_.clear();
    tokenDigest_ = sha256(*token);  // a renewed token is for the same key
    return true;
  }

  bool notRenewed(const Error& why) {
    return notRenewed(why.cause.empty() ? why.what : why.what + ": " + why.cause);
  }
  bool notRenewed(std::string why) {
    const std::lock_guard lock(mutex_);
    notRenewed_ = std::move(why);
    return false;
  }

  [[nodiscard]] std::string logIn() const {
    return fmt::format("log in again with: oci session authenticate --profile-name {}", profile_.name);
  }
  [[nodiscard]] tl::unexpected<Error> ended(std::string cause) const {
    {
      const std::lock_guard lock(mutex_);
      if (!notRenewed_.empty()) cause += "; " + notRenewed_;
    }
    return failure(ErrorCode::Unauthenticated,
                   fmt::format("the session token '{}' cannot be used", profile_.securityTokenFile.string()),
                   cause, logIn());
  }

  const Profile profile_;
  const SigningIn in_;
  std::mutex renewal_;
  SteadyPoint nextRenewal_ = SteadyPoint::min();  // guarded by renewal_
  mutable std::mutex mutex_;
  std::shared_ptr<EVP_PKEY> key_;
  std::string tokenDigest_;
  std::string notRenewed_;
};

}  // namespace

Result<std::shared_ptr<Credentials>> sessionToken(const Profile& profile, const SigningIn& in) {
  auto credentials = std::make_shared<SessionToken>(profile, in);
  if (auto identity = credentials->current(); !identity) return failure(identity.error());
  return credentials;
}

}  // namespace lockstep::oci
