// SPDX-License-Identifier: GPL-3.0-or-later
// Bodies that are streamed, packed or endless, and what ends an exchange.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <cstring>
#include <functional>
#include <thread>

#include "http/curl_http_client.h"
#include "loopback_server.h"

namespace lockstep {
namespace {

using namespace std::chrono_literals;
using SteadyClock = std::chrono::steady_clock;

HttpRequest request(const std::string& url, const std::string& method = "GET") {
  HttpRequest r;
  r.method = method;
  r.url = url;
  return r;
}

/// Bytes that are counted up, of any length; counts how often it is read from the beginning.
class CountingSource final : public BodySource {
 public:
  explicit CountingSource(std::uint64_t size) : size_(size) {}
  [[nodiscard]] std::uint64_t size() const override { return size_; }
  Result<std::size_t> read(std::uint64_t offset, char* to, std::size_t max) override {
    if (offset == 0) ++begun;
    if (beforeRead) beforeRead(offset);
    if (offset >= breaksAt) return failure(ErrorCode::Io, "the disk is gone");
    if (offset >= endsAt) return 0;
    for (std::size_t i = 0; i < max; ++i) to[i] = byteAt(offset + i);
    return max;
  }
  static char byteAt(std::uint64_t at) { return static_cast<char>(at * 7 + at / 251); }

  std::atomic<int> begun{0};
  std::function<void(std::uint64_t offset)> beforeRead;
  std::uint64_t breaksAt = UINT64_MAX, endsAt = UINT64_MAX;

 private:
  const std::uint64_t size_;
};

TEST(Uploads, AreStreamedWithTheirLength) {
  LoopbackServer server([](const httplib::Request& in, httplib::Response& out) {
    bool same = true;
    for (std::size_t i = 0; i < in.body.size(); ++i) same = same && in.body[i] == CountingSource::byteAt(i);
    out.set_content(same ? "same" : "other", "text/plain");
  });
  const auto client = makeCurlHttpClient();
  for (const char* method : {"PUT", "POST"}) {
    for (const std::uint64_t size : {0ULL, 1ULL, 65'536ULL, 5'000'000ULL}) {
      HttpRequest r = request(server.url() + "/x", method);
      r.source = std::make_shared<CountingSource>(size);
      r.headers = {{"content-length", std::to_string(size)}, {"content-type", "application/octet-stream"}};
      const auto answer = client->send(r, {});
      ASSERT_TRUE(answer) << describe(answer.error());
      EXPECT_EQ(answer->body, "same") << size;
      const auto seen = server.seen().back();
      EXPECT_EQ(seen.method, method);
      EXPECT_EQ(seen.get_header_value("content-length"), std::to_string(size));
      EXPECT_EQ(seen.get_header_value_count("content-length"), 1U);
      EXPECT_FALSE(seen.has_header("transfer-encoding"));
      EXPECT_FALSE(seen.has_header("expect"));
      EXPECT_EQ(seen.body.size(), size);
    }
  }
}

TEST(Uploads, BeginAgainWhenTheKeptConnectionWasDead) {
  std::atomic<int> count{0};
  RawServer server([&](const std::string&) {
    ++count;
    return RawServer::Reply{"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"};  // and closes without a word
  });
  const auto client = makeCurlHttpClient();
  const auto source = std::make_shared<CountingSource>(300'000);
  for (int i = 0; i < 3; ++i) {
    HttpRequest r = request(server.url() + "/x", "PUT");
    r.source = source;
    const auto answer = client->send(r, {});
    ASSERT_TRUE(answer) << describe(answer.error());
    EXPECT_TRUE(server.seen().back().size() > 300'000);
  }
  EXPECT_GE(source->begun, 3);
}

// The connection goes while the second piece is asked for: it is sending that fails, not reading.
TEST(Uploads, BeginAgainWhenTheKeptConnectionIsResetWhileTheyAreSent) {
  std::atomic<bool> isSecondPiece{false};
  RawServer server([&](const std::string& got) {
    RawServer::Reply reply{.bytes = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"};
    if (got.starts_with("GET")) reply.resetsWhen = [&] { return isSecondPiece.load(); };
    return reply;
  });
  const auto client = makeCurlHttpClient();
  ASSERT_TRUE(client->send(request(server.url() + "/x"), {}));
  HttpRequest r = request(server.url() + "/x", "PUT");
  const auto source = std::make_shared<CountingSource>(300'000);
  source->beforeRead = [&](std::uint64_t offset) {
    if (offset == 0) return;
    isSecondPiece = true;
    const auto until = SteadyClock::now() + 20s;
    while (server.resets() == 0 && SteadyClock::now() < until) std::this_thread::sleep_for(1ms);
  };
  r.source = source;
  const auto answer = client->send(r, {});
  ASSERT_TRUE(answer) << describe(answer.error());
  EXPECT_EQ(server.resets(), 1);
  EXPECT_EQ(source->begun, 2);
  EXPECT_GT(server.seen().back().size(), 300'000U);
}

TEST(Uploads, SayWhyTheyCouldNotBeRead) {
  LoopbackServer server([](const httplib::Request&, httplib::Response&) {});
  const auto broken = std::make_shared<CountingSource>(1'000'000);
  broken->breaksAt = 200'000;
  HttpRequest r = request(server.url() + "/x", "PUT");
  r.source = broken;
  const auto answer = makeCurlHttpClient()->send(r, {});
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().what, "the disk is gone");
  const auto shorter = std::make_shared<CountingSource>(1'000'000);
  shorter->endsAt = 200'000;
  r.source = shorter;
  const auto ended = makeCurlHttpClient()->send(r, {});
  ASSERT_FALSE(ended);
  EXPECT_EQ(ended.error().code, ErrorCode::DataLoss);
  EXPECT_NE(ended.error().cause.find("of 1000000 bytes"), std::string::npos) << describe(ended.error());
}

TEST(Downloads, GoPieceByPieceIntoTheReceiver) {
  const std::string text(3'000'000, 'd');
  LoopbackServer server([&](const httplib::Request& in, httplib::Response& out) {
    out.status = in.path == "/missing" ? 404 : 206;
    out.set_content(in.path == "/missing" ? "no such object" : text, "text/plain");
  });
  CurlOptions options;
  options.maxAnswerBytes = 1000;  // bounds what is kept in memory, not what flows through
  const auto client = makeCurlHttpClient(options);
  std::string got;
  HttpRequest r = request(server.url() + "/x");
  r.receive = [&](std::string_view piece) {
    got += piece;
    return true;
  };
  const auto answer = client->send(r, {});
  ASSERT_TRUE(answer) << describe(answer.error());
  EXPECT_EQ(got, text);
  EXPECT_EQ(answer->body, "");
  EXPECT_EQ(answer->status, 206);
  got.clear();
  r.url = server.url() + "/missing";
  const auto missing = client->send(r, {});
  ASSERT_TRUE(missing);
  EXPECT_EQ(missing->body, "no such object") << "a refusal comes whole";
  EXPECT_EQ(got, "");
  r.url = server.url() + "/x";
  r.receive = [](std::string_view) { return false; };
  const auto declined = client->send(r, {});
  ASSERT_FALSE(declined);
  EXPECT_EQ(declined.error().code, ErrorCode::Cancelled);
}

std::string gzipped(const std::string& text) {
  z_stream stream{};
  deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, text.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

RawServer::Reply packedReply(const std::string& bytes) {
  return {"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: " + std::to_string(bytes.size()) +
          "\r\n\r\n" + bytes};
}

TEST(Compression, IsAskedForAndUnpackedOnlyWhereAllowed) {
  const std::string packed = gzipped("{\"a\":1}");
  RawServer server([&](const std::string&) { return packedReply(packed); });
  const auto client = makeCurlHttpClient();
  HttpRequest r = request(server.url() + "/x");
  const auto asIs = client->send(r, {});
  ASSERT_TRUE(asIs);
  EXPECT_EQ(asIs->body, packed) << "an object that is stored packed stays so";
  EXPECT_EQ(headerValue(asIs->headers, "content-encoding"), "gzip");
  EXPECT_EQ(server.seen().back().find("gzip"), std::string::npos);
  r.acceptCompressed = true;
  const auto unpacked = client->send(r, {});
  ASSERT_TRUE(unpacked);
  EXPECT_EQ(unpacked->body, "{\"a\":1}");
  EXPECT_FALSE(hasHeader(unpacked->headers, "content-encoding"));
  EXPECT_NE(server.seen().back().find("Accept-Encoding: gzip\r\n"), std::string::npos)
      << server.seen().back();
}

TEST(Compression, ABombIsCutOff) {
  const std::string packed = gzipped(std::string(50'000'000, '\0'));
  ASSERT_LT(packed.size(), 100'000U);
  RawServer server([&](const std::string&) { return packedReply(packed); });
  CurlOptions options;
  options.maxAnswerBytes = 1'000'000;
  HttpRequest r = request(server.url() + "/x");
  r.acceptCompressed = true;
  const auto answer = makeCurlHttpClient(options)->send(r, {});
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, ErrorCode::ResourceExhausted);
  std::size_t got = 0;
  r.receive = [&](std::string_view piece) {
    got += piece.size();
    return true;
  };
  EXPECT_FALSE(makeCurlHttpClient(options)->send(r, {}));
  EXPECT_LE(got, options.maxAnswerBytes);
}

TEST(Compression, DamageIsNoticed) {
  std::string packed = gzipped(std::string(10'000, 'x') + "tail");
  packed[packed.size() / 2] = static_cast<char>(packed[packed.size() / 2] ^ 0x55);
  RawServer server([&](const std::string&) { return packedReply(packed); });
  HttpRequest r = request(server.url() + "/x");
  r.acceptCompressed = true;
  const auto answer = makeCurlHttpClient()->send(r, {});
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, ErrorCode::DataLoss) << describe(answer.error());
}

/// A port whose queue of connections is full: who connects waits.
class FullPort {
 public:
  FullPort() : listener_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    address_.sin_family = AF_INET;
    address_.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address_;
    auto* address = reinterpret_cast<sockaddr*>(&address_);
    if (::bind(listener_, address, size) != 0 || ::listen(listener_, 0) != 0 ||
        ::getsockname(listener_, address, &size) != 0)
      throw std::runtime_error("no free port");
    for (int i = 0; i < 8; ++i) {
      const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
      (void)!::connect(fd, address, size);
      waiting_.push_back(fd);
    }
  }
  FullPort(const FullPort&) = delete;
  FullPort& operator=(const FullPort&) = delete;
  ~FullPort() {
    for (const int fd : waiting_) ::close(fd);
    ::close(listener_);
  }
  [[nodiscard]] std::string url(const std::string& scheme = "http") const {
    return scheme + "://127.0.0.1:" + std::to_string(ntohs(address_.sin_port)) + "/x";
  }

 private:
  int listener_;
  sockaddr_in address_{};
  std::vector<int> waiting_;
};

TEST(TimeOuts, ThatOfConnectingIsItsOwn) {
  const FullPort port;
  HttpRequest r = request(port.url());
  r.connectTimeout = 300ms;
  HttpTrace trace;
  r.trace = &trace;
  const auto answer = makeCurlHttpClient()->send(r, {});
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, ErrorCode::DeadlineExceeded);
  EXPECT_NE(answer.error().what.find("could not connect"), std::string::npos) << describe(answer.error());
  EXPECT_NE(answer.error().cause.find("no connection after 0.3 s"), std::string::npos)
      << describe(answer.error());
  EXPECT_FALSE(trace.sent);
}

TEST(TimeOuts, ATransferThatStandsStillIsNotWaitedFor) {
  RawServer server([](const std::string&) {
    return RawServer::Reply{"HTTP/1.1 200 OK\r\nContent-Length: 90\r\n\r\nhalf", false, true};
  });
  HttpRequest r = request(server.url() + "/x");
  r.stallTimeout = 300ms;
  r.timeout = 0ms;
  const auto answer = makeCurlHttpClient()->send(r, {});
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, ErrorCode::DeadlineExceeded);
  EXPECT_NE(answer.error().cause.find("no byte moved for 0.3 s"), std::string::npos)
      << describe(answer.error());
}

TEST(TimeOuts, ASlowTransferThatMovesIsNotStalled) {
  LoopbackServer server([](const httplib::Request&, httplib::Response& out) {
    out.set_content_provider(10, "text/plain", [](std::size_t, std::size_t, httplib::DataSink& sink) {
      std::this_thread::sleep_for(120ms);
      sink.write("x", 1);
      return true;
    });
  });
  HttpRequest r = request(server.url() + "/x");
  r.stallTimeout = 800ms;
  const auto answer = makeCurlHttpClient()->send(r, {});
  ASSERT_TRUE(answer) << describe(answer.error());
  EXPECT_EQ(answer->body, "xxxxxxxxxx");
}

/// How late a stop that comes after 200 ms is obeyed.
std::chrono::milliseconds lateness(HttpRequest r, CurlOptions options = {}) {
  std::stop_source stop;
  SteadyClock::time_point asked;
  std::jthread stopper([&] {
    std::this_thread::sleep_for(200ms);
    asked = SteadyClock::now();
    stop.request_stop();
  });
  const auto client = makeCurlHttpClient(std::move(options));
  const auto answer = client->send(r, stop.get_token());
  const auto end = SteadyClock::now();
  stopper.join();
  EXPECT_FALSE(answer);
  EXPECT_TRUE(answer || answer.error().code == ErrorCode::Cancelled) << describe(answer.error());
  return std::chrono::duration_cast<std::chrono::milliseconds>(end - asked);
}

TEST(Cancellation, IsObeyedInEveryPhase) {
  const auto silent = [](const std::string&) { return RawServer::Reply{{}, false, true}; };
  const FullPort port;
  RawServer quiet(silent);
  RawServer half([](const std::string&) {
    return RawServer::Reply{"HTTP/1.1 200 OK\r\nContent-Length: 90\r\n\r\nhalf", false, true};
  });
  const std::string tlsUrl = "https" + quiet.url().substr(4) + "/x";
  CurlOptions proxied;
  proxied.proxy = quiet.url();
  HttpRequest upload = request(port.url(), "PUT");
  const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);  // takes a connection, reads nothing
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  ASSERT_EQ(::bind(listener, reinterpret_cast<sockaddr*>(&address), size), 0);
  ASSERT_EQ(::listen(listener, 1), 0);
  ::getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size);
  upload.url = "http://127.0.0.1:" + std::to_string(ntohs(address.sin_port)) + "/x";
  upload.source = std::make_shared<CountingSource>(1ULL << 32);
  const struct {
    const char* phase;
    HttpRequest request;
    CurlOptions options;
  } cases[] = {{"connecting", request(port.url()), {}},
               {"TLS handshake", request(tlsUrl), {}},
               {"proxy", request("https://region.example/x"), proxied},
               {"sending", upload, {}},
               {"waiting", request(quiet.url() + "/x"), {}},
               {"receiving", request(half.url() + "/x"), {}}};
  // A machine that is busy with other things may be late itself; without the wake-up it would be seconds.
  for (const auto& one : cases) EXPECT_LT(lateness(one.request, one.options), 1000ms) << one.phase;
  ::close(listener);
}

}  // namespace
}  // namespace lockstep
