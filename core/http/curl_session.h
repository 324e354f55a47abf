// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <curl/curl.h>

#include <memory>
#include <stop_token>

#include "http/curl_http_client.h"
#include "http/curl_share.h"
#include "http/url.h"

namespace lockstep {

class CurlExchange;

/// One libcurl transfer slot with its kept connections. One thread at a time; a wake-up by the stop token may
/// come from any thread. We drive the multi interface because curl_easy_perform looks at a stop only once a
/// second.
class CurlSession {
 public:
  /// Null when libcurl cannot allocate.
  static std::unique_ptr<CurlSession> create(const CurlOptions& options, std::shared_ptr<CurlShare> share);
  CurlSession(const CurlSession&) = delete;
  CurlSession& operator=(const CurlSession&) = delete;
  ~CurlSession();

  Result<HttpResponse> send(const HttpRequest& request, const UrlParts& url, const std::stop_token& stop);
  /// Where the last request went, so that the next one there meets its connection.
  [[nodiscard]] const std::string& lastOrigin() const { return lastOrigin_; }

 private:
  enum class End { Done, Cancelled, Stalled };
  CurlSession(const CurlOptions& options, std::shared_ptr<CurlShare> share)
      : options_(options), share_(std::move(share)) {}
  void prepare(const HttpRequest& request, const UrlParts& url);
  void prepareTrust();
  void prepareProxy(const UrlParts& url);
  /// `wasClosed`: the connection was a kept one, and the other side closed it before it answered anything.
  Result<HttpResponse> sendOnce(const HttpRequest& request, const UrlParts& url, const std::stop_token& stop,
                                bool& wasClosed);
  CURLcode run(const HttpRequest& request, const std::stop_token& stop, End& end);
  [[nodiscard]] curl_off_t movedBytes() const;
  [[nodiscard]] bool mayHaveArrived(const HttpRequest& request, const UrlParts& url) const;
  [[nodiscard]] Error errorOf(CURLcode code, End end, const HttpRequest& request, const UrlParts& url,
                              const CurlExchange& exchange) const;

  CurlOptions options_;
  std::shared_ptr<CurlShare> share_;
  std::string lastOrigin_;
  CURL* easy_ = nullptr;
  CURLM* multi_ = nullptr;
};

}  // namespace lockstep
