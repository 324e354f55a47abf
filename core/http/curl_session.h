// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <curl/curl.h>

#include <memory>
#include <stop_token>

#include "http/curl_http_client.h"
#include "http/url.h"

namespace lockstep {

/// One libcurl transfer slot with its kept connections. One thread at a time; a wake-up by the stop token may
/// come from any thread. We drive the multi interface because curl_easy_perform looks at a stop only once a
/// second.
class CurlSession {
 public:
  /// Null when libcurl cannot allocate.
  static std::unique_ptr<CurlSession> create(const CurlOptions& options);
  CurlSession(const CurlSession&) = delete;
  CurlSession& operator=(const CurlSession&) = delete;
  ~CurlSession();

  Result<HttpResponse> send(const HttpRequest& request, const UrlParts& url, const std::stop_token& stop);

 private:
  struct Exchange;
  explicit CurlSession(const CurlOptions& options) : options_(options) {}
  void prepare(const HttpRequest& request, const UrlParts& url, Exchange& exchange);
  void prepareMethod(const HttpRequest& request);
  CURLcode run(const std::stop_token& stop, bool& cancelled);

  CurlOptions options_;
  CURL* easy_ = nullptr;
  CURLM* multi_ = nullptr;
};

}  // namespace lockstep
