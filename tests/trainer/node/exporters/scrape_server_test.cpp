// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/node/exporters/scrape_server.h"

#include <gtest/gtest.h>
#include <httplib.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>

#include "metrics/exporting/prometheus_text.h"
#include "trainer/node/exporters/scrape_request.h"

namespace lockstep::node {
namespace {

using namespace std::chrono_literals;

/// One that nobody listened at a moment ago.
int freePort() {
  const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  ::bind(socket, reinterpret_cast<sockaddr*>(&address), size);
  ::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size);
  ::close(socket);
  return ntohs(address.sin_port);
}

struct ScrapeServerTest : testing::Test {
  int port = freePort();
  std::atomic<int> asked{0};
  std::string text = "# TYPE a gauge\na{b=\"c\"} 1\n";
  std::unique_ptr<ScrapeServer> server = std::move(ScrapeServer::open({"127.0.0.1", port}, [this] {
                                           ++asked;
                                           return text;
                                         })).value();

  /// Connects and sends; the socket.
  [[nodiscard]] int sent(const std::string& bytes) const {
    const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    EXPECT_EQ(::connect(socket, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    EXPECT_EQ(::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL), static_cast<ssize_t>(bytes.size()));
    return socket;
  }
  /// All that comes until the server closes.
  static std::string answerOf(int socket) {
    std::string answer;
    char piece[4096];
    for (ssize_t got = 0; (got = ::recv(socket, piece, sizeof piece, 0)) > 0;)
      answer.append(piece, static_cast<std::size_t>(got));
    ::close(socket);
    return answer;
  }
};

TEST_F(ScrapeServerTest, AnswersAsAClientOfAnotherHandWantsIt) {
  httplib::Client client("127.0.0.1", port);
  for (int i = 0; i < 3; ++i) {
    const auto answer = client.Get("/metrics");
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->status, 200);
    EXPECT_EQ(answer->body, text);
    EXPECT_EQ(answer->get_header_value("Content-Type"), kPrometheusContentType);
  }
  EXPECT_EQ(client.Get("/metrics?name=x")->status, 200);
  EXPECT_EQ(client.Get("/")->status, 404);
  EXPECT_EQ(client.Get("/metrics/")->status, 404);
  EXPECT_EQ(client.Post("/metrics", "x", "text/plain")->status, 405);
  const auto head = client.Head("/metrics");
  ASSERT_TRUE(head);
  EXPECT_EQ(head->status, 200);
  EXPECT_EQ(head->body, "");
}

TEST_F(ScrapeServerTest, ALongTextComesWhole) {
  text = std::string(5 << 20, 'x') + "\n";
  httplib::Client client("127.0.0.1", port);
  const auto answer = client.Get("/metrics");
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->body.size(), text.size());
}

TEST_F(ScrapeServerTest, WhatIsNoRequestIsToldSo) {
  for (const char* wrong :
       {"hello\r\n\r\n", "GET /metrics\r\n\r\n", "GET  HTTP/1.1\r\n\r\n", "\r\n\r\n",
        "GET http://x/metrics HTTP/1.1\r\n\r\n", "GET /metrics HTTP/9.9\r\n\r\n", "PRI * HTTP/2.0\r\n\r\n"})
    EXPECT_TRUE(answerOf(sent(wrong)).starts_with("HTTP/1.1 400 ")) << wrong;
  EXPECT_EQ(asked, 0);
  EXPECT_TRUE(answerOf(sent("GET /" + std::string(20'000, 'a'))).starts_with("HTTP/1.1 400 ")) << "too long";
}

TEST_F(ScrapeServerTest, WhoGoesAwayOrIsSlowHoldsNobodyForLong) {
  const int silent = sent("");
  const int half = sent("GET /metr");
  ::close(sent("GET /metrics HTTP/1.1\r\n\r\n"));
  httplib::Client client("127.0.0.1", port);
  client.set_read_timeout(60, 0);  // behind the two, some seconds each
  const auto answer = client.Get("/metrics");
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 200);
  ::close(silent);
  ::close(half);
}

TEST_F(ScrapeServerTest, EndsWhileSomebodyIsConnected) {
  const int silent = sent("GET /metrics HTTP/1.1\r\n");
  const auto begin = std::chrono::steady_clock::now();
  server.reset();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 4s)
      << "it does not wait for the time limit of a request";
  ::close(silent);
}

TEST_F(ScrapeServerTest, APortThatIsTakenIsSaid) {
  const auto other = ScrapeServer::open({"127.0.0.1", port}, [] { return std::string(); });
  ASSERT_FALSE(other);
  EXPECT_NE(describe(other.error()).find(std::to_string(port)), std::string::npos);
  EXPECT_FALSE(ScrapeServer::open({"192.0.2.1", port}, [] { return std::string(); }))
      << "no address of this machine";
  EXPECT_FALSE(ScrapeServer::open({"nowhere", port}, [] { return std::string(); }));
}

TEST(ScrapeRequest, TheFirstLineDecides) {
  EXPECT_EQ(scrapeRequestFrom("GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n").status, 200);
  EXPECT_EQ(scrapeRequestFrom("GET /metrics HTTP/1.0\n\n").status, 200);
  EXPECT_FALSE(scrapeRequestFrom("HEAD /metrics HTTP/1.1\r\n\r\n").hasBody);
  EXPECT_EQ(scrapeRequestFrom("GET /a b HTTP/1.1\r\n\r\n").status, 400);
  EXPECT_EQ(scrapeRequestFrom("").status, 400);
}

}  // namespace
}  // namespace lockstep::node
