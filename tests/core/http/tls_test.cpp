// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>
#include <httplib.h>

#include <thread>

#include "base/atomic_file.h"
#include "http/curl_http_client.h"
#include "temp_dir.h"
#include "test_certificate.h"

namespace lockstep {
namespace {

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
  [[nodiscard]] std::string certificatePem() const { return pemOf(certificate_.get()); }

 private:
  TestKey key_;
  TestCertificate certificate_;
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
  EXPECT_EQ(answer.error().code, ErrorCode::Unavailable);
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
