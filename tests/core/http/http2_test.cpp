// SPDX-License-Identifier: GPL-3.0-or-later
// Against a real HTTP/2 server, nghttpd, with a certificate that is made here.
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <thread>

#include "base/atomic_file.h"
#include "base/child_process.h"
#include "http/curl_http_client.h"
#include "loopback_server.h"
#include "temp_dir.h"
#include "test_certificate.h"

namespace lockstep {
namespace {

constexpr const char* kServer = "/usr/sbin/nghttpd";

class TextBody final : public BodySource {
 public:
  explicit TextBody(std::string text) : text_(std::move(text)) {}
  [[nodiscard]] std::uint64_t size() const override { return text_.size(); }
  Result<std::size_t> read(std::uint64_t offset, char* to, std::size_t max) override {
    const std::size_t count = std::min(max, text_.size() - static_cast<std::size_t>(offset));
    std::memcpy(to, text_.data() + offset, count);
    return count;
  }

 private:
  const std::string text_;
};

class Http2Test : public ::testing::Test {
 protected:
  void SetUp() override {
    if (::access(kServer, X_OK) != 0) GTEST_SKIP() << "no nghttpd: install nghttp2-server";
    const TestKey key(EVP_RSA_gen(2048), &EVP_PKEY_free);
    const TestCertificate certificate = makeCertificate(key.get(), "IP:127.0.0.1");
    ASSERT_TRUE(writeFileAtomically(path("key.pem"), pemOf(key.get()), 0600));
    ASSERT_TRUE(writeFileAtomically(path("ca.pem"), pemOf(certificate.get())));
    std::filesystem::create_directory(path("www"));
    ASSERT_TRUE(writeFileAtomically(path("www/x.txt"), "over two"));
    port_ = std::to_string(closedPort());
    ProcessOptions options;
    options.command = {kServer, "--address=127.0.0.1", "--echo-upload", "-d", path("www"),
                       port_,   path("key.pem"),       path("ca.pem")};
    options.dieWithParent = true;
    auto started = ChildProcess::start(options);
    ASSERT_TRUE(started) << describe(started.error());
    server_.emplace(*std::move(started));
    CurlOptions trusting;
    trusting.certificateBundle = path("ca.pem");
    client_ = makeCurlHttpClient(trusting);
    for (int i = 0; i < 200; ++i) {
      if (client_->send(request("GET", "/x.txt"), {})) return;
      ASSERT_FALSE(server_->poll()) << "nghttpd did not start";
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    FAIL() << "nghttpd does not answer";
  }
  void TearDown() override {
    if (!server_) return;
    server_->signalAll(SIGTERM);
    if (!server_->waitFor(std::chrono::seconds(10))) server_->signalAll(SIGKILL);
  }
  [[nodiscard]] std::string path(const std::string& name) const { return (dir_.path() / name).string(); }
  [[nodiscard]] HttpRequest request(const std::string& method, const std::string& target) const {
    HttpRequest r;
    r.method = method;
    r.url = "https://127.0.0.1:" + port_ + target;
    r.headers = {{"host", "127.0.0.1:" + port_}, {"date", "Thu, 05 Jan 2014 21:31:40 GMT"}};
    return r;
  }

  TempDir dir_;
  std::string port_;
  std::optional<ChildProcess> server_;
  std::shared_ptr<HttpClient> client_;
};

TEST_F(Http2Test, IsSpokenWhereItIsOffered) {
  const auto answer = client_->send(request("GET", "/x.txt"), {});
  ASSERT_TRUE(answer) << describe(answer.error());
  EXPECT_EQ(answer->version, 20);
  EXPECT_EQ(answer->status, 200);
  EXPECT_EQ(answer->body, "over two");
  EXPECT_FALSE(headerValue(answer->headers, "Content-Length").empty());
  const auto missing = client_->send(request("GET", "/none"), {});
  ASSERT_TRUE(missing);
  EXPECT_EQ(missing->status, 404);
  const auto head = client_->send(request("HEAD", "/x.txt"), {});
  ASSERT_TRUE(head);
  EXPECT_EQ(head->status, 200);
  EXPECT_EQ(head->body, "");
}

TEST_F(Http2Test, TakesBodiesFromMemoryAndFromSources) {
  const std::string text(400'000, 'u');
  for (const bool streamed : {false, true}) {
    HttpRequest r = request("POST", "/echo");
    if (streamed) {
      r.source = std::make_shared<TextBody>(text);
    } else {
      r.body = text;
    }
    const auto answer = client_->send(r, {});
    ASSERT_TRUE(answer) << describe(answer.error());
    EXPECT_EQ(answer->version, 20);
    EXPECT_EQ(answer->body, text);
  }
}

TEST_F(Http2Test, HandsOutItsAnswerPieceByPiece) {
  ASSERT_TRUE(writeFileAtomically(path("www/large"), std::string(2'000'000, 'l')));
  std::size_t got = 0;
  HttpRequest r = request("GET", "/large");
  r.receive = [&](std::string_view piece) {
    got += piece.size();
    return true;
  };
  ASSERT_TRUE(client_->send(r, {}));
  EXPECT_EQ(got, 2'000'000U);
}

TEST_F(Http2Test, ServesManyThreads) {
  std::atomic<int> right{0};
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 6; ++t) {
      threads.emplace_back([&] {
        for (int i = 0; i < 20; ++i) {
          const auto answer = client_->send(request("GET", "/x.txt"), {});
          if (answer && answer->version == 20 && answer->body == "over two") ++right;
        }
      });
    }
  }
  EXPECT_EQ(right, 120);
}

TEST_F(Http2Test, PlainHttpStaysOneDotOne) {
  LoopbackServer plain(
      [](const httplib::Request&, httplib::Response& out) { out.set_content("x", "text/plain"); });
  HttpRequest r;
  r.url = plain.url() + "/x";
  const auto answer = client_->send(r, {});
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->version, 11);
  EXPECT_FALSE(plain.seen().at(0).has_header("upgrade"));
}

}  // namespace
}  // namespace lockstep
