// SPDX-License-Identifier: GPL-3.0-or-later
#include "http/curl_session.h"

#include <fmt/format.h>

#include "http/curl_error.h"
#include "http/curl_exchange.h"

namespace lockstep {
namespace {

constexpr int kPollMilliseconds = 100;

}  // namespace

std::unique_ptr<CurlSession> CurlSession::create(const CurlOptions& options,
                                                 std::shared_ptr<CurlShare> share) {
  std::unique_ptr<CurlSession> session(new CurlSession(options, std::move(share)));
  session->easy_ = curl_easy_init();
  session->multi_ = curl_multi_init();
  if (session->easy_ == nullptr || session->multi_ == nullptr) return nullptr;
  return session;
}

CurlSession::~CurlSession() {
  if (easy_ != nullptr) curl_easy_cleanup(easy_);
  if (multi_ != nullptr) curl_multi_cleanup(multi_);
}

void CurlSession::prepareTrust() {
  curl_easy_setopt(easy_, CURLOPT_SSL_VERIFYPEER, 1L);
  curl_easy_setopt(easy_, CURLOPT_SSL_VERIFYHOST, 2L);
  curl_easy_setopt(easy_, CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
  if (options_.certificateBundle.empty()) return;
  // A proxy that is reached by https is certified by the same authorities.
  curl_easy_setopt(easy_, CURLOPT_CAINFO, options_.certificateBundle.c_str());
  curl_easy_setopt(easy_, CURLOPT_PROXY_CAINFO, options_.certificateBundle.c_str());
}

void CurlSession::prepareProxy(const UrlParts& url) {
  curl_easy_setopt(easy_, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
  if (url.isLoopback()) {
    curl_easy_setopt(easy_, CURLOPT_PROXY, "");
  } else if (options_.proxy) {
    curl_easy_setopt(easy_, CURLOPT_PROXY, options_.proxy->c_str());
    curl_easy_setopt(easy_, CURLOPT_NOPROXY, options_.noProxy.c_str());
  }
}

void CurlSession::prepare(const HttpRequest& request, const UrlParts& url) {
  curl_easy_reset(easy_);  // keeps connections and the DNS cache
  if (share_->get() != nullptr) curl_easy_setopt(easy_, CURLOPT_SHARE, share_->get());
  curl_easy_setopt(easy_, CURLOPT_URL, request.url.c_str());
  curl_easy_setopt(easy_, CURLOPT_PATH_AS_IS, 1L);
  // libcurl (7.88) at times leaves an empty query out. A proxy that is spoken to in plain http is given the whole URL by it.
  if (url.target.ends_with('?') && (url.scheme == "https" || url.isLoopback() || !options_.proxy))
    curl_easy_setopt(easy_, CURLOPT_REQUEST_TARGET, url.target.c_str());
  curl_easy_setopt(easy_, CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_2TLS));
  curl_easy_setopt(easy_, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(easy_, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(easy_, CURLOPT_TCP_KEEPALIVE, 1L);
  curl_easy_setopt(easy_, CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(request.connectTimeout.count()));
  curl_easy_setopt(easy_, CURLOPT_TIMEOUT_MS, static_cast<long>(request.timeout.count()));
  curl_easy_setopt(easy_, CURLOPT_FRESH_CONNECT, request.freshConnection ? 1L : 0L);
  prepareTrust();
  prepareProxy(url);
}

// Headers count as well, so that a request or an answer without a body is seen to move.
curl_off_t CurlSession::movedBytes() const {
  curl_off_t up = 0;
  curl_off_t down = 0;
  long request = 0;
  long headers = 0;
  curl_easy_getinfo(easy_, CURLINFO_SIZE_UPLOAD_T, &up);
  curl_easy_getinfo(easy_, CURLINFO_SIZE_DOWNLOAD_T, &down);
  curl_easy_getinfo(easy_, CURLINFO_REQUEST_SIZE, &request);
  curl_easy_getinfo(easy_, CURLINFO_HEADER_SIZE, &headers);
  return up + down + request + headers;
}

CURLcode CurlSession::run(const HttpRequest& request, const std::stop_token& stop, End& end) {
  using SteadyClock = std::chrono::steady_clock;
  const std::stop_callback wake(stop, [this] { curl_multi_wakeup(multi_); });
  int running = 1;
  curl_off_t moved = 0;
  SteadyClock::time_point lastMove = SteadyClock::now();
  while (true) {
    if (stop.stop_requested()) {
      end = End::Cancelled;
      return CURLE_ABORTED_BY_CALLBACK;
    }
    if (curl_multi_perform(multi_, &running) != CURLM_OK) return CURLE_FAILED_INIT;
    int left = 0;
    if (const CURLMsg* message = curl_multi_info_read(multi_, &left); message != nullptr)
      return message->data.result;
    if (running == 0) return CURLE_FAILED_INIT;
    if (const curl_off_t now = movedBytes(); now != moved || now == 0) {
      moved = now;
      lastMove = SteadyClock::now();
    } else if (request.stallTimeout.count() > 0 && SteadyClock::now() - lastMove > request.stallTimeout) {
      end = End::Stalled;
      return CURLE_OPERATION_TIMEDOUT;
    }
    curl_multi_poll(multi_, nullptr, 0, kPollMilliseconds, nullptr);
  }
}

// A proxy's CONNECT counts as sent bytes, and so does nothing of a TLS handshake; only a connection that was
// new from the first byte tells for sure that nothing of the request went through it.
bool CurlSession::mayHaveArrived(const HttpRequest& request, const UrlParts& url) const {
  long sentBytes = 0;
  curl_off_t handshake = 0;
  curl_easy_getinfo(easy_, CURLINFO_REQUEST_SIZE, &sentBytes);
  curl_easy_getinfo(easy_, CURLINFO_APPCONNECT_TIME_T, &handshake);
  if (request.freshConnection && url.scheme == "https" && handshake == 0) return false;
  return sentBytes > 0;
}

Error CurlSession::errorOf(CURLcode code, End end, const HttpRequest& request, const UrlParts& url,
                           const CurlExchange& exchange) const {
  Error error;
  if (end == End::Cancelled) {
    error.code = ErrorCode::Cancelled;
    error.what = fmt::format("the request to {} was cancelled", url.origin());
    return error;
  }
  if (auto own = exchange.ownFailure(url.origin())) return *own;
  CurlFailure failed{code, exchange.errorText()};
  curl_off_t started = 0;
  long connectCode = 0;
  curl_easy_getinfo(easy_, CURLINFO_PRETRANSFER_TIME_T, &started);
  curl_easy_getinfo(easy_, CURLINFO_HTTP_CONNECTCODE, &connectCode);
  failed.connecting = started == 0;
  failed.stalled = end == End::Stalled;
  failed.proxyStatus = connectCode / 100 == 2 ? 0 : static_cast<int>(connectCode);
  return curlError(failed, request, url);
}

// libcurl begins again by itself where a kept connection turns out to be closed as it reads, but not as it writes.
Result<HttpResponse> CurlSession::send(const HttpRequest& request, const UrlParts& url,
                                       const std::stop_token& stop) {
  bool wasClosed = false;
  auto answer = sendOnce(request, url, stop, wasClosed);
  if (!wasClosed || stop.stop_requested()) return answer;
  HttpRequest again = request;
  again.freshConnection = true;
  return sendOnce(again, url, stop, wasClosed);
}

Result<HttpResponse> CurlSession::sendOnce(const HttpRequest& request, const UrlParts& url,
                                           const std::stop_token& stop, bool& wasClosed) {
  CurlExchange exchange(request, options_.maxAnswerBytes);
  prepare(request, url);
  exchange.attach(easy_);
  lastOrigin_ = url.origin();
  if (curl_multi_add_handle(multi_, easy_) != CURLM_OK)
    return failure(curlError({CURLE_OUT_OF_MEMORY, {}}, request, url));
  End end = End::Done;
  const CURLcode code = run(request, stop, end);
  long connects = 0;
  curl_easy_getinfo(easy_, CURLINFO_NUM_CONNECTS, &connects);
  wasClosed = code == CURLE_SEND_ERROR && end == End::Done && connects == 0 && !exchange.hasAnswer();
  if (request.trace != nullptr) *request.trace = {mayHaveArrived(request, url), isTrustFailure(code)};
  // Else the removal would wait for a name look-up in another thread.
  if (end != End::Done) curl_easy_setopt(easy_, CURLOPT_QUICK_EXIT, 1L);
  Result<HttpResponse> answer = code == CURLE_OK && end == End::Done
                                    ? Result<HttpResponse>(exchange.popResponse(easy_))
                                    : failure(errorOf(code, end, request, url, exchange));
  curl_multi_remove_handle(multi_, easy_);
  return answer;
}

}  // namespace lockstep
