// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <memory>
#include <string>

#include "http/http_client.h"

namespace lockstep {

struct CurlOptions {
  std::uint64_t maxAnswerBytes = 1ULL << 30;
  std::string certificateBundle;  // PEM file of the authorities to trust; empty: the system's
};

/// The HttpClient of the programs: HTTP/1.1 through libcurl, connections kept and reused, TLS 1.2 or newer
/// with the certificate always verified, proxies from the environment except for loopback addresses.
[[nodiscard]] std::shared_ptr<HttpClient> makeCurlHttpClient(CurlOptions options = {});

}  // namespace lockstep
