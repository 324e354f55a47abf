// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>
#include <httplib.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <thread>

#include "base/atomic_file.h"
#include "http/curl_http_client.h"
#include "temp_dir.h"

namespace lockstep {
namespace {

using Key = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;
using Certificate = std::unique_ptr<X509, decltype(&X509_free)>;

// Signed by itself, for the given subject alternative name.
Certificate makeCertificate(EVP_PKEY* key, const char* name) {
  Certificate certificate(X509_new(), &X509_free);
  X509* x = certificate.get();
  X509_set_version(x, 2);
  ASN1_INTEGER_set(X509_get_serialNumber(x), 1);
  X509_gmtime_adj(X509_getm_notBefore(x), -3600);
  X509_gmtime_adj(X509_getm_notAfter(x), 3600);
  X509_set_pubkey(x, key);
  X509_NAME* subject = X509_get_subject_name(x);
  X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC,
                             reinterpret_cast<const unsigned char*>("lockstep test"), -1, -1, 0);
  X509_set_issuer_name(x, subject);
  X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, name);
  X509_add_ext(x, extension, -1);
  X509_EXTENSION_free(extension);
  X509_sign(x, key, EVP_sha256());
  return certificate;
}

class TlsServer {
 public:
  explicit TlsServer(const char* name)
      : key_(EVP_RSA_gen(2048), &EVP_PKEY_free),
        certificate_(makeCertificate(key_.get(), name)),
        server_(certificate_.get(), key_.get()) {
    server_.Get(
        "/x", [](const httplib::Request&, httplib::Response& out) { out.set_content("safe", "text/plain"); });
    server_.set_keep_alive_timeout(1);
    port_ = server_.bind_to_any_port("127.0.0.1");
    thread_ = std::thread([this] { server_.listen_after_bind(); });
    while (!server_.is_running()) std::this_thread::yield();
  }
  TlsServer(const TlsServer&) = delete;
  TlsServer& operator=(const TlsServer&) = delete;
  ~TlsServer() {
    server_.stop();
    thread_.join();
  }
  [[nodiscard]] std::string url() const { return "https://127.0.0.1:" + std::to_string(port_) + "/x"; }
  [[nodiscard]] std::string certificatePem() const {
    const std::unique_ptr<BIO, decltype(&BIO_free)> bio(BIO_new(BIO_s_mem()), &BIO_free);
    PEM_write_bio_X509(bio.get(), certificate_.get());
    char* data = nullptr;
    const long size = BIO_get_mem_data(bio.get(), &data);
    return {data, static_cast<std::size_t>(size)};
  }

 private:
  Key key_;
  Certificate certificate_;
  httplib::SSLServer server_;
  int port_ = 0;
  std::thread thread_;
};

Result<HttpResponse> get(const std::string& url, const std::string& bundle, HttpTrace& trace) {
  CurlOptions options;
  options.certificateBundle = bundle;
  HttpRequest request;
  request.url = url;
  request.trace = &trace;
  return makeCurlHttpClient(options)->send(request, {});
}

TEST(Tls, ACertificateThatNobodyVouchesForIsRefused) {
  const TlsServer server("IP:127.0.0.1");
  HttpTrace trace;
  const auto answer = get(server.url(), {}, trace);
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, StatusCode::Unavailable);
  EXPECT_NE(answer.error().what.find("cannot be trusted"), std::string::npos) << describe(answer.error());
  EXPECT_NE(answer.error().remedy.find("OCI_CLI_CERT_BUNDLE"), std::string::npos);
  EXPECT_TRUE(trace.untrusted);
  EXPECT_FALSE(trace.sent);
}

TEST(Tls, TheBundleNamesWhomToTrust) {
  const TlsServer server("IP:127.0.0.1");
  const TempDir dir;
  const std::string bundle = (dir.path() / "ca.pem").string();
  ASSERT_TRUE(writeFileAtomically(bundle, server.certificatePem()));
  HttpTrace trace;
  const auto answer = get(server.url(), bundle, trace);
  ASSERT_TRUE(answer) << describe(answer.error());
  EXPECT_EQ(answer->body, "safe");
  const auto none = get(server.url(), bundle + ".none", trace);
  ASSERT_FALSE(none);
  EXPECT_TRUE(trace.untrusted) << describe(none.error());
}

TEST(Tls, AnotherHostsCertificateIsRefused) {
  const TlsServer server("DNS:elsewhere.example");
  const TempDir dir;
  const std::string bundle = (dir.path() / "ca.pem").string();
  ASSERT_TRUE(writeFileAtomically(bundle, server.certificatePem()));
  HttpTrace trace;
  const auto answer = get(server.url(), bundle, trace);
  ASSERT_FALSE(answer);
  EXPECT_TRUE(trace.untrusted) << describe(answer.error());
}

}  // namespace
}  // namespace lockstep
