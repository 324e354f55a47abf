// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <curl/curl.h>

#include "base/status.h"
#include "http/http_client.h"
#include "http/url.h"

namespace lockstep {

/// What a failed exchange means to a person. `detail` is libcurl's own sentence; may be empty.
[[nodiscard]] Status curlStatus(CURLcode code, const HttpRequest& request, const UrlParts& url,
                                const std::string& detail);
/// Whether the server's certificate, or what we verify it with, is at fault.
[[nodiscard]] bool isTrustFailure(CURLcode code);

}  // namespace lockstep
