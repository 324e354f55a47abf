// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"

namespace lockstep {

using HttpHeaders = std::vector<std::pair<std::string, std::string>>;

/// Case-insensitive look-up of the first header of that name; empty when absent.
[[nodiscard]] std::string headerValue(const HttpHeaders& headers, std::string_view name);
[[nodiscard]] bool hasHeader(const HttpHeaders& headers, std::string_view name);
/// Replaces every header of that name (in any case) by one at the end.
void setHeader(HttpHeaders& headers, std::string_view name, std::string value);

/// What is known about an exchange whatever became of it.
struct HttpTrace {
  bool sent = false;       // false: no byte of the request can have reached the server
  bool untrusted = false;  // the server's certificate was refused: trying again cannot help
};

/// The bytes of an upload that is too large for memory. Every attempt reads it from the beginning.
class BodySource {
 public:
  virtual ~BodySource() = default;
  [[nodiscard]] virtual std::uint64_t size() const = 0;
  /// Fills `to` with at most `max` bytes from `offset` and returns how many; 0 before the end is a failure
  /// of the source.
  virtual Result<std::size_t> read(std::uint64_t offset, char* to, std::size_t max) = 0;
};

struct HttpRequest {
  std::string method = "GET";
  std::string url;  // goes on the wire as it is: already percent-encoded, never normalised
  HttpHeaders headers;
  std::string body;
  std::shared_ptr<BodySource> source{};  // instead of `body`
  /// Takes the body of a 2xx answer piece by piece, so that HttpResponse::body stays empty; false gives up
  /// (Cancelled). Other answers still come whole.
  /// Runs in the thread of send(), between two looks at the stop token.
  std::function<bool(std::string_view)> receive{};
  /// Asks for gzip and unpacks it. Never for ranges and objects, whose bytes are what they are.
  bool acceptCompressed = false;
  std::chrono::milliseconds connectTimeout{5'000};  // name, connection, proxy and TLS handshake
  std::chrono::milliseconds timeout{60'000};        // the whole exchange; 0: none
  /// Once connected, how long not a single byte may move either way; 0: for ever.
  std::chrono::milliseconds stallTimeout{60'000};
  /// On a connection of its own. A kept connection that the server has just closed makes libcurl send the
  /// request a second time by itself, which a request that must not be repeated cannot bear.
  bool freshConnection = false;
  HttpTrace* trace = nullptr;  // filled before send() returns, when given; must outlive the call
};

struct HttpResponse {
  int status = 0;  // 404 and 500 are answers, not failures
  HttpHeaders headers;
  std::string body;
  int version = 0;  // 10, 11 or 20: of HTTP; 0: unknown
};

/// Sends one request and blocks until its answer, the timeout or the stop token (at most 100 ms late).
/// Failures: Unavailable (could not connect, reset, TLS), DeadlineExceeded, Cancelled, InvalidArgument (a URL
/// or header that cannot go on the wire), ResourceExhausted (an answer larger than the bound). Redirects are
/// not followed. Thread-safe.
class HttpClient {
 public:
  virtual ~HttpClient() = default;
  virtual Result<HttpResponse> send(const HttpRequest& request, const std::stop_token& stop) = 0;
};

}  // namespace lockstep
