// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <curl/curl.h>

#include "base/error.h"
#include "http/http_client.h"
#include "http/url.h"

namespace lockstep {

/// How an exchange failed.
struct CurlFailure {
  CURLcode code = CURLE_OK;
  std::string detail;       // libcurl's own sentence; may be empty
  bool connecting = false;  // it never came to sending the request
  bool stalled = false;     // no byte moved for HttpRequest::stallTimeout
  int proxyStatus = 0;      // what a proxy answered instead of connecting us
};

/// What a failed exchange means to a person. Shows neither the query nor any credentials of a proxy.
[[nodiscard]] Error curlError(const CurlFailure& failed, const HttpRequest& request, const UrlParts& url);
/// Whether the server's certificate, or what we verify it with, is at fault.
[[nodiscard]] bool isTrustFailure(CURLcode code);

}  // namespace lockstep
