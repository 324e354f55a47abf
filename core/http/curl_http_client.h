// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "http/http_client.h"

namespace lockstep {

struct CurlOptions {
  std::uint64_t maxAnswerBytes = 1ULL << 30;  // of a body kept in memory, and of one that is unpacked
  std::string certificateBundle;              // PEM file of the authorities to trust; empty: the system's
  /// "http://user:password@host:port"; empty: none ever. Without a value http_proxy, https_proxy, all_proxy
  /// and no_proxy of the environment say. Never appears in a message.
  std::optional<std::string> proxy;
  std::string noProxy;  // hosts and domains that `proxy` does not serve, comma separated
};

/// The HttpClient of the programs, through libcurl: HTTP/2 where a TLS server offers it, else HTTP/1.1;
/// connections kept and reused, whichever thread asks; names and TLS sessions remembered by all threads; TLS
/// 1.2 or newer with the certificate always verified. Loopback addresses never go through a proxy.
[[nodiscard]] std::shared_ptr<HttpClient> makeCurlHttpClient(CurlOptions options = {});

}  // namespace lockstep
