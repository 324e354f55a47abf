// SPDX-License-Identifier: GPL-3.0-or-later
// Instance principals (oci-rest-contract 1.7).
#include <fmt/format.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>

#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>

#include "base/digest.h"
#include "base/text/encoding.h"
#include "base/time_text.h"
#include "http/url.h"
#include "oci/calls/regions.h"
#include "oci/signin/auth_service.h"
#include "oci/signin/instance_metadata.h"
#include "oci/signin/sign_in.h"
#include "oci/signing/credentials.h"
#include "oci/signing/private_key.h"
#include "oci/signing/session_token.h"

namespace lockstep::oci {
namespace {

using namespace std::chrono_literals;
using Key = std::shared_ptr<EVP_PKEY>;

constexpr auto kRenewBefore = 5min;
constexpr int kAttempts = 3;
constexpr const char* kOperation = "CreateInstanceToken";
constexpr const char* kWhat = "cannot sign in as an instance principal";

std::string publicPem(EVP_PKEY* key) {
  const std::unique_ptr<BIO, decltype(&BIO_free)> bio(BIO_new(BIO_s_mem()), &BIO_free);
  PEM_write_bio_PUBKEY(bio.get(), key);
  char* data = nullptr;
  const long size = BIO_get_mem_data(bio.get(), &data);
  return {data, static_cast<std::size_t>(size)};
}

// Signs without the host, as Oracle's Go and Python SDKs do for this one request.
Result<void> signFederation(HttpRequest& request, const std::string& keyId, EVP_PKEY* leafKey,
                            TimePoint now) {
  const auto url = parseUrl(request.url);
  if (!url) return failure(url.error());
  request.headers = {{"date", toRfc1123(now)},
                     {"content-length", std::to_string(request.body.size())},
                     {"content-type", "application/json"},
                     {"x-content-sha256", toBase64(sha256(request.body))}};
  const std::string text = fmt::format(
      "date: {}\n(request-target): post {}\ncontent-length: {}\ncontent-type: {}\nx-content-sha256: {}",
      request.headers[0].second, url->target, request.headers[1].second, request.headers[2].second,
      request.headers[3].second);
  const auto signature = signBase64(leafKey, text);
  if (!signature) return failure(signature.error());
  request.headers.emplace_back(
      "authorization",
      fmt::format(R"(Signature version="1",headers="date (request-target) content-length content-type )"
                  R"(x-content-sha256",keyId="{}",algorithm="rsa-sha256",signature="{}")",
                  keyId, *signature));
  return {};
}

class InstancePrincipal final : public Credentials {
 public:
  InstancePrincipal(Profile profile, SigningIn in) : profile_(std::move(profile)), in_(std::move(in)) {}

  Result<SigningIdentity> current() override {
    const std::lock_guard lock(mutex_);
    const TimePoint now = in_.clock->now();
    const bool isFresh = identity_.key != nullptr && (!expiry_ || now + kRenewBefore < *expiry_);
    if (isFresh) return identity_;
    auto done = load();
    if (done) return identity_;
    const bool isGoodYet = identity_.key != nullptr && expiry_ && now < *expiry_;
    return isGoodYet ? Result<SigningIdentity>(identity_) : failure(done.error());
  }

  bool refresh(const std::string& refusedKeyId) override {
    const std::lock_guard lock(mutex_);
    return load() && identity_.keyId != refusedKeyId;
  }

  [[nodiscard]] std::string doubts() const override {
    return "the token of this instance has ended and could not be replaced, no dynamic group matches the "
           "instance, or no policy names its group";
  }
  [[nodiscard]] std::string wayOut() const override {
    return "look at the dynamic groups and policies for this instance, and at its clock";
  }
  [[nodiscard]] std::string region() const override {
    const std::lock_guard lock(mutex_);
    return region_;
  }

 private:
  Result<void> load() {
    auto metadata = readInstanceMetadata(in_);  // the certificate rotates
    if (!metadata) return failure(metadata.error());
    if (!tenancyId_.empty() && metadata->tenancyId != tenancyId_) {
      return failure(ErrorCode::PermissionDenied, kWhat,
                     fmt::format("the instance's certificate is now of the tenancy '{}', not of '{}'",
                                 metadata->tenancyId, tenancyId_));
    }
    auto leafKey = parsePrivateKey(metadata->key.reveal(), Secret(), "of this instance");
    if (!leafKey) return failure(leafKey.error());
    const Key sessionKey(EVP_RSA_gen(2048), &EVP_PKEY_free);
    if (sessionKey == nullptr)
      return failure(ErrorCode::Internal, kWhat, "OpenSSL cannot make a session key");
    auto token = federate(*metadata, leafKey->get(), sessionKey.get());
    if (!token) return failure(token.error());
    tenancyId_ = metadata->tenancyId;
    region_ = metadata->region;
    expiry_ = expiryOfToken(*token);
    identity_ = {"ST$" + *token, sessionKey};
    return {};
  }

  [[nodiscard]] Region regionOf(const InstanceMetadata& metadata) const {
    Region region = regionFor(metadata.region, in_.environment);
    if (region.realm.empty() && !metadata.realmDomain.empty()) region.domain = metadata.realmDomain;
    return region;
  }

  Result<std::string> federate(const InstanceMetadata& metadata, EVP_PKEY* leafKey, EVP_PKEY* sessionKey) {
    HttpRequest request{"POST", authUrl(profile_, regionOf(metadata)) + "/v1/x509", {}, {}};
    request.timeout = 20s;
    request.body = nlohmann::ordered_json{
        {"certificate", withoutArmor(metadata.certificate)},
        {"publicKey", withoutArmor(publicPem(sessionKey))},
        {"intermediateCertificates", {withoutArmor(metadata.intermediate)}},
        {"purpose", "DEFAULT"},
        {"fingerprintAlgorithm",
         "SHA256"}}.dump();
    const std::string keyId = fmt::format("{}/fed-x509-sha256/{}", metadata.tenancyId, metadata.fingerprint);
    for (int attempt = 1;; ++attempt) {
      if (auto done = signFederation(request, keyId, leafKey, in_.clock->now()); !done)
        return failure(done.error());
      const auto answer = askForToken(in_, request, kOperation);
      const bool isFinal = attempt == kAttempts || (answer && answer->status < 500);
      if (isFinal) return answer ? tokenOf(*answer, kOperation) : failure(answer.error());
      in_.clock->sleepFor(1s, {});
    }
  }

  const Profile profile_;
  const SigningIn in_;
  mutable std::mutex mutex_;
  SigningIdentity identity_;
  std::optional<TimePoint> expiry_;
  std::string tenancyId_, region_;
};

}  // namespace

Result<std::shared_ptr<Credentials>> instancePrincipal(const Profile& profile, const SigningIn& in) {
  if (in.http == nullptr) {
    return failure(ErrorCode::FailedPrecondition, kWhat, "that needs the network, and nothing may be sent",
                   "use a profile with an API key or a session token for this");
  }
  auto principal = std::make_shared<InstancePrincipal>(profile, in);
  if (auto identity = principal->current(); !identity) return failure(identity.error());
  return principal;
}

}  // namespace lockstep::oci
