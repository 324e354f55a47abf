// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <chrono>
#include <string>
#include <vector>

#include "http/curl_http_client.h"

namespace lockstep {

// What a connection is like before anything is sent over it, for checks that explain why requests fail. Both
// block for at most `limit`.

/// Whether something accepts TCP connections at host:port; no proxy is asked.
Result<void> tryConnect(const std::string& host, int port, std::chrono::milliseconds limit);

/// One certificate that a TLS server shows.
struct PeerCertificate {
  std::string subject, issuer;  // "O = Example, CN = Example Root"
};
/// The chain of the server of an https URL, its own certificate first, through the proxies that `options` and
/// the environment name. Verifies nothing, so it is only for telling a person who signed what is not trusted.
Result<std::vector<PeerCertificate>> peerCertificates(const std::string& url, const CurlOptions& options,
                                                      std::chrono::milliseconds limit);

}  // namespace lockstep
