// SPDX-License-Identifier: GPL-3.0-or-later
#include "telling/tell_webhook.h"

#include <gtest/gtest.h>

#include <atomic>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/captured_process.h"
#include "http/curl_http_client.h"
#include "loopback_server.h"
#include "made_up_news.h"
#include "temp_dir.h"

namespace lockstep {
namespace {

struct TellWebhookTest : ::testing::Test {
  int status = 204;
  int failures = 0;  // 503 so often before
  LoopbackServer server{[this](const httplib::Request&, httplib::Response& response) {
    response.status = failures-- > 0 ? 503 : status;
  }};
  std::shared_ptr<HttpClient> http = makeCurlHttpClient();

  Result<void> tell(const std::string& path = "/hook?token=canary-secret") {
    return tellWebhook(*http, server.url() + path, newsOfFinding(), {});
  }
};

TEST_F(TellWebhookTest, PostsTheDocument) {
  ASSERT_TRUE(tell());
  ASSERT_EQ(server.seen().size(), 1U);
  const httplib::Request request = server.seen()[0];
  EXPECT_EQ(request.method, "POST");
  EXPECT_EQ(request.target, "/hook?token=canary-secret");
  EXPECT_EQ(request.get_header_value("Content-Type"), "application/json");
  EXPECT_EQ(nlohmann::json::parse(request.body).at("title"), "cifar: rank 3 is slow");
}

TEST_F(TellWebhookTest, AServerAtFaultIsAskedAgain) {
  failures = 2;
  EXPECT_TRUE(tell());
  EXPECT_EQ(server.seen().size(), 3U);
}

TEST_F(TellWebhookTest, ARefusalIsSaidWithoutTheAddress) {
  status = 403;
  const auto done = tell();
  ASSERT_FALSE(done);
  EXPECT_EQ(server.seen().size(), 1U);
  EXPECT_NE(describe(done.error()).find("403"), std::string::npos);
  EXPECT_EQ(describe(done.error()).find("canary"), std::string::npos) << describe(done.error());
}

TEST_F(TellWebhookTest, NobodyThereIsSaidWithoutTheAddress) {
  const auto done = tellWebhook(*http, "http://127.0.0.1:1/canary-secret", newsOfFinding(), {});
  ASSERT_FALSE(done);
  EXPECT_EQ(describe(done.error()).find("canary"), std::string::npos) << describe(done.error());
}

// A server that shows a certificate which nobody vouches for is not told, and not asked again.
TEST(TellWebhook, AServerThatCannotBeTrustedIsNotTold) {
  const TempDir temp;
  const std::string key = (temp.path() / "key.pem").string(),
                    certificate = (temp.path() / "own.pem").string();
  const auto made =
      runCaptured({"openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
                   "-nodes", "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout",
                   key, "-out", certificate},
                  std::chrono::seconds(30), {});
  ASSERT_TRUE(made && made->exit.ok()) << (made ? made->errors : describe(made.error()));
  httplib::SSLServer server(certificate.c_str(), key.c_str());
  std::atomic<int> told = 0;
  server.Post(".*", [&](const httplib::Request&, httplib::Response& response) {
    ++told;
    response.status = 200;
  });
  const int port = server.bind_to_any_port("127.0.0.1");
  std::jthread thread([&] { server.listen_after_bind(); });
  while (!server.is_running()) std::this_thread::yield();
  const std::string url = "https://127.0.0.1:" + std::to_string(port) + "/canary-secret";
  const auto begin = std::chrono::steady_clock::now();
  const auto refused = tellWebhook(*makeCurlHttpClient(), url, newsOfFinding(), {});
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(1400))
      << "it was asked again";
  EXPECT_EQ(told, 0);
  CurlOptions options;
  options.certificateBundle = certificate;
  const auto trusted = tellWebhook(*makeCurlHttpClient(options), url, newsOfFinding(), {});
  server.stop();
  ASSERT_FALSE(refused);
  EXPECT_NE(describe(refused.error()).find("cannot be trusted"), std::string::npos)
      << describe(refused.error());
  EXPECT_EQ(describe(refused.error()).find("canary"), std::string::npos) << describe(refused.error());
  EXPECT_TRUE(trusted) << describe(trusted.error());
  EXPECT_EQ(told, 1);
}

TEST(CheckWebhook, OnlyWhatNobodyElseCanRead) {
  EXPECT_TRUE(checkWebhook("https://hooks.example.com/services/T0/B0/x"));
  EXPECT_TRUE(checkWebhook("http://127.0.0.1:8080/x"));
  EXPECT_TRUE(checkWebhook("http://localhost/x"));
  for (const char* url :
       {"http://hooks.example.com/canary", "https://ann:canary@host/x", "ftp://host/canary", "canary", ""}) {
    const auto usable = checkWebhook(url);
    ASSERT_FALSE(usable) << url;
    EXPECT_EQ(describe(usable.error()).find("canary"), std::string::npos);
    EXPECT_NE(describe(usable.error()).find("https://"), std::string::npos);
  }
}

}  // namespace
}  // namespace lockstep
