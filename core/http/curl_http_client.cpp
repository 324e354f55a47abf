// SPDX-License-Identifier: GPL-3.0-or-later
#include "http/curl_http_client.h"

#include <curl/curl.h>
#include <fmt/format.h>

#include <algorithm>
#include <mutex>

#include "http/curl_session.h"

namespace lockstep {
namespace {

constexpr std::size_t kMaxIdleSessions = 64;

Result<void> checkRequest(const HttpRequest& request) {
  const auto bad = [](const std::string& text) {
    return text.find_first_of(std::string_view("\r\n\0", 3)) != std::string::npos;
  };
  for (const auto& [name, value] : request.headers) {
    if (name.empty() || name.find_first_of(": ;") != std::string::npos || bad(name) || bad(value)) {
      return failure(ErrorCode::InvalidArgument, fmt::format("cannot send the header '{}'", name),
                     "it contains a character that a header cannot carry");
    }
  }
  if (request.method.empty() || bad(request.method) || request.method.find(' ') != std::string::npos) {
    return failure(ErrorCode::InvalidArgument, fmt::format("'{}' is no HTTP method", request.method));
  }
  return {};
}

class CurlHttpClient final : public HttpClient {
 public:
  explicit CurlHttpClient(CurlOptions options) : options_(std::move(options)) {
    static std::once_flag once;  // libcurl asks for exactly one initialization of the process
    std::call_once(once, [] { curl_global_init(CURL_GLOBAL_DEFAULT); });
  }

  Result<HttpResponse> send(const HttpRequest& request, const std::stop_token& stop) override {
    if (request.trace != nullptr) *request.trace = {};
    const auto url = parseUrl(request.url);
    if (!url) return failure(url.error());
    if (auto fine = checkRequest(request); !fine) return failure(fine.error());
    std::unique_ptr<CurlSession> session = take(url->origin());
    if (session == nullptr)
      return failure(ErrorCode::ResourceExhausted, "libcurl could not be started", "no memory");
    auto answer = session->send(request, *url, stop);
    // After a failure the state of the connection is unknown; a fresh slot costs one handshake.
    if (answer) giveBack(std::move(session));
    return answer;
  }

 private:
  std::unique_ptr<CurlSession> take(const std::string& origin) {
    {
      const std::lock_guard lock(mutex_);
      // The warmest that has a connection there; else the one idle longest, whose connections are least
      // missed.
      auto found = std::find_if(idle_.rbegin(), idle_.rend(),
                                [&](const auto& session) { return session->lastOrigin() == origin; });
      if (found == idle_.rend() && idle_.size() >= kMaxIdleSessions / 2) found = std::prev(idle_.rend());
      if (found != idle_.rend()) {
        std::unique_ptr<CurlSession> session = std::move(*found);
        idle_.erase(std::next(found).base());
        return session;
      }
    }
    return CurlSession::create(options_, share_);
  }

  void giveBack(std::unique_ptr<CurlSession> session) {
    const std::lock_guard lock(mutex_);
    if (idle_.size() < kMaxIdleSessions) idle_.push_back(std::move(session));
  }

  const CurlOptions options_;
  const std::shared_ptr<CurlShare> share_ = std::make_shared<CurlShare>();
  std::mutex mutex_;
  std::vector<std::unique_ptr<CurlSession>> idle_;
};

}  // namespace

std::shared_ptr<HttpClient> makeCurlHttpClient(CurlOptions options) {
  return std::make_shared<CurlHttpClient>(std::move(options));
}

}  // namespace lockstep
