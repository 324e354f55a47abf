// SPDX-License-Identifier: GPL-3.0-or-later
#include "http/curl_session.h"

#include <fmt/format.h>
#include <strings.h>

#include "base/version.h"
#include "http/curl_status.h"

namespace lockstep {
namespace {

constexpr int kPollMilliseconds = 100;
// A transfer that stands still this long has failed, however generous the time-out of the whole exchange is.
constexpr long kStallSeconds = 60;

void appendHeader(curl_slist*& list, const std::string& line) {
  curl_slist* longer = curl_slist_append(list, line.c_str());
  if (longer != nullptr) list = longer;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

}  // namespace

struct CurlSession::Exchange {
  HttpResponse response;
  std::uint64_t maxBytes = 0;
  bool tooLarge = false;
  curl_slist* headers = nullptr;
  char error[CURL_ERROR_SIZE] = "";

  Exchange() = default;
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;
  ~Exchange() { curl_slist_free_all(headers); }

  static std::size_t onBody(char* data, std::size_t size, std::size_t count, void* self) {
    auto* exchange = static_cast<Exchange*>(self);
    const std::size_t n = size * count;
    exchange->tooLarge = exchange->response.body.size() + n > exchange->maxBytes;
    if (exchange->tooLarge) return 0;
    exchange->response.body.append(data, n);
    return n;
  }

  static std::size_t onHeader(char* data, std::size_t size, std::size_t count, void* self) {
    auto* exchange = static_cast<Exchange*>(self);
    const std::string_view line(data, size * count);
    if (line.starts_with("HTTP/")) exchange->response.headers.clear();  // the answer after a "100 Continue"
    const std::size_t colon = line.find(':');
    if (colon != std::string_view::npos && !line.starts_with("HTTP/")) {
      exchange->response.headers.emplace_back(trimmed(line.substr(0, colon)),
                                              trimmed(line.substr(colon + 1)));
    }
    return line.size();
  }
};

std::unique_ptr<CurlSession> CurlSession::create(const CurlOptions& options) {
  std::unique_ptr<CurlSession> session(new CurlSession(options));
  session->easy_ = curl_easy_init();
  session->multi_ = curl_multi_init();
  if (session->easy_ == nullptr || session->multi_ == nullptr) return nullptr;
  return session;
}

CurlSession::~CurlSession() {
  if (easy_ != nullptr) curl_easy_cleanup(easy_);
  if (multi_ != nullptr) curl_multi_cleanup(multi_);
}

void CurlSession::prepareMethod(const HttpRequest& request) {
  const bool mayHaveBody = request.method == "POST" || request.method == "PUT" || request.method == "PATCH";
  if (request.method == "HEAD") {
    curl_easy_setopt(easy_, CURLOPT_NOBODY, 1L);
  } else if (mayHaveBody || !request.body.empty()) {
    curl_easy_setopt(easy_, CURLOPT_POST, 1L);
    curl_easy_setopt(easy_, CURLOPT_POSTFIELDS, request.body.c_str());
    curl_easy_setopt(easy_, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
  }
  if (request.method != "HEAD") curl_easy_setopt(easy_, CURLOPT_CUSTOMREQUEST, request.method.c_str());
}

void CurlSession::prepare(const HttpRequest& request, const UrlParts& url, Exchange& exchange) {
  curl_easy_reset(easy_);  // keeps connections and the DNS cache
  exchange.maxBytes = options_.maxAnswerBytes;
  for (const auto& [name, value] : request.headers) {
    if (::strcasecmp(name.c_str(), "content-length") == 0) continue;  // libcurl counts the body itself
    appendHeader(exchange.headers, value.empty() ? name + ";" : name + ": " + value);
  }
  appendHeader(exchange.headers, "Expect:");
  if (!hasHeader(request.headers, "content-type")) appendHeader(exchange.headers, "Content-Type:");
  if (!hasHeader(request.headers, "user-agent")) {
    appendHeader(exchange.headers, fmt::format("User-Agent: Lockstep/{}", LOCKSTEP_VERSION));
  }
  curl_easy_setopt(easy_, CURLOPT_URL, request.url.c_str());
  curl_easy_setopt(easy_, CURLOPT_PATH_AS_IS, 1L);
  curl_easy_setopt(easy_, CURLOPT_HTTPHEADER, exchange.headers);
  curl_easy_setopt(easy_, CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
  curl_easy_setopt(easy_, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(easy_, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(easy_, CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(request.connectTimeout.count()));
  curl_easy_setopt(easy_, CURLOPT_TIMEOUT_MS, static_cast<long>(request.timeout.count()));
  curl_easy_setopt(easy_, CURLOPT_LOW_SPEED_LIMIT, 1L);
  curl_easy_setopt(easy_, CURLOPT_LOW_SPEED_TIME, kStallSeconds);
  curl_easy_setopt(easy_, CURLOPT_FRESH_CONNECT, request.freshConnection ? 1L : 0L);
  curl_easy_setopt(easy_, CURLOPT_SSL_VERIFYPEER, 1L);
  curl_easy_setopt(easy_, CURLOPT_SSL_VERIFYHOST, 2L);
  curl_easy_setopt(easy_, CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
  if (!options_.certificateBundle.empty()) {
    curl_easy_setopt(easy_, CURLOPT_CAINFO, options_.certificateBundle.c_str());
  }
  if (url.isLoopback()) curl_easy_setopt(easy_, CURLOPT_PROXY, "");
  curl_easy_setopt(easy_, CURLOPT_WRITEFUNCTION, &Exchange::onBody);
  curl_easy_setopt(easy_, CURLOPT_WRITEDATA, &exchange);
  curl_easy_setopt(easy_, CURLOPT_HEADERFUNCTION, &Exchange::onHeader);
  curl_easy_setopt(easy_, CURLOPT_HEADERDATA, &exchange);
  curl_easy_setopt(easy_, CURLOPT_ERRORBUFFER, exchange.error);
  prepareMethod(request);
}

CURLcode CurlSession::run(const std::stop_token& stop, bool& cancelled) {
  const std::stop_callback wake(stop, [this] { curl_multi_wakeup(multi_); });
  int running = 1;
  while (true) {
    if (stop.stop_requested()) {
      cancelled = true;
      // Else the removal would wait for a name look-up in another thread.
      curl_easy_setopt(easy_, CURLOPT_QUICK_EXIT, 1L);
      return CURLE_ABORTED_BY_CALLBACK;
    }
    if (curl_multi_perform(multi_, &running) != CURLM_OK) return CURLE_FAILED_INIT;
    int left = 0;
    if (const CURLMsg* message = curl_multi_info_read(multi_, &left); message != nullptr)
      return message->data.result;
    if (running == 0) return CURLE_FAILED_INIT;
    curl_multi_poll(multi_, nullptr, 0, kPollMilliseconds, nullptr);
  }
}

Result<HttpResponse> CurlSession::send(const HttpRequest& request, const UrlParts& url,
                                       const std::stop_token& stop) {
  Exchange exchange;
  prepare(request, url, exchange);
  if (curl_multi_add_handle(multi_, easy_) != CURLM_OK) {
    return failure(curlStatus(CURLE_OUT_OF_MEMORY, request, url, {}));
  }
  bool cancelled = false;
  const CURLcode code = run(stop, cancelled);
  long sentBytes = 0;
  long status = 0;
  curl_easy_getinfo(easy_, CURLINFO_REQUEST_SIZE, &sentBytes);
  curl_easy_getinfo(easy_, CURLINFO_RESPONSE_CODE, &status);
  curl_multi_remove_handle(multi_, easy_);
  if (request.trace != nullptr) *request.trace = {sentBytes > 0, isTrustFailure(code)};
  if (cancelled) {
    return failure(StatusCode::Cancelled, fmt::format("the request to {} was cancelled", url.origin()));
  }
  if (code != CURLE_OK) {
    std::string detail = exchange.error;
    if (exchange.tooLarge) detail = fmt::format("more than {} bytes", exchange.maxBytes);
    return failure(curlStatus(code, request, url, detail));
  }
  exchange.response.status = static_cast<int>(status);
  return std::move(exchange.response);
}

}  // namespace lockstep
