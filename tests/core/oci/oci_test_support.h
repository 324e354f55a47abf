// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <openssl/pem.h>

#include <memory>
#include <string>

#include "base/atomic_file.h"
#include "fake_clock.h"
#include "http/curl_http_client.h"
#include "loopback_server.h"
#include "oci/calls/service_client.h"
#include "oci/signing/private_key.h"

namespace lockstep::oci {

inline const std::string kSigningData = std::string(LOCKSTEP_TEST_DATA) + "/signing";
inline const std::string kSampleFingerprint = "73:61:a2:21:67:e0:df:be:7e:4b:93:1e:15:98:a5:b7";

inline std::string samplePem() {
  return *readFile(kSigningData + "/published_sample.pem");
}

inline std::shared_ptr<EVP_PKEY> sampleKey() {
  return *readPrivateKey(kSigningData + "/published_sample.pem", Secret());
}

/// The key as PEM text of another form.
enum class PemForm { Pkcs8, EncryptedPkcs8, EncryptedTraditional, Public };
inline std::string pemOf(EVP_PKEY* key, PemForm form, std::string phrase = {}) {
  const std::unique_ptr<BIO, decltype(&BIO_free)> bio(BIO_new(BIO_s_mem()), &BIO_free);
  auto* secret = reinterpret_cast<unsigned char*>(phrase.data());
  const int size = static_cast<int>(phrase.size());
  switch (form) {
    case PemForm::Pkcs8:
      PEM_write_bio_PKCS8PrivateKey(bio.get(), key, nullptr, nullptr, 0, nullptr, nullptr);
      break;
    case PemForm::EncryptedPkcs8:
      PEM_write_bio_PKCS8PrivateKey(bio.get(), key, EVP_aes_256_cbc(), phrase.data(), size, nullptr, nullptr);
      break;
    case PemForm::EncryptedTraditional:
      PEM_write_bio_PrivateKey_traditional(bio.get(), key, EVP_aes_128_cbc(), secret, size, nullptr, nullptr);
      break;
    case PemForm::Public:
      PEM_write_bio_PUBKEY(bio.get(), key);
      break;
  }
  char* data = nullptr;
  const long length = BIO_get_mem_data(bio.get(), &data);
  return {data, static_cast<std::size_t>(length)};
}

/// Credentials that are what the test says, and count how often they are asked.
class FixedCredentials final : public Credentials {
 public:
  Result<SigningIdentity> current() override {
    ++asked;
    return SigningIdentity{keyId, sampleKey()};
  }
  bool refresh(const std::string& refused) override {
    ++refreshed;
    if (nextKeyId.empty()) return false;
    keyId = nextKeyId;
    return keyId != refused;
  }
  [[nodiscard]] std::string doubts() const override { return doubt; }

  std::string keyId = "t/u/f";
  std::string nextKeyId;
  std::string doubt;
  std::atomic<int> asked{0};
  std::atomic<int> refreshed{0};
};

/// A service client on a server of the test, with a clock that costs no time.
struct TestService {
  explicit TestService(const std::string& endpoint) {
    ServiceClient::Setup setup;
    setup.endpoint = endpoint;
    setup.credentials = credentials;
    setup.http = makeCurlHttpClient();
    setup.clock = clock;
    client = std::make_shared<ServiceClient>(std::move(setup));
  }
  std::shared_ptr<FakeClock> clock = std::make_shared<FakeClock>();
  std::shared_ptr<FixedCredentials> credentials = std::make_shared<FixedCredentials>();
  std::shared_ptr<ServiceClient> client;
};

inline void refuseWith(httplib::Response& out, int status, const std::string& code,
                       const std::string& message) {
  out.status = status;
  out.set_header("opc-request-id", "SERVER/ID/1");
  out.set_content(R"({"code":")" + code + R"(","message":")" + message + R"("})", "application/json");
}

inline ServiceCall getCall(std::string path = "/20190101/jobs/j") {
  ServiceCall call;
  call.operation = "GetJob";
  call.path = std::move(path);
  return call;
}

/// Fails `failures` times, then answers.
inline LoopbackServer::Handler failingAtFirst(int failures, int status, std::string code,
                                              std::atomic<int>& count) {
  return [=, &count](const httplib::Request&, httplib::Response& out) {
    if (count++ < failures) return refuseWith(out, status, code, "not now");
    out.set_content("{}", "application/json");
  };
}

}  // namespace lockstep::oci
