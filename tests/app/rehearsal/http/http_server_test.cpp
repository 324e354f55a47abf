// SPDX-License-Identifier: GPL-3.0-or-later
// The server itself, over real sockets: what a caller can do wrong, slowly or too much.
#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <mutex>
#include <random>
#include <thread>

#include "rehearsal/api/service_hosts.h"
#include "rehearsal/crypto/certificates.h"
#include "rehearsal/crypto/quick_rsa_key.h"
#include "rehearsal/http/http_server.h"
#include "temp_dir.h"

namespace lockstep::rehearsal {
namespace {

using namespace std::chrono_literals;

class NoKeys final : public KeyFinder {
 public:
  std::optional<KnownKey> find(const std::string&, TimePoint) override { return std::nullopt; }
};

/// A server over an admin router with a few operations of its own.
class HttpServerTest : public ::testing::Test {
 protected:
  HttpServerTest() {
    ::signal(SIGPIPE, SIG_IGN);
    admin_.add("GET", "/rehearsal/echo", "Echo", [](const Call& call) {
      Response response;
      response.body = call.request.method + " " + call.request.target;
      response.headers.emplace_back("x-seen", call.header("x-sent").value_or(""));
      return OperationResult(response);
    });
    admin_.add("HEAD", "/rehearsal/echo", "EchoHead", [](const Call&) {
      Response response;
      response.body = "twelve bytes";
      return OperationResult(response);
    });
    admin_.add("POST", "/rehearsal/size", "Size", [](const Call& call) {
      Response response;
      response.body = std::to_string(call.request.body.size());
      return OperationResult(response);
    });
    admin_.add("GET", "/rehearsal/delivery", "Deliver", [this](const Call&) {
      Response response;
      response.body = std::string(1000, 'x');
      const std::lock_guard lock(deliveryMutex_);
      response.delivery = delivery_;
      return OperationResult(response);
    });
    limits_.headTimeout = 300ms;
    limits_.maxBody = 100'000;
  }
  ~HttpServerTest() override {
    if (httpServer_) httpServer_->stop();
  }

  void start() {
    dispatcher_ = std::make_unique<Dispatcher>(
        DispatcherParts{services_, admin_, "secret", keys_, std::make_shared<SystemClock>(), nullptr, {}});
    httpServer_ = std::make_unique<HttpServer>(*dispatcher_, limits_);
    const auto port = httpServer_->bind(0);
    ASSERT_TRUE(port);
    port_ = *port;
    server_ = std::jthread([this] { httpServer_->serve(); });
  }

  [[nodiscard]] int connectTo(int port, int room = 0) const {
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (room > 0) ::setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &room, sizeof room);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    return fd;
  }
  static void sendText(int fd, std::string_view text) {
    while (!text.empty()) {
      const ssize_t n = ::send(fd, text.data(), text.size(), MSG_NOSIGNAL);
      if (n <= 0) return;
      text.remove_prefix(static_cast<std::size_t>(n));
    }
  }
  // Until the other side ends, or `until` was seen.
  static std::string readText(int fd, const std::string& until = {}) {
    std::string text;
    char buffer[4096];
    for (;;) {
      if (!until.empty() && text.find(until) != std::string::npos) return text;
      pollfd entry{fd, POLLIN, 0};
      if (::poll(&entry, 1, 20'000) <= 0) return text + "<nothing more>";
      const ssize_t n = ::recv(fd, buffer, sizeof buffer, 0);
      if (n < 0) return text + "<reset>";
      if (n == 0) return text;
      text.append(buffer, static_cast<std::size_t>(n));
    }
  }
  /// Sends bytes as they are on a connection of their own; all that comes back.
  [[nodiscard]] std::string exchange(const std::string& bytes) const {
    const int fd = connectTo(port_);
    sendText(fd, bytes);
    ::shutdown(fd, SHUT_WR);
    const std::string answer = readText(fd);
    ::close(fd);
    return answer;
  }
  static std::string get(const std::string& target, const std::string& headers = {}) {
    return "GET " + target + " HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer secret\r\n" + headers + "\r\n";
  }
  static std::string statusOf(const std::string& answer) {
    return answer.size() > 12 ? answer.substr(9, 3) : answer;
  }

  HttpServerLimits limits_;
  void deliver(const Delivery& delivery) {
    const std::lock_guard lock(deliveryMutex_);
    delivery_ = delivery;
  }

  std::mutex deliveryMutex_;  // asked by the threads of the server
  Delivery delivery_;
  Router services_, admin_;
  NoKeys keys_;
  std::unique_ptr<Dispatcher> dispatcher_;
  std::unique_ptr<HttpServer> httpServer_;
  std::jthread server_;
  int port_ = 0;
};

TEST_F(HttpServerTest, WhatCannotBeReadIsRefused) {
  start();
  const std::vector<std::pair<std::string, std::string>> cases{
      {"GARBAGE\r\n\r\n", "400"},
      {std::string("\x16\x03\x01\x02\0\x01", 6) + "\r\n\r\n", "400"},  // TLS on the port without
      {"GET  /rehearsal/echo HTTP/1.1\r\nHost: x\r\n\r\n", "400"},
      {"GET rehearsal/echo HTTP/1.1\r\nHost: x\r\n\r\n", "400"},
      {"GET /a\x01 HTTP/1.1\r\nHost: x\r\n\r\n", "400"},
      {"G(T / HTTP/1.1\r\nHost: x\r\n\r\n", "400"},
      {"GET / HTTP/2.0\r\nHost: x\r\n\r\n", "505"},
      {"GET / HTTP/1.1\r\n\r\n", "400"},  // no Host
      {"GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n", "400"},
      {"GET / HTTP/1.1\r\nHost: x\r\nName : value\r\n\r\n", "400"},
      {"GET / HTTP/1.1\r\nHost: x\r\n folded\r\n\r\n", "400"},
      {"GET / HTTP/1.1\r\nHost: x\r\nA: b\rc\r\n\r\n", "400"},
      {"GET / HTTP/1.1\r\nHost: x\r\nContent-Type: a\r\nContent-Type: b\r\n\r\n", "400"},
      {"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab", "400"},
      {"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n", "400"},
      {"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999\r\n\r\n", "400"},
      {"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
       "400"},
      {"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\n", "501"},
      {"POST / HTTP/1.1\r\nHost: x\r\nExpect: tea\r\nContent-Length: 0\r\n\r\n", "417"},
      {"GET /" + std::string(20'000, 'a') + " HTTP/1.1\r\nHost: x\r\n\r\n", "414"},
      {get("/rehearsal/echo", "X: " + std::string(70'000, 'a') + "\r\n"), "431"},
  };
  for (const auto& [bytes, status] : cases)
    EXPECT_EQ(statusOf(exchange(bytes)), status) << bytes.substr(0, 100);
  std::string many;
  for (int i = 0; i < 300; ++i) many += "X-" + std::to_string(i) + ": y\r\n";
  EXPECT_EQ(statusOf(exchange(get("/rehearsal/echo", many))), "431");
  EXPECT_EQ(statusOf(exchange(get("/rehearsal/echo"))), "200");  // and the server is as well as before
}

TEST_F(HttpServerTest, TargetsAndHeadersStayByteForByte) {
  start();
  for (const std::string target :
       {"/rehearsal/echo?a=%2f%2F+%zz&&b", "/rehearsal/echo?", "/rehearsal/echo?\xc3\xa9'"})
    EXPECT_NE(exchange(get(target)).find("GET " + target), std::string::npos) << target;
  EXPECT_NE(exchange(get("/rehearsal/echo", "X-Sent: a%20b+%zz\t \r\n")).find("x-seen: a%20b+%zz\r\n"),
            std::string::npos);
  const std::string absolute =
      "GET http://127.0.0.1/rehearsal/echo?x HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer secret\r\n\r\n";
  EXPECT_NE(exchange(absolute).find("GET /rehearsal/echo?x"), std::string::npos);
}

TEST_F(HttpServerTest, RequestsInOneGoAreAnsweredInTheirOrder) {
  start();
  std::string all;
  for (int i = 0; i < 20; ++i) {
    all += get("/rehearsal/echo?" + std::to_string(i));
    all += "POST /rehearsal/size HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer secret\r\nContent-Length: " +
           std::to_string(i) + "\r\n\r\n" + std::string(static_cast<std::size_t>(i), 'b');
  }
  const std::string answers = exchange("\r\n" + all);
  std::size_t at = 0;
  for (int i = 0; i < 20; ++i) {
    at = answers.find("GET /rehearsal/echo?" + std::to_string(i), at);
    ASSERT_NE(at, std::string::npos) << i;
    at = answers.find("\r\n\r\n" + std::to_string(i), at);
    ASSERT_NE(at, std::string::npos) << i;
  }
}

TEST_F(HttpServerTest, BodiesInChunksAndInLengths) {
  start();
  const std::string head = "POST /rehearsal/size HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer secret\r\n";
  const std::string chunked = head + "Transfer-Encoding: chunked\r\n\r\n";
  EXPECT_TRUE(
      exchange(chunked + "3;x=y\r\nabc\r\nA\r\n0123456789\r\n0\r\nTrailer: t\r\n\r\n").ends_with("\r\n13"));
  EXPECT_EQ(statusOf(exchange(chunked + "zz\r\n")), "400");
  EXPECT_EQ(statusOf(exchange(chunked + "3\r\nabcd\r\n")), "400");
  EXPECT_EQ(statusOf(exchange(chunked + "fffffff\r\n")), "413");
  EXPECT_EQ(statusOf(exchange(head + "Content-Length: 100001\r\n\r\n")), "413");
  const int fd = connectTo(port_);
  sendText(fd, head + "Content-Length: 5\r\nExpect: 100-continue\r\n\r\n");
  EXPECT_EQ(readText(fd, "\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");
  sendText(fd, "12345");
  EXPECT_EQ(statusOf(readText(fd, "\r\n\r\n5")), "200");
  ::close(fd);
}

TEST_F(HttpServerTest, HeadTellsTheLengthAndSendsNothing) {
  start();
  std::string request = get("/rehearsal/echo");
  request.replace(0, 3, "HEAD");
  const std::string answer = exchange(request + request);
  EXPECT_NE(answer.find("content-length: 12\r\n"), std::string::npos);
  EXPECT_EQ(answer.find("twelve"), std::string::npos);
  EXPECT_NE(answer.find("HTTP/1.1 200", 20), std::string::npos);  // the second one stands right behind
}

TEST_F(HttpServerTest, SlowCallersAreLeftAndHoldNobodyUp) {
  start();
  std::vector<int> slow;
  for (int i = 0; i < 300; ++i) {  // more than there are threads
    slow.push_back(connectTo(port_));
    sendText(slow.back(), "GET / HT");
  }
  EXPECT_EQ(statusOf(exchange(get("/rehearsal/echo"))), "200");
  for (const int fd : slow) {
    const std::string rest = readText(fd);
    EXPECT_TRUE(rest.empty() || rest == "<reset>") << rest;  // ended, without an answer
    ::close(fd);
  }
}

// Below every time for which a caller could be held up, and far above what a slow machine needs with the thread sanitizer.
constexpr std::chrono::seconds kUnheld{25};

TEST_F(HttpServerTest, WhoeverGreetsInTlsWhereThereIsNoneIsAnsweredInClearAtOnce) {
  limits_.headTimeout = 60s;
  start();
  const int fd = connectTo(port_);
  const auto begin = std::chrono::steady_clock::now();
  sendText(fd, std::string("\x16\x03\x01\x00\xf4\x01", 6));
  const std::string text = readText(fd);
  EXPECT_TRUE(text.starts_with("HTTP/1.1 400 ")) << text;
  EXPECT_LT(std::chrono::steady_clock::now() - begin, kUnheld) << "a client that falls back waits for that";
  ::close(fd);
}

TEST_F(HttpServerTest, AnswersBreakAsAsked) {
  start();
  Delivery delivery;
  delivery.lost = true;
  deliver(delivery);
  EXPECT_EQ(exchange(get("/rehearsal/delivery")), "<reset>");
  delivery = {};
  delivery.cutAfter = 100;
  deliver(delivery);
  const std::string cut = exchange(get("/rehearsal/delivery"));
  EXPECT_TRUE(cut.ends_with("\r\n\r\n" + std::string(100, 'x') + "<reset>")) << cut;
  delivery.cutAfter = 5000;  // longer than the body: still cut
  deliver(delivery);
  EXPECT_TRUE(exchange(get("/rehearsal/delivery")).ends_with("x<reset>"));
  delivery = {};
  delivery.extraLength = 7;
  deliver(delivery);
  const std::string longer = exchange(get("/rehearsal/delivery"));
  EXPECT_NE(longer.find("content-length: 1007\r\n"), std::string::npos);
  EXPECT_TRUE(longer.ends_with("xxx"));
  delivery = {};
  delivery.bytesPerSecond = 20'000;
  delivery.delay = 20ms;
  deliver(delivery);
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_TRUE(exchange(get("/rehearsal/delivery")).ends_with("xxx"));
  EXPECT_GE(std::chrono::steady_clock::now() - begin, 60ms);
}

const std::string kSizeHead = "POST /rehearsal/size HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer secret\r\n";

TEST_F(HttpServerTest, BodiesThatAreSlowCostNoThread) {
  start();
  std::vector<int> slow;
  for (int i = 0; i < 300; ++i) {  // more than there are threads
    slow.push_back(connectTo(port_));
    sendText(slow.back(), kSizeHead + "Content-Length: 3\r\n\r\na");
  }
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < 20; ++i) EXPECT_EQ(statusOf(exchange(get("/rehearsal/echo"))), "200");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, kUnheld);
  for (const int fd : slow) sendText(fd, "bc");
  for (const int fd : slow) {
    EXPECT_EQ(statusOf(readText(fd, "\r\n\r\n3")), "200");  // and slow is not lost
    ::close(fd);
  }
}

TEST_F(HttpServerTest, ABodyHasTheTimeThatItsBytesBuyAndNotWhatItAnnounces) {
  limits_.timeout = 300ms;
  start();
  const int fd = connectTo(port_);
  sendText(fd, kSizeHead + "Content-Length: 99999\r\n\r\n");
  const auto begin = std::chrono::steady_clock::now();
  bool isOpen = true;
  while (isOpen && std::chrono::steady_clock::now() - begin < 10s) {
    sendText(fd, "x");
    pollfd entry{fd, POLLIN, 0};
    isOpen = ::poll(&entry, 1, 5) == 0;  // also quicker than a thread leaves the connection
  }
  EXPECT_FALSE(isOpen);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, kUnheld);
  ::close(fd);
}

TEST_F(HttpServerTest, NobodyIsReadWhoHasNotShownWhoHeIs) {
  limits_.timeout = limits_.strangerTimeout = 60s;
  start();
  const std::string head = "POST /rehearsal/size HTTP/1.1\r\nHost: x\r\n";
  for (const std::string more : {"Content-Length: 99999\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n",
                                 "Content-Length: 5\r\nExpect: 100-continue\r\n\r\n"}) {
    const int fd = connectTo(port_);
    sendText(fd, head + more);
    const auto begin = std::chrono::steady_clock::now();
    const std::string answer = readText(fd);
    EXPECT_EQ(statusOf(answer), "401") << more;
    EXPECT_NE(answer.find("connection: close\r\n"), std::string::npos);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, kUnheld);
    ::close(fd);
  }
  // A body that is there with its head is passed over, and the connection goes on.
  const std::string two = exchange(head + "Content-Length: 5\r\n\r\n12345" + get("/rehearsal/echo"));
  EXPECT_EQ(statusOf(two), "401");
  EXPECT_NE(two.find("HTTP/1.1 200 OK"), std::string::npos) << two;
}

TEST_F(HttpServerTest, WhoeverDoesNotReadHoldsNoThread) {
  limits_.headTimeout = limits_.timeout = 60s;  // for so long each of them would hold a thread
  constexpr std::size_t kSize = 16 << 20;
  const std::shared_ptr<int> file(new int(::memfd_create("large", MFD_CLOEXEC)), [](const int* fd) {
    ::close(*fd);
    delete fd;
  });
  ASSERT_EQ(::ftruncate(*file, kSize), 0);
  admin_.add("GET", "/rehearsal/large", "Large", [file](const Call&) {
    Response response;
    response.source = ByteSource{{}, file, 0, kSize};
    return OperationResult(response);
  });
  start();
  std::vector<int> deaf;
  for (int i = 0; i < 150; ++i) {  // more than there are threads
    deaf.push_back(connectTo(port_, 4096));
    sendText(deaf.back(), get("/rehearsal/large"));
  }
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(statusOf(exchange(get("/rehearsal/echo"))), "200");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, kUnheld);
  const int reader = connectTo(port_);  // and whoever reads gets all
  sendText(reader, get("/rehearsal/large", "Connection: close\r\n"));
  EXPECT_GT(readText(reader).size(), kSize);
  ::close(reader);
  for (const int fd : deaf) ::close(fd);
}

TEST_F(HttpServerTest, AllBodiesTogetherHaveABound) {
  limits_.maxBodyMemory = 200'000;
  start();
  std::vector<int> open;
  for (int i = 0; i < 2; ++i) {
    open.push_back(connectTo(port_));
    sendText(open.back(), kSizeHead + "Content-Length: 99999\r\n\r\n" + std::string(99'998, 'x'));
  }
  std::this_thread::sleep_for(200ms);
  const std::string third = kSizeHead + "Content-Length: 50000\r\n\r\n" + std::string(50'000, 'x');
  EXPECT_EQ(statusOf(exchange(third)), "503");
  for (const int fd : open) ::close(fd);
  bool again = false;
  for (int i = 0; i < 100 && !again; ++i) {
    std::this_thread::sleep_for(50ms);
    again = statusOf(exchange(third)) == "200";
  }
  EXPECT_TRUE(again) << "what they held is given back";
}

TEST_F(HttpServerTest, StopsWhileConnectionsAreOpen) {
  start();
  const int idle = connectTo(port_);
  const int half = connectTo(port_);
  sendText(half, "POST /rehearsal/size HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nabc");
  std::this_thread::sleep_for(50ms);
  httpServer_->stop();
  server_.join();
  EXPECT_TRUE(readText(idle).size() < 10);
  ::close(idle);
  ::close(half);
}

class TlsHttpServerTest : public HttpServerTest {
 protected:
  [[nodiscard]] CertificateFiles files() const {
    const auto& d = folder_.path();
    return {d / "ca.pem", d / "ca.key", d / "server.pem", d / "server.key"};
  }
  static std::string contentOf(const std::filesystem::path& file) {
    std::string text;
    FILE* stream = std::fopen(file.c_str(), "r");
    char buffer[4096];
    for (std::size_t n = 0; stream != nullptr && (n = std::fread(buffer, 1, sizeof buffer, stream)) > 0;)
      text.append(buffer, n);
    if (stream != nullptr) std::fclose(stream);
    return text;
  }
  // What a client that trusts the authority alone gets from this host name; empty: it refused.
  std::string fetch(const std::string& host, int port, int highestVersion = TLS1_3_VERSION) {
    std::unique_ptr<SSL_CTX, decltype(&SSL_CTX_free)> context(SSL_CTX_new(TLS_client_method()), SSL_CTX_free);
    SSL_CTX_load_verify_locations(context.get(), files().authority.c_str(), nullptr);
    SSL_CTX_set_verify(context.get(), SSL_VERIFY_PEER, nullptr);
    SSL_CTX_set_max_proto_version(context.get(), highestVersion);
    std::unique_ptr<SSL, decltype(&SSL_free)> tls(SSL_new(context.get()), SSL_free);
    const int fd = connectTo(port);
    SSL_set_fd(tls.get(), fd);
    SSL_set_tlsext_host_name(tls.get(), host.c_str());
    SSL_set1_host(tls.get(), host.c_str());
    std::string answer;
    const std::string request = get("/rehearsal/echo?tls", "Connection: close\r\n");
    if (SSL_connect(tls.get()) == 1 &&
        SSL_write(tls.get(), request.data(), static_cast<int>(request.size())) > 0) {
      char buffer[4096];
      for (int n = 0; (n = SSL_read(tls.get(), buffer, sizeof buffer)) > 0;)
        answer.append(buffer, static_cast<std::size_t>(n));
    }
    ERR_clear_error();
    ::close(fd);
    return answer;
  }
  TempDir folder_;
};

TEST_F(TlsHttpServerTest, ServesEveryHostOfTheServicesAndNoOther) {
  ASSERT_TRUE(keepCertificates(files(), certifiedHosts(), SystemClock().now()));
  const std::string certificate = contentOf(files().server);
  ASSERT_TRUE(keepCertificates(files(), certifiedHosts(), SystemClock().now()));
  EXPECT_EQ(contentOf(files().server), certificate) << "what is there certifies them all";
  const auto context = makeTlsContext(files());
  ASSERT_TRUE(context);
  dispatcher_ = std::make_unique<Dispatcher>(
      DispatcherParts{services_, admin_, "secret", keys_, std::make_shared<SystemClock>(), nullptr, {}});
  httpServer_ = std::make_unique<HttpServer>(*dispatcher_, limits_);
  const auto https = httpServer_->bindTls(0, *context);
  ASSERT_TRUE(https);
  server_ = std::jthread([this] { httpServer_->serve(); });
  for (const std::string& host : serviceHosts()) EXPECT_EQ(statusOf(fetch(host, *https)), "200") << host;
  for (const char* host :
       {"query.rehearsal.oci.localhost", "functions.rehearsal.oci.localhost", "database.rehearsal.localhost",
        "language.aiservice.rehearsal.oci.localhost", "rehearsal.objectstorage.rehearsal.oci.localhost"})
    EXPECT_EQ(statusOf(fetch(host, *https)), "200") << host << ", which is not offered";
  EXPECT_EQ(statusOf(fetch("localhost", *https, TLS1_2_VERSION)), "200");
  EXPECT_EQ(fetch("localhost", *https, TLS1_1_VERSION), "");
  EXPECT_EQ(fetch("datascience.us-ashburn-1.oci.oraclecloud.com", *https), "");
  const int plain = connectTo(*https);  // no TLS at all
  sendText(plain, get("/rehearsal/echo"));
  EXPECT_EQ(readText(plain).find("200 OK"), std::string::npos);
  ::close(plain);
  const int silent = connectTo(*https);  // and one that never begins its handshake
  EXPECT_EQ(readText(silent), "");
  ::close(silent);
}

TEST_F(TlsHttpServerTest, TheAuthorityIsMadeOnce) {
  const TimePoint now = SystemClock().now();
  ASSERT_TRUE(keepCertificates(files(), {"localhost"}, now));
  const std::string authority = contentOf(files().authority), server = contentOf(files().server);
  for (const auto& file : {files().authorityKey, files().serverKey}) {
    struct stat info {};
    ASSERT_EQ(::stat(file.c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 0777, 0600U) << file;
  }
  ASSERT_TRUE(keepCertificates(files(), {"localhost"}, now));
  EXPECT_EQ(contentOf(files().server), server);
  ASSERT_TRUE(keepCertificates(files(), {"localhost", "new.localhost"}, now));  // a host more
  EXPECT_NE(contentOf(files().server), server);
  const std::string second = contentOf(files().server);
  ASSERT_TRUE(
      keepCertificates(files(), {"localhost"}, now + std::chrono::hours(24 * 380)));  // soon out of time
  EXPECT_NE(contentOf(files().server), second);
  EXPECT_EQ(contentOf(files().authority), authority);
  ::unlink(files().authorityKey.c_str());
  ASSERT_TRUE(keepCertificates(files(), {"localhost"}, now));
  EXPECT_NE(contentOf(files().authority), authority);
}

// Whatever the bytes: a head that can be read in one way only, or a refusal.
TEST(RequestHead, HostileBytes) {
  std::mt19937 random(11);
  const std::string seed =
      "PUT /n/ns/b/b/o/a%2Fb?x=y HTTP/1.1\r\nHost: 127.0.0.1:1\r\nDate: Thu, 05 Jan 2014 21:31:40 GMT\r\n"
      "Content-Length: 5\r\nAuthorization: Signature version=\"1\",headers=\"date (request-target) host\","
      "keyId=\"t/u/f\",algorithm=\"rsa-sha256\",signature=\"AAAA\"\r\n\r\n";
  constexpr char kLetters[] = "\r\n :,=\"\t\0abHT/1.%?#\x7f\x80\xff-";
  const std::string alphabet(kLetters, sizeof kLetters - 1);
  NoKeys keys;
  int read = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string bytes = seed;
    for (std::size_t n = random() % 5; n > 0; --n) {
      const std::size_t at = random() % bytes.size();
      const char c = alphabet[random() % alphabet.size()];
      if (random() % 3 == 0) bytes.insert(at, 1, c);
      if (random() % 3 == 0) bytes[at] = c;
      if (random() % 3 == 0) bytes.erase(at, 1 + random() % 8);
    }
    std::size_t searched = 0;
    const auto size = findHeadEnd(bytes, searched);
    const auto head = parseRequestHead(std::string_view(bytes).substr(0, size.value_or(bytes.size())));
    if (!head) {
      EXPECT_GE(head.error().status, 400);
      continue;
    }
    ++read;
    EXPECT_TRUE(head->target.starts_with("/")) << bytes;
    EXPECT_EQ(head->target.find_first_of(" \r\n\t#"), std::string::npos) << bytes;
    EXPECT_LE(head->headers.count("host"), 1U) << bytes;
    EXPECT_LE(head->headers.count("content-type"), 1U) << bytes;
    EXPECT_FALSE(head->chunked && head->contentLength > 0) << bytes;
    for (const auto& [name, value] : head->headers)
      EXPECT_EQ((name + value).find_first_of("\r\n"), std::string::npos) << bytes;
    const IncomingRequest request{head->method, head->target, head->headers, ""};
    EXPECT_FALSE(
        verifySignature(request, keys, SystemClock().now()));  // and its header is taken apart safely
  }
  EXPECT_GT(read, 1000);
}

TEST(RequestHead, HostileChunks) {
  std::mt19937 random(12);
  const std::string alphabet = "0123aF;\r\n\r\n\r\nxyz ";
  for (int i = 0; i < 20'000; ++i) {
    ChunkedReader reader(1000);
    std::string body, input = i % 2 == 0 ? "3\r\nabc\r\n" : "";
    for (int piece = 0; piece < 4; ++piece) {
      for (std::size_t n = random() % 12; n > 0; --n) input += alphabet[random() % alphabet.size()];
      const auto state = reader.take(input, body);
      EXPECT_LE(body.size(), 1000U);
      if (state != ChunkedReader::State::NeedsMore) break;
    }
  }
}

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
constexpr std::chrono::seconds kSoon = 20s;
#else
constexpr std::chrono::seconds kSoon = 2s;
#endif

TEST(RequestHead, ChunksOfOneByteCostNoMoreThanTheyMust) {
  std::string wire;
  for (int i = 0; i < 200'000; ++i) wire += "1\r\nx\r\n";
  wire += "0\r\n\r\nNEXT";
  ChunkedReader reader(1 << 20);
  std::string body;
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(reader.take(wire, body), ChunkedReader::State::Complete);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, kSoon);  // 1.2 MB moved 400,000 times are 240 GB
  EXPECT_EQ(body.size(), 200'000U);
  EXPECT_EQ(wire, "NEXT");
}

TEST(QuickRsaKey, IsAKeyLikeAnyOther) {
  for (int i = 0; i < 3; ++i) {
    const auto key = makeQuickRsaKey();
    ASSERT_TRUE(key);
    EXPECT_EQ(EVP_PKEY_get_bits(key->get()), 2048);
    const std::unique_ptr<EVP_PKEY_CTX, decltype(&EVP_PKEY_CTX_free)> context(
        EVP_PKEY_CTX_new_from_pkey(nullptr, key->get(), nullptr), EVP_PKEY_CTX_free);
    EXPECT_EQ(EVP_PKEY_check(context.get()), 1);  // primes, product, exponents
    const auto pem = privatePem(*key);
    ASSERT_TRUE(pem);
    EXPECT_TRUE(readPrivatePem(*pem));
  }
}

}  // namespace
}  // namespace lockstep::rehearsal
